#!/usr/bin/env bash
# Runs the worked examples with the release build (`make demo`).
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
echo 'demo: there are no worked examples yet' >&2
exit 1
