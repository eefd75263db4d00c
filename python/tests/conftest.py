"""What all tests share.

``KEYLAKE_JAR`` is the runtime jar (``./keylake jar`` prints its path). ``KEYLAKE_TEST_SPARK=connect`` runs the tests of
the facade in a session of Spark Connect; ``test_connect.py`` does that by itself.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

PYTHON = Path(__file__).resolve().parent.parent
ROOT = PYTHON.parent

try:
    import pyspark

    MISSING = "" if pyspark.__version__.startswith("4.2.") else "skipped: PySpark is not 4.2"
except ImportError:
    MISSING = "skipped: no PySpark"
if not MISSING and not Path(os.environ.get("KEYLAKE_JAR", "/nowhere")).is_file():
    MISSING = "skipped: KEYLAKE_JAR names no jar"

if MISSING:
    collect_ignore_glob = ["test_[!p]*.py"]


def pytest_report_header() -> "list[str]":
    return [MISSING] if MISSING else []


SMALL = {
    "spark.ui.enabled": "false",
    "spark.sql.shuffle.partitions": "2",
    "spark.default.parallelism": "2",
    "spark.sql.session.timeZone": "UTC",
    "spark.driver.memory": "1g",
    "spark.driver.extraJavaOptions": "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC",
    "spark.log.level": "ERROR",
}


@pytest.fixture(scope="session")
def spark(tmp_path_factory):
    """A session with the catalog ``lake``."""
    from pyspark.sql import SparkSession

    import keylake

    builder = SparkSession.builder
    if os.environ.get("KEYLAKE_TEST_SPARK") == "connect":
        builder = builder.remote("local[2]")
    else:
        builder = builder.master("local[2]")
    warehouse = tmp_path_factory.mktemp("warehouse")
    session = keylake.configure(builder, warehouse, conf=SMALL).getOrCreate()
    session.sql("CREATE NAMESPACE lake.shop")
    yield session
    session.stop()


@pytest.fixture
def run(tmp_path):
    """Runs a script of Spark with the jar and the three settings, in an empty folder."""
    from pyspark.find_spark_home import _find_spark_home

    import keylake

    home = _find_spark_home()

    def script(name: str, *arguments: str, stdin: str = "") -> str:
        command = [os.path.join(home, "bin", name), "--master", "local[2]"]
        found = keylake.settings(tmp_path / "lake")
        command += ["--jars", found.pop("spark.jars")]
        for key, value in found.items():
            command += ["--conf", f"{key}={value}"]
        for key, value in SMALL.items():
            command += ["--conf", f"{key}={value}"]
        environment = {
            **os.environ,
            "SPARK_HOME": home,
            "PYSPARK_PYTHON": sys.executable,
            "PYSPARK_DRIVER_PYTHON": sys.executable,
            "PYSPARK_DRIVER_PYTHON_OPTS": "-i",
            "PYTHONPATH": str(PYTHON / "src"),
            "SPARK_LOCAL_IP": "127.0.0.1",
        }
        ended = subprocess.run(
            [*command, *arguments],
            input=stdin,
            capture_output=True,
            text=True,
            timeout=280,
            cwd=tmp_path,
            env=environment,
            check=False,
        )
        assert ended.returncode == 0, ended.stdout[-4000:] + ended.stderr[-6000:]
        return ended.stdout

    return script


def chromium() -> "str | None":
    """A browser for looking at pages, where there is one."""
    for name in ("chromium", "chromium-browser", "google-chrome", "chrome"):
        found = shutil.which(name)
        if found:
            return found
    return None
