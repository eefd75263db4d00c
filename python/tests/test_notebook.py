"""The notebook, run without a screen from its first cell to its last."""

import json
import os
import subprocess

import pytest

from conftest import PYTHON, chromium

NOTEBOOK = PYTHON / "examples" / "quickstart.ipynb"


@pytest.fixture(scope="module")
def executed(tmp_path_factory):
    nbformat = pytest.importorskip("nbformat", reason="skipped: no nbformat")
    nbclient = pytest.importorskip("nbclient", reason="skipped: no nbclient")
    for needed in ("ipykernel", "matplotlib", "pandas"):
        pytest.importorskip(needed, reason=f"skipped: no {needed}")
    folder = tmp_path_factory.mktemp("notebook")
    environment = {
        **os.environ,
        "PYTHONPATH": str(PYTHON / "src"),
        "KEYLAKE_WAREHOUSE": str(folder / "lake"),
        "SPARK_LOCAL_IP": "127.0.0.1",
        "PYSPARK_SUBMIT_ARGS": '--driver-java-options "-XX:TieredStopAtLevel=1" pyspark-shell',
    }
    notebook = nbformat.read(NOTEBOOK, as_version=4)
    client = nbclient.NotebookClient(
        notebook, timeout=250, kernel_name="python3", resources={"metadata": {"path": str(folder)}}
    )
    client.execute(env=environment)
    return notebook


def outputs(notebook, kind):
    return [
        output.data[kind]
        for cell in notebook.cells
        for output in cell.get("outputs", ())
        if kind in output.get("data", {})
    ]


def test_notebook_is_stored_without_results():
    cells = json.loads(NOTEBOOK.read_text(encoding="utf-8"))["cells"]
    assert all(not cell["outputs"] for cell in cells if cell["cell_type"] == "code")


def test_notebook_plots_and_shows_the_table(executed):
    assert outputs(executed, "image/png")
    before, after = (page for page in outputs(executed, "text/html") if 'class="keylake cell"' in page)
    legend = 1
    assert before.count(">level 0<") == legend + 8 and after.count(">level 0<") == legend
    text = "".join(output.text for cell in executed.cells for output in cell.get("outputs", ()) if "text" in output)
    assert "|   99999|     cyd|    70|" in text
    assert "update_postimage|       1|   500|" in text


def test_page_is_drawn_by_a_browser(executed, tmp_path):
    browser = chromium()
    if browser is None:
        pytest.skip("skipped: no Chromium")
    page = tmp_path / "page.html"
    page.write_text(outputs(executed, "text/html")[-1], encoding="utf-8")
    picture = tmp_path / "page.png"
    flags = ["--headless", "--no-sandbox", "--disable-gpu", "--window-size=900,900", f"--user-data-dir={tmp_path}"]
    subprocess.run(
        [browser, *flags, f"--screenshot={picture}", page.as_uri()], check=True, capture_output=True, timeout=60
    )
    assert picture.stat().st_size > 20_000
