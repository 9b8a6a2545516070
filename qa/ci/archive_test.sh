#!/bin/bash
# pmproof_archive_test: PMPROOF OPTION... FILE...
set -euo pipefail
exec "$1" check --progress never --format text --format junit --output - --output "${XML_OUTPUT_FILE:-/dev/null}" --force "${@:2}"
