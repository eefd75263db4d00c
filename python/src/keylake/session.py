"""Tells Spark sessions where Keylake's tables are."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from typing import Optional, TypeVar, Union

from pyspark.sql import SparkSession

__all__ = ["attach", "configure", "settings"]

CATALOG_CLASS = "io.keylake.catalog.KeylakeCatalog"
EXTENSIONS_CLASS = "io.keylake.extensions.KeylakeExtensions"

Builder = TypeVar("Builder")


def settings(
    warehouse: Union[str, "os.PathLike[str]"],
    *,
    catalog: str = "lake",
    jars: Union[str, "os.PathLike[str]", Iterable[Union[str, "os.PathLike[str]"]], None] = None,
    extensions: Iterable[str] = (),
    current: bool = False,
    conf: Optional[Mapping[str, str]] = None,
) -> dict[str, str]:
    """The settings of a session, by key: for ``--conf`` of Spark's scripts, or for a builder.

    :param warehouse: where the tables are, a folder or any Hadoop URI
    :param catalog: the name of the catalog
    :param jars: Keylake's jar and further ones; the environment's ``KEYLAKE_JAR`` unless given. Without either the
        jar has to be among Spark's own
    :param extensions: extensions of others, which come before Keylake's
    :param current: whether the catalog is the current one, so that names need not begin with it
    :param conf: further settings
    """
    if not catalog.isidentifier():
        raise ValueError(f"The name of a catalog is an identifier, not {catalog!r}")
    found = {
        "spark.sql.extensions": ",".join([*extensions, EXTENSIONS_CLASS]),
        f"spark.sql.catalog.{catalog}": CATALOG_CLASS,
        f"spark.sql.catalog.{catalog}.warehouse": os.fspath(warehouse),
    }
    paths = _jars(jars)
    if paths:
        found["spark.jars"] = ",".join(paths)
    if current:
        found["spark.sql.defaultCatalog"] = catalog
    found.update(conf or {})
    return found


def _jars(jars: Union[str, "os.PathLike[str]", Iterable[Union[str, "os.PathLike[str]"]], None]) -> list[str]:
    if jars is None:
        jars = os.environ.get("KEYLAKE_JAR") or ()
    if isinstance(jars, (str, os.PathLike)):
        jars = [jars]
    return [os.fspath(jar) for jar in jars]


def configure(
    builder: Builder,
    warehouse: Union[str, "os.PathLike[str]"],
    *,
    catalog: str = "lake",
    jars: Union[str, "os.PathLike[str]", Iterable[Union[str, "os.PathLike[str]"]], None] = None,
    extensions: Iterable[str] = (),
    current: bool = False,
    conf: Optional[Mapping[str, str]] = None,
) -> Builder:
    """Gives :func:`settings` to a builder of sessions and returns it.

    >>> spark = configure(SparkSession.builder, "/data/lake", jars="keylake.jar").getOrCreate()

    A session that runs already keeps its jars and extensions; use :func:`attach` for it.
    """
    found = settings(
        warehouse, catalog=catalog, jars=jars, extensions=extensions, current=current, conf=conf
    )
    for key, value in found.items():
        builder = builder.config(key, value)  # type: ignore[attr-defined]
    return builder


def attach(
    spark: SparkSession, warehouse: Union[str, "os.PathLike[str]"], *, catalog: str = "lake"
) -> None:
    """Adds a catalog to a session that runs, classic or Spark Connect. The jar has to be on its class path."""
    if not catalog.isidentifier():
        raise ValueError(f"The name of a catalog is an identifier, not {catalog!r}")
    spark.conf.set(f"spark.sql.catalog.{catalog}", CATALOG_CLASS)
    spark.conf.set(f"spark.sql.catalog.{catalog}.warehouse", os.fspath(warehouse))
