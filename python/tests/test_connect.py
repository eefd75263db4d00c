"""The tests of the facade once more, in a session of Spark Connect."""

import os
import subprocess
import sys
from pathlib import Path

import pytest


def test_facade_works_with_spark_connect():
    pytest.importorskip("grpc", reason="skipped: no client of Spark Connect (pip install pyspark[connect])")
    here = Path(__file__).parent
    environment = {**os.environ, "KEYLAKE_TEST_SPARK": "connect", "SPARK_CONNECT_MODE_ENABLED": "1"}
    ended = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", str(here / "test_table.py")],
        cwd=here.parent,
        env=environment,
        capture_output=True,
        text=True,
        timeout=280,
        check=False,
    )
    assert ended.returncode == 0, ended.stdout[-6000:] + ended.stderr[-3000:]
