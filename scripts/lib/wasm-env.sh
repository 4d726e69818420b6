# Sourced after common.sh: finds a Rust toolchain with the standard library for wasm32-unknown-unknown.
# shellcheck shell=bash
WASM_TARGET=wasm32-unknown-unknown

# Whether the toolchain of a rustc has that library: RUSTC.
has_wasm_std() {
  local libraries
  libraries=$("$1" --print target-libdir --target "$WASM_TARGET" 2>/dev/null) || return 1
  ls "$libraries"/libstd-*.rlib >/dev/null 2>&1
}

# Puts a suitable cargo and rustc first on the PATH: the present ones, else those of the distribution.
use_wasm_toolchain() {
  if have rustc && has_wasm_std rustc; then return 0; fi
  if [ -x /usr/bin/rustc ] && [ -x /usr/bin/cargo ] && has_wasm_std /usr/bin/rustc; then
    local shims=$CACHE/distribution-rust linker
    # The distribution's rustc contains no linker for wasm.
    linker=$(compgen -c wasm-ld | sort -V | tail -1)
    [ -n "$linker" ] || return 1
    mkdir -p "$shims"
    ln -sf /usr/bin/cargo /usr/bin/rustc /usr/bin/rustdoc "$shims/"
    export CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_LINKER=$linker
    export PATH=$shims:$PATH
    unset RUSTUP_TOOLCHAIN
    return 0
  fi
  return 1
}

# The compiler flags of every build of crates/wasm. Messages of panics have the paths of sources: these name no folder of this machine, so
# that every machine builds the same bytes.
WASM_CODEGEN_FLAGS="-C target-feature=+simd128 -C link-arg=--growable-table"
WASM_FLAGS="$WASM_CODEGEN_FLAGS --remap-path-prefix=${CARGO_HOME:-$HOME/.cargo}=/cargo --remap-path-prefix=$ROOT=/gym2600"
WASM_FLAGS+=" --remap-path-prefix=${RUSTUP_HOME:-$HOME/.rustup}=/rustup"
export CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_RUSTFLAGS=$WASM_FLAGS
