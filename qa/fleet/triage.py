# SPDX-License-Identifier: Apache-2.0
"""`fleet triage`: what `pmproof triage` says of archives, made by it of what a journal knows of them."""

import argparse
import subprocess
import sys
from pathlib import Path

from qa.fleet import program, reports, scratch
from qa.fleet.error import MISSING, USAGE, FleetError
from qa.fleet.journal import Journal
from qa.support.display import displayable


def run(options: argparse.Namespace) -> int:
    """Returns the exit status of pmproof triage."""
    command = [program.checker(options.checker), "triage", "--progress", "never"]
    command += [f"--{name}" for name in ("force", "quiet") if getattr(options, name)]
    command += [f"--format={options.format}"] if options.format else []
    command += [f"--output={each}" for each in options.output]
    with Journal.read(options.journal) as journal, scratch.directory() as folder:
        if journal.get("tool") is None:
            raise FleetError(f"{options.journal}: has no result yet", MISSING)
        for each in options.output:
            output = Path(each.partition(":")[2] or each)
            if output.exists() and output.samefile(options.journal):
                raise FleetError(f"{output}: is the journal", USAGE)
        report = Path(folder) / "report.json"
        with open(report, "w", encoding="ascii") as out:
            reports.write_for_triage(journal, options.journal, out)
        if not journal.get("sets") and not options.quiet:
            told = "directories were not looked at: fleet check --set does"
            print(f"fleet: {displayable(str(options.journal))}: {told}", file=sys.stderr)
        sys.stdout.flush()
        done = subprocess.run([*command, "--report", str(report)], stdin=subprocess.DEVNULL, check=False)
    if done.returncode < 0:
        raise FleetError(f"pmproof was ended by signal {-done.returncode}", 5)
    return done.returncode
