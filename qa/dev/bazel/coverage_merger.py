# SPDX-License-Identifier: Apache-2.0
"""Merges the coverage data of one test, or of all, into an LCOV report: what `bazel coverage` asks of its merger.

Reads gcov's JSON (*.gcov.json.gz) and LCOV (*.dat), keeps the files of the manifest, adds up the hits of each line.
"""

import argparse
import collections
import gzip
import json
from pathlib import Path

Hits = dict[str, dict[int, int]]


def add_gcov(path: Path, hits: Hits) -> None:
    with gzip.open(path) as stream:
        for file in json.load(stream)["files"]:
            for line in file["lines"]:
                hits[file["file"]][line["line_number"]] += line["count"]


def add_lcov(path: Path, hits: Hits) -> None:
    source = ""
    for line in path.read_text().splitlines():
        key, _, value = line.partition(":")
        if key == "SF":
            source = value
        elif key == "DA":
            number, count = value.split(",")[:2]
            hits[source][int(number)] += int(count)


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--output_file", type=Path, required=True)
    parser.add_argument("--coverage_dir", type=Path)
    parser.add_argument("--reports_file", type=Path)
    parser.add_argument("--source_file_manifest", type=Path)
    args, _ = parser.parse_known_args()

    hits: Hits = collections.defaultdict(lambda: collections.defaultdict(int))
    inputs = [Path(line) for line in args.reports_file.read_text().splitlines()] if args.reports_file else []
    if args.coverage_dir:
        inputs += args.coverage_dir.rglob("*.gcov.json.gz")
        inputs += args.coverage_dir.rglob("*.dat")
    for path in inputs:
        if path.resolve() == args.output_file.resolve() or not path.exists():
            continue
        (add_gcov if path.name.endswith(".gz") else add_lcov)(path, hits)

    wanted = set(args.source_file_manifest.read_text().splitlines()) if args.source_file_manifest else None
    with args.output_file.open("w") as report:
        for source in sorted(hits):
            if wanted is None or source in wanted:
                report.write(f"SF:{source}\n")
                report.writelines(f"DA:{number},{count}\n" for number, count in sorted(hits[source].items()))
                covered = sum(1 for count in hits[source].values() if count)
                report.write(f"LH:{covered}\nLF:{len(hits[source])}\nend_of_record\n")


if __name__ == "__main__":
    main()
