#!/usr/bin/env bash
# Makes the environment (only when the lock changed), then starts Kernelwright. See README.md for the commands.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
venv=${KERNELWRIGHT_VENV:-"$here/.venv"}
if [ -L "$venv" ]; then venv=$(readlink -f "$venv"); fi  # checkouts that share one environment share its lock
export KERNELWRIGHT_ROOT=$here PYTHONPATH="$here${PYTHONPATH:+:$PYTHONPATH}"
unset PYTHONDONTWRITEBYTECODE  # without bytecode every start compiles a thousand files again

die() { printf 'kernelwright: %s\n' "$*" >&2; exit 3; }

find_python() {
    local name
    for name in python3.11 python3.12 python3.13 python3; do
        if command -v "$name" >/dev/null 2>&1 &&
            "$name" -c 'import sys, venv; sys.exit(sys.version_info < (3, 11))' >/dev/null 2>&1; then
            command -v "$name"
            return
        fi
    done
    die "needs Python 3.11 or newer with the venv module; found $(python3 --version 2>&1 || echo none). On Debian: apt-get install python3 python3-venv"
}

# make_environment LOCK STAMP: the stamp is written last, so that a half-made environment is made again.
make_environment() {
    local lock=$1 stamp="$venv/$2" want
    want=$(cksum <"$lock")
    if [ -f "$stamp" ] && [ "$(<"$stamp")" = "$want" ]; then return; fi
    exec 9>"$venv.lock"
    if command -v flock >/dev/null 2>&1; then flock 9; fi
    if [ -f "$stamp" ] && [ "$(<"$stamp")" = "$want" ]; then exec 9>&-; return; fi
    local python
    python=$(find_python) || exit 3
    printf 'kernelwright: making the environment in %s (once per lock, about a minute)\n' "$venv" >&2
    if [ ! -f "$venv/stamp-runtime" ]; then rm -rf "$venv"; "$python" -m venv "$venv" || die "could not make $venv"; fi
    rm -f "$stamp"
    "$venv/bin/python" -m pip install --quiet --quiet --disable-pip-version-check --requirement "$lock" >&2 ||
        die "could not install what $(basename "$lock") lists; is a package index reachable?"
    printf '%s\n' "$want" >"$stamp"
    exec 9>&-
}

make_environment "$here/requirements.lock.txt" stamp-runtime
if [ "${1:-}" = test ]; then
    shift
    make_environment "$here/requirements-dev.lock.txt" stamp-dev
    exec "$venv/bin/python" "$here/tests/run_tests.py" "$@"
fi
exec "$venv/bin/python" -m app "$@"
