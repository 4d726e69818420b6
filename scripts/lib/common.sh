# Sourced by every script: paths, messages and how to find tools.
# Other scripts use the variables.
# shellcheck shell=bash disable=SC2034
set -euo pipefail

ROOT=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
CACHE=${XDG_CACHE_HOME:-$HOME/.cache}/gym2600
TOOLS=$CACHE/tools
VENV=$CACHE/venv
HEAVY_VENV=$CACHE/heavy-venv
DOCS_VENV=$CACHE/docs-venv
mkdir -p "$CACHE"
cd "$ROOT"

# The tests read these variables. Set them to use other ROMs.
export GYM2600_ROMS=${GYM2600_ROMS:-$CACHE/roms}
export PATH=$TOOLS/bin:$PATH
# The Python module needs no interpreter to be built. Without this pyo3 is built again whenever PATH changes, as by npm.
export PYO3_NO_PYTHON=1

# --help prints the head of a script, which describes it, unless the program that it runs has a --help of its own.
if [ "${1:-}" = --help ] && [ -z "${OWN_HELP:-}" ]; then
  sed -n '2,/^[^#]/ { /^# shellcheck/d; s/^# \{0,1\}//p; }' "$ROOT/scripts/$(basename "$0")"
  exit
fi

say() { printf '%s: %s\n' "$(basename "$0")" "$*"; }
fail() { printf '%s: %s\n' "$(basename "$0")" "$*" >&2; exit 1; }
have() { command -v "$1" >/dev/null 2>&1; }

# Seconds after which a test counts as hung: far above what any takes on an idle machine. The variable stretches it on slow or busy ones.
HANG_SECONDS=$(awk "BEGIN { print int(300 * ${GYM2600_TEST_TIMEOUT_SCALE:-1}) }")
# Some tests of the long form take minutes, so pytest ends one after an hour.
HANG_SECONDS_OF_PYTEST=$((12 * HANG_SECONDS))

# scripts/test --long sets it: the tests take their long forms, and test the builds that ship.
LONG=${GYM2600_LONG:-}
TARGET=${CARGO_TARGET_DIR:-$ROOT/target}

# Builds the program, that of the bench, the module for Python and the examples `steps` and `scores`, and exports where they are. The short
# form shares the tests' own profile, in which only crates/py is compiled for it. All are built at once: alone each has other features, and needs
# its dependencies again.
use_programs() {
  cargo build --quiet --workspace --lib --bin gym2600 --bin gym2600-bench --example steps --example scores
  export GYM2600_STEPS=$TARGET/debug/examples/steps GYM2600_SCORES=$TARGET/debug/examples/scores
  export GYM2600_BENCH=$TARGET/debug/gym2600-bench GYM2600_BIN=$TARGET/debug/gym2600
  if [ -n "$LONG" ]; then
    cargo build --quiet --release --package gym2600-cli
    GYM2600_BIN=$TARGET/release/gym2600
  fi
}

# Puts the Python package into target/python: in the long form as the wheel installs it, in the short form with the module of use_programs.
use_python() {
  if [ -n "$LONG" ]; then
    scripts/build python
    return
  fi
  use_programs
  node scripts/lib/wheel-licences.mjs
  rm -rf target/python
  mkdir -p target/python
  cp -R python/gym2600 target/python/
  cp "$TARGET/debug/lib_gym2600.so" target/python/gym2600/_gym2600.abi3.so
  # What the wheel would say of itself, so that an error of python/pyproject.toml is found here too.
  (cd python && "$VENV/bin/maturin" pep517 write-dist-info --metadata-directory "$ROOT/target/python" --interpreter "$VENV/bin/python" >/dev/null)
}

# Runs scripts/build, unless scripts/test has built these parts already.
use_builds() { [ -n "${GYM2600_BUILT:-}" ] || scripts/build "$@"; }

# The version that Cargo.toml pins exactly for a workspace dependency.
pinned_crate() {
  sed -nE "s/^$1 = .*\"=([0-9][^\"]*)\".*/\1/p" "$ROOT/Cargo.toml" | head -1
}

