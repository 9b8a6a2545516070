# SPDX-License-Identifier: Apache-2.0
"""Definitions of derived metrics as the adapter to PCP's tools puts them to pminfo."""

from pathlib import Path

import pytest

from qa.adapters.scripted_tools import ARCHIVE, Json, Scripts, descriptor


@pytest.fixture(name="scripts")
def fixture_scripts(tmp_path: Path) -> Scripts:
    return Scripts(tmp_path)


class TestDefinitions:
    STDERR = """\
[F:2] Error: pmRegisterDerived(x.b, ...) syntax error
1 +
  ^
Arithmetic expression expected to follow PLUS
Semantic error: derived metric x.c: m.counter * m.counter: Illegal operator for counters
"""

    def test_each_line_has_its_answer(self, scripts: Scripts) -> None:
        # The real one names the file of the configuration.
        scripts.does("pminfo", f'sed "s|^.F:|[$PCP_DERIVED_CONFIG:|" >&2 <<"E"\n{self.STDERR}E\ncat <<"E"\n{descriptor("x.a")}E')
        definitions = [
            {"name": "x.a", "expression": "m.counter"},
            {"name": "x.b", "expression": "1 +"},
            {"name": "x.c", "expression": "m.counter * m.counter"},
        ]
        first, second, third = scripts.answer("derive.parse", definitions=definitions)["result"]["definitions"]
        assert first["descriptor"] == {"type": "u32", "semantics": "counter", "indom": None, "units": ""}
        assert (second["stage"], second["position"], second["message"]) == ("syntax", 2, "Arithmetic expression expected to follow PLUS")
        assert (third["stage"], third["where"], third["message"]) == ("bind", "m.counter * m.counter", "Illegal operator for counters")

    def test_the_configuration_is_the_definitions(self, scripts: Scripts, tmp_path: Path) -> None:
        scripts.does("pminfo", f'cat "$PCP_DERIVED_CONFIG" > {tmp_path}/seen')
        scripts.answer("derive.parse", definitions=[{"name": "x.a", "expression": "1 "}, {"name": "x.b", "expression": "2"}])
        assert (tmp_path / "seen").read_text(encoding="utf-8") == "x.a=1 \nx.b=2\n"

    def test_names_without_a_point_are_asked_first(self, scripts: Scripts, tmp_path: Path) -> None:  # OUT-309
        """A help text may have a line that looks like one of them."""
        scripts.does("pminfo", f'case "$*" in *-T*) echo "$*" > {tmp_path}/seen ;; esac')
        scripts.answer("derive.parse", definitions=[{"name": "x", "expression": "1"}], metrics=["a.b", "x", "c.d"])
        assert (tmp_path / "seen").read_text(encoding="utf-8").endswith(" x a.b c.d\n")

    LIMIT = "Warning: failed to set derived metric control c=5: Attempt to use an illegal context"

    @pytest.mark.parametrize("source", [ARCHIVE, {}])
    def test_a_limit_of_contexts_that_fails_for_want_of_one(self, scripts: Scripts, source: Json) -> None:  # DER-402
        """Tools load before they open the archive, an adapter to the library afterwards."""
        scripts.does("pminfo", f'echo "[$PCP_DERIVED_CONFIG:1] {self.LIMIT}" >&2')
        result = scripts.answer("derive.parse", source, config="#control c=5\n")["result"]
        assert result["config"]["diagnostics"] == [f"[F:1] {self.LIMIT}"]
        unshown = [place for one in result["not_shown"] for place in one["at"]]
        assert unshown == ["/config/registered", *(["/config/diagnostics"] if source else [])]

    @pytest.mark.parametrize(
        "definition",
        [
            {"name": "a b", "expression": "1"},
            {"name": "x.a", "expression": ""},
            {"name": "x.a", "expression": "1\n+ 2"},
            {"name": "x.a", "expression": "1 \\"},
            {"name": "x.a", "expression": "1", "per_context": True},
        ],
    )
    def test_what_a_configuration_can_not_say_is_skipped(self, scripts: Scripts, definition: Json) -> None:
        assert scripts.answer("derive.parse", definitions=[definition])["skip"]["reason"]
