"""Executes a notebook from start to end, in an empty folder. Arguments: the notebook, the command,
the folder of the Python package. With SEPTET_NOTEBOOKS=DIR the outputs are kept there as HTML."""

import os
import pathlib
import re
import sys
import tempfile

import nbclient
import nbconvert
import nbformat

LIMIT_S = 300
NOTEBOOK, COMMAND, PACKAGE = map(pathlib.Path, sys.argv[1:])


def executed():
    notebook = nbformat.read(NOTEBOOK, as_version=4)
    with tempfile.TemporaryDirectory() as folder:
        os.environ.update(PATH=f"{COMMAND.parent}:{os.environ['PATH']}", PYTHONPATH=str(PACKAGE),
                          JUPYTER_PLATFORM_DIRS="1", TMPDIR=folder)
        nbclient.NotebookClient(notebook, timeout=LIMIT_S, kernel_name="python3",
                                resources={"metadata": {"path": folder}}).execute()
    return notebook


def mistakes(cells):
    """A failed `!command` raises nothing: it is known by what it prints."""
    for cell in cells:
        for output in cell.get("outputs", []):
            text = output.get("text", "")
            if re.search(r"error:|not found|Warning", text):
                yield f"{cell.source}\n-> {text}"


def main():
    stored = nbformat.read(NOTEBOOK, as_version=4)
    assert not any(cell.get("outputs") for cell in stored.cells), "stored with outputs"
    notebook = executed()
    if "SEPTET_NOTEBOOKS" in os.environ:
        page, _ = nbconvert.HTMLExporter().from_notebook_node(notebook)
        target = pathlib.Path(os.environ["SEPTET_NOTEBOOKS"]) / f"{NOTEBOOK.stem}.html"
        target.write_text(page, encoding="utf-8")
    found = list(mistakes(notebook.cells))
    assert not found, "\n".join(found)
    plots = sum("image/png" in output.get("data", {}) for cell in notebook.cells
                for output in cell.get("outputs", []))
    assert plots > 0, "a notebook without a plot"
    print(f"{NOTEBOOK.name}: {len(notebook.cells)} cells, {plots} plots")


if __name__ == "__main__":
    main()
