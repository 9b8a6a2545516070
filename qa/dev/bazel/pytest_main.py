# SPDX-License-Identifier: Apache-2.0
"""Runs pytest as Bazel expects of a test: sharding, --test_filter, JUnit XML, no files left beside the sources."""

import os
import sys
from pathlib import Path

import pytest


class Shard:
    """Keeps every n-th item, as Bazel's sharding protocol asks."""

    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        total = int(os.environ.get("TEST_TOTAL_SHARDS", "1"))
        items[:] = items[int(os.environ.get("TEST_SHARD_INDEX", "0")) :: total]
        if status_file := os.environ.get("TEST_SHARD_STATUS_FILE"):
            Path(status_file).touch()


def main() -> int:
    options = ["-p", "no:cacheprovider", "--import-mode=importlib", "--rootdir=.", "-c", os.devnull, "-ra"]
    if xml := os.environ.get("XML_OUTPUT_FILE"):
        options.append(f"--junitxml={xml}")
    if test_filter := os.environ.get("TESTBRIDGE_TEST_ONLY"):
        options += ["-k", test_filter]
    status = pytest.main(options + sys.argv[1:], plugins=[Shard()])
    sharded_or_filtered = "TEST_TOTAL_SHARDS" in os.environ or "TESTBRIDGE_TEST_ONLY" in os.environ
    if status == pytest.ExitCode.NO_TESTS_COLLECTED and sharded_or_filtered:
        return 0
    return int(status)


if __name__ == "__main__":
    sys.exit(main())
