#!/bin/bash
# pmproof_conformance_test: SUITE PMPROOF|- IMPLEMENTATION OPTION...
# SPDX-License-Identifier: Apache-2.0
set -euo pipefail
[ "$2" = - ] || export PMPROOF=$2
exec "$1" run --progress never --junit "${XML_OUTPUT_FILE:-/dev/null}" "${@:4}" "$3"
