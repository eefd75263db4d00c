"""Keylake tables in PySpark.

Three things, none of which reads or writes a file by itself:

* :func:`configure`, :func:`settings` and :func:`attach` tell a session where the tables are;
* :class:`KeylakeTable` is a facade whose methods emit SQL;
* :class:`KeylakeError` and its subclasses carry the condition and the SQLSTATE of a failure.

Everything works with classic PySpark and with Spark Connect.
"""

from keylake.errors import (
    ConflictError,
    CorruptTableError,
    InvalidRequestError,
    KeylakeError,
    StreamStateError,
    UnsupportedError,
    keylake_errors,
)
from keylake.merge import MergeBuilder
from keylake.session import attach, configure, settings
from keylake.table import KeylakeTable

__all__ = [
    "ConflictError",
    "CorruptTableError",
    "InvalidRequestError",
    "KeylakeError",
    "KeylakeTable",
    "MergeBuilder",
    "StreamStateError",
    "UnsupportedError",
    "attach",
    "configure",
    "keylake_errors",
    "settings",
]

__version__ = "0.1.0.dev0"
