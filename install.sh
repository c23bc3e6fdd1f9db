#!/bin/sh
# Installs tamis from a release folder, the one that holds this script and the binary `tamis`; or builds it first, in a clone.
# Usage: ./install.sh [DIR]    (default: ~/.local/bin)
set -eu
here=$(cd "$(dirname "$0")" && pwd)
to=${1:-"${HOME:?}/.local/bin"}

fail() { echo "install.sh: $*" >&2; exit 1; }

[ "$(uname -s)" = Linux ] || fail "tamis runs on Linux only, so far"
binary=$here/tamis
if [ ! -x "$binary" ]; then
  [ -f "$here/Cargo.toml" ] || fail "no binary in $here, and no sources either"
  command -v cargo >/dev/null || fail "building needs a Rust compiler: https://rustup.rs"
  (cd "$here" && cargo build --profile dist)
  binary=${CARGO_TARGET_DIR:-$here/target}/dist/tamis
fi
mkdir -p "$to" || fail "cannot make $to"
# Renamed into place, so that a running tamis is not disturbed.
cp "$binary" "$to/.tamis.new" && mv "$to/.tamis.new" "$to/tamis" || fail "cannot write to $to"
"$to/tamis" --version
case ":$PATH:" in
  *":$to:"*) ;;
  *) echo "add $to to your PATH" ;;
esac
