# SPDX-License-Identifier: Apache-2.0
"""Scripts in dbpmda's command language at random, for two programs to run."""

import random
from collections.abc import Callable

# Metrics of the agent sample whose values are the same in each run; some do not exist.
_METRICS = ["29.0.10", "29.0.6", "29.0.26", "29.0.30", "29.0.31", "29.0.33", "29.0.34", "29.0.54", "29.0.55",
            "29.0.138", "29.0.154", "29.0.17", "29.0.14", "29.0.24", "29.0.32", "29.0.97", "29.0.153", "29.0.146",
            "sample.long.one", "sample.bin", "sample.write_me", "sample.string.hullo", "two.b", "sample.nothing",
            "sample", "121634826", "10", "0.10", "600.0.1", "0x100"]  # fmt: skip
_INDOMS = ["29.2", "29.0", "29.1", "29.99", "-1", "29", "121634818"]
_NUMBERS = ["100", "200", "300", "900", "5", "0", "4294967295"]
_TEXTS = ['"5"', "'7'", '"-3"', '"2.5"', '"x y"', '"99999999999"', '""', '"unfinished', "''"]
_NAMES = ["bin-100", "bin-900", '"bin-200"', "'bin-300'", "bin", "100", "all", "x/y:z"]
_DYNAMIC = ["sample.secret", "sample.secret.foo", "sample.secret.bar", "a.b", "nothing", "x-y"]
_ATTRIBUTES = ["11", "12", "14", "99", "0", '"userid"', '"bogus"', "userid"]
_NOISE = ["@", "$", "x", "29.0.10", ",", '"t"', "-1", "-x", "12", "#c", "_", ".", "on", "29.2.", "1..2", "0x1f"]


def _command(generator: random.Random) -> str:
    one = generator.choice
    forms: list[Callable[[], str]] = [
        lambda: f"desc {one(_METRICS)}",
        lambda: "fetch " + one([" ", ", ", ","]).join(one(_METRICS) for _ in range(generator.randint(1, 4))),
        lambda: f"fetch {one(_METRICS)}",
        lambda: f"instance {one(_INDOMS)}",
        lambda: f"instance {one(_INDOMS)} {one(_NAMES + _NUMBERS)}",
        lambda: f"profile {one(_INDOMS)} {one(['all', 'none'])}",
        lambda: f"profile {one(_INDOMS)} {one(['add', 'delete'])} {one(_NUMBERS)}",
        lambda: f"store {one(_METRICS)} {one(_TEXTS)}",
        lambda: f"text {one(_METRICS)}",
        lambda: f"text indom {one(_INDOMS)}",
        lambda: f"{one(['pmid', 'children', 'traverse'])} {one(_DYNAMIC)}",
        lambda: f"name {one(_METRICS)}",
        lambda: f"label {one(['context', 'domain'])}",
        lambda: f"label {one(['indom', 'instances'])} {one(_INDOMS)}",
        lambda: f"label item {one(_METRICS)}",
        lambda: f"label cluster {one(['29.0', '29.1', '29', '29.0.1'])}",
        lambda: f"attr {one(_ATTRIBUTES)} {one(_TEXTS)}",
        lambda: f"getdesc {one(['on', 'off'])}",
        lambda: f"getiname {one(['on', 'off'])}",
        lambda: one(["status", "close", "help", "?", "", "# comment", "desc", "fetch", "label", "bogus", "debug none"]),
    ]  # fmt: skip
    command = one(forms)()
    if generator.random() < 0.2:  # something that does not belong there
        words = command.split(" ")
        words.insert(generator.randint(0, len(words)), one(_NOISE))
        command = " ".join(words)
    return one(["", "", "", "  ", "\t"]) + command + one(["", "", "", " ", " # comment"])


def script(generator: random.Random) -> str:
    return "\n".join(_command(generator) for _ in range(generator.randint(3, 12)))
