#!/bin/bash
# Runs a libFuzzer program from its seeds: fuzz.sh PROGRAM DICTIONARY|- SEED...   (see fuzz_test in defs.bzl)
# SPDX-License-Identifier: Apache-2.0
set -euo pipefail
program=$1 dictionary=$2
shift 2
outputs=${TEST_UNDECLARED_OUTPUTS_DIR:-$PWD}
mkdir -p "$TEST_TMPDIR/seeds" "$TEST_TMPDIR/found"
number=0
for seed in "$@"; do
  number=$((number + 1))
  cp -L "$seed" "$TEST_TMPDIR/seeds/$number"
done
options=(-max_total_time="${PMPROOF_FUZZ_SECONDS:-5}" -timeout=10 -rss_limit_mb=2048 -print_final_stats=1
  -artifact_prefix="$outputs/")
[ "$dictionary" = - ] || options+=(-dict="$dictionary")
"$program" "${options[@]}" "$TEST_TMPDIR/found" "$TEST_TMPDIR/seeds" && exit
[ -z "$(ls -A "$outputs")" ] || echo "The input is kept in bazel-testlogs/${TEST_BINARY:-}/test.outputs/outputs.zip: add it to the corpus"
exit 1
