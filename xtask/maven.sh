#!/usr/bin/env bash
# Puts Debian's Maven where it needs no root.
#
#   maven.sh DIR
#
# gives DIR/usr/share/maven/bin/mvn; `cargo xtask test` calls it where no `mvn`
# is on the PATH. Java itself is not part of it. Where packages come from is
# written in debian.sh.
set -euo pipefail
# shellcheck source=debian.sh
. "$(dirname "${BASH_SOURCE[0]}")/debian.sh"

enter "${1:?usage: maven.sh DIR}"
if [ -x "$dir/usr/share/maven/bin/mvn" ]; then
  exit 0
fi
scratch
read_lists
suite=$(suite_of maven) || die "no package maven in: $suites"
# The packages that apt would install on an empty machine, without the JRE and its libraries.
apt-get "${apt_opts[@]}" --simulate --no-install-recommends --target-release "$suite" install maven >"$work/apt.log" 2>&1 ||
  die "apt-get cannot resolve maven: $(last_error)"
packages=$(awk '$1 == "Inst" && $2 ~ /^(maven|lib.*-java)$/ { print $2 }' "$work/apt.log")
say "maven:"
for package in $packages; do unpack "$package" "$suite" "$work/root"; done
settle_links "$work/root/usr/share/maven" "$work/root"
[ -x "$work/root/usr/share/maven/bin/mvn" ] || die "the packages of $suite hold no usr/share/maven/bin/mvn"
mv -T "$work/root/usr" "$dir/usr"
