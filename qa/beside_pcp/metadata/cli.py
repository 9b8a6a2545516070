# SPDX-License-Identifier: Apache-2.0
"""The command line of qa/beside_pcp/metadata/compare."""

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from qa.beside_pcp.metadata import questions
from qa.beside_pcp.metadata.agree import compare
from qa.peers.peers import SUITES, Peer

_MOST_SHOWN = 10
SUBJECTS = {
    "units": questions.about_units,
    "values": questions.about_values,
    "labels": questions.about_labels,
}
# What the reference calls the version that a peer has.
VERSIONS = {"6.0.3": "6.0.3", "6.3.8": "6.3.8", "7.2": "7.2.2"}


def main(arguments: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(
        prog="compare",
        description="Puts questions about units, values and labels to real libpcp and to the reference.",
        epilog="PCP versions that were not fetched are named and left out. Status: 0 no difference; 1 differences; "
        "2 wrong usage; 3 no PCP version is there.",
    )
    parser.add_argument("answer", type=Path, help="the program //qa/beside_pcp/metadata:answer")
    parser.add_argument("--count", type=int, default=100_000, help="questions of each subject (default 100000)")
    parser.add_argument("--seed", type=int, default=1, help="of the questions (default 1)")
    parser.add_argument("--subject", action="append", choices=list(SUBJECTS), help="only this one")
    parser.add_argument("--peer", action="append", choices=list(SUITES), help="only this version of PCP")
    options = parser.parse_args(arguments)
    compared, differences = 0, 0
    for asked in options.peer or SUITES:
        peer = Peer.find(asked)
        if peer is None:
            print(f"compare: PCP {asked} is not there: run qa/peers/peers fetch {asked}", file=sys.stderr)
            continue
        for subject in options.subject or SUBJECTS:
            found = compare(peer, options.answer, VERSIONS[asked], SUBJECTS[subject](options.seed, options.count))
            print(
                f"{peer.version} {subject}: {found.asked} asked, {found.undefined} undefined, "
                f"{len(found.differences)} differences"
            )
            for difference in found.differences[:_MOST_SHOWN]:
                print(difference)
            compared += 1
            differences += len(found.differences)
    if compared == 0:
        return 3
    return 1 if differences else 0