# Prints the path of the first Chromium-like browser, or nothing.
find_chrome() {
  local name
  if [ -n "${CHROME:-}" ]; then command -v "$CHROME" || true; return; fi
  for name in chromium google-chrome google-chrome-stable chromium-browser; do
    if have "$name"; then command -v "$name"; return; fi
  done
}

find_chromedriver() {
  if [ -n "${CHROMEDRIVER:-}" ]; then command -v "$CHROMEDRIVER" || true; return; fi
  command -v chromedriver || true
}

# Exports CHROME and CHROMEDRIVER.
use_browser() {
  CHROME=$(find_chrome)
  CHROMEDRIVER=$(find_chromedriver)
  [ -n "$CHROME" ] && [ -n "$CHROMEDRIVER" ] || fail "no Chromium with its driver: run scripts/setup browser"
  export CHROME CHROMEDRIVER
}

# Print the paths of the first Firefox and of its driver, or nothing.
find_firefox() {
  local name
  if [ -n "${FIREFOX:-}" ]; then command -v "$FIREFOX" || true; return; fi
  for name in firefox-esr firefox; do
    if have "$name"; then command -v "$name"; return; fi
  done
}

find_geckodriver() {
  command -v "${GECKODRIVER:-geckodriver}" || true
}

# Exports FIREFOX and GECKODRIVER.
use_firefox() {
  FIREFOX=$(find_firefox)
  GECKODRIVER=$(find_geckodriver)
  [ -n "$FIREFOX" ] && [ -n "$GECKODRIVER" ] || fail "no Firefox with its driver: run scripts/setup firefox"
  export FIREFOX GECKODRIVER
}

# Print the paths of WebKit's driver and of its browser, or nothing.
find_webkit_driver() {
  command -v "${WEBKIT_DRIVER:-WebKitWebDriver}" || true
}
find_webkit() {
  local browser
  if [ -n "${WEBKIT_BROWSER:-}" ]; then command -v "$WEBKIT_BROWSER" || true; return; fi
  for browser in /usr/lib/*/webkit2gtk-4.1/MiniBrowser /usr/libexec/webkit2gtk-4.1/MiniBrowser; do
    if [ -x "$browser" ]; then echo "$browser" && return; fi
  done
}

# Exports WEBKIT_BROWSER and WEBKIT_DRIVER.
use_webkit() {
  WEBKIT_BROWSER=$(find_webkit)
  WEBKIT_DRIVER=$(find_webkit_driver)
  [ -n "$WEBKIT_BROWSER" ] && [ -n "$WEBKIT_DRIVER" ] && have xvfb-run || fail "no WebKit with its driver: run scripts/setup webkit"
  export WEBKIT_BROWSER WEBKIT_DRIVER
}

# Runs a command as root, through sudo if necessary.
as_root() {
  if [ "$(id -u)" = 0 ]; then "$@"; elif have sudo; then sudo "$@"; else return 1; fi
}
can_be_root() { [ "$(id -u)" = 0 ] || have sudo; }

# Whether the archive of Debian or Ubuntu has a package. Fetches the package lists if they are missing.
apt_offers() {
  have apt-get && can_be_root || return 1
  if ! ls /var/lib/apt/lists/*Packages* >/dev/null 2>&1; then
    say "fetching the package lists (apt-get update)"
    as_root apt-get -o DPkg::Lock::Timeout=600 update -qq || return 1
  fi
  grep -q 'Candidate: [^(]' <<<"$(apt-cache policy "$1" 2>/dev/null)"
}

apt_install() {
  say "installing with apt-get: $*"
  as_root env DEBIAN_FRONTEND=noninteractive apt-get -o DPkg::Lock::Timeout=600 install -y -qq --no-install-recommends "$@" >"$CACHE/apt.log" 2>&1 && return
  say "that failed; trying again with fresh package lists"
  as_root apt-get -o DPkg::Lock::Timeout=600 update -qq &&
    as_root env DEBIAN_FRONTEND=noninteractive apt-get -o DPkg::Lock::Timeout=600 install -y -qq --no-install-recommends "$@" >"$CACHE/apt.log" 2>&1 ||
    { tail -20 "$CACHE/apt.log" >&2; return 1; }
}
