#!/bin/bash
# pmproof_archive_test: PMPROOF OPTION... FILE...
set -euo pipefail
exec "$1" check --progress never --output text:- --output "junit:${XML_OUTPUT_FILE:-/dev/null}" --force "${@:2}"
