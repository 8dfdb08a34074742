"""No module imports itself by way of others: not for types and not inside a function either."""

from __future__ import annotations

import graphlib

import grimp


def test_no_modules_import_each_other_in_a_circle() -> None:
    graph = grimp.build_graph("cardroom", "fees", "games")
    imported = {module: graph.find_modules_directly_imported_by(module) for module in graph.modules}
    assert len(imported) > 500
    graphlib.TopologicalSorter(imported).prepare()  # CycleError names the modules of a circle
