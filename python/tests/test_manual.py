"""The examples of the manual, in order, in one session."""

import re

from conftest import ROOT


def test_examples_of_the_manual_run(spark, tmp_path):
    manual = (ROOT / "docs" / "python.md").read_text(encoding="utf-8")
    blocks = re.findall(r"^```python\n(.*?)^```", manual, re.DOTALL | re.MULTILINE)
    assert len(blocks) >= 5
    known = {"warehouse": spark.conf.get("spark.sql.catalog.lake.warehouse")}
    for block in blocks:
        exec(compile(block, "docs/python.md", "exec"), known)
