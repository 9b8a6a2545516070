#!/bin/bash
# pmproof_archive_test: PMPROOF OPTION... FILE...
# SPDX-License-Identifier: Apache-2.0
set -euo pipefail
exec "$1" check --progress never --output text:- --output "junit:${XML_OUTPUT_FILE:-/dev/null}" --force "${@:2}"
