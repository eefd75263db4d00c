"""The package itself; needs no Spark."""

import re
from pathlib import Path

PYTHON = Path(__file__).resolve().parent.parent


def test_version_is_that_of_the_project():
    project = (PYTHON.parent / "pom.xml").read_text(encoding="utf-8")
    maven = re.search(r"<artifactId>keylake-parent</artifactId>\s*<version>([^<]+)</version>", project).group(1)
    declared = re.search(r'^version = "([^"]+)"', (PYTHON / "pyproject.toml").read_text(), re.M).group(1)
    loaded = re.search(r'^__version__ = "([^"]+)"', (PYTHON / "src/keylake/__init__.py").read_text(), re.M).group(1)
    assert declared == loaded == maven.replace("-SNAPSHOT", ".dev0")


def test_package_needs_nothing_but_pyspark():
    sources = list((PYTHON / "src/keylake").glob("*.py"))
    imports = {
        line.split()[1].split(".")[0]
        for source in sources
        for line in source.read_text().splitlines()
        if re.match(r"(import|from) \w", line)
    }
    standard = {"__future__", "collections", "contextlib", "dataclasses", "datetime", "html", "os", "re", "typing", "uuid"}
    assert imports <= standard | {"keylake", "pyspark"}
    assert 'dependencies = []' in (PYTHON / "pyproject.toml").read_text()
