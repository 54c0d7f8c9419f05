#!/usr/bin/env bash
# Installs what is missing, builds, runs every test; the last line is `N passed, N failed, N skipped`.
set -uo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
source app/packages.sh

usage()
{
    cat <<END
Usage: tests/run.sh [--fast | --tidy]

Installs what is missing (apt; sudo only if needed), then:
  release   builds everything, runs all tests; the build may not warn
  clang     compiles core with clang 14 as well, warnings are errors
  format    clang-format finds nothing to change
  asan      the fast tests without Qt, with address and undefined-behaviour sanitizers
  fuzz      each fuzzer of tests/fuzz for 20 seconds
  tsan      the tests of threads (Catch tags [execute] and [threads]) with the thread sanitizer
A build or a tool's verdict counts as one test.

  --fast       the fast tests of release only
  --tidy       clang-tidy over core, kernels, viz and app besides (some minutes more)
  -h, --help   this text

Packages: ${build_packages[*]} ${test_packages[*]} (--tidy: ${tidy_packages[*]})
END
}

fast=no tidy=no
case "${1:-}" in
    "") ;;
    --fast) fast=yes ;;
    --tidy) tidy=yes ;;
    -h | --help) usage; exit ;;
    *) usage >&2; exit 2 ;;
esac

packages=("${build_packages[@]}" "${test_packages[@]}")
[[ $tidy == yes ]] && packages+=("${tidy_packages[@]}")
install_missing "${packages[@]}"

jobs=$(nproc)
logs=build/test-logs
mkdir -p "$logs"
passed=0 failed=0 skipped=0

# title, log, command…: one verdict of one tool. Shows the end of the log when it fails.
check()
{
    local title=$1 log=$logs/$2 begin=$SECONDS
    shift 2
    if "$@" >"$log" 2>&1; then
        passed=$((passed + 1))
        echo "passed  $title ($((SECONDS - begin)) s)"
    else
        failed=$((failed + 1))
        echo "FAILED  $title ($((SECONDS - begin)) s), see $log:"
        tail -n 40 "$log" | sed 's/^/        /'
        return 1
    fi
}

# title, log, build folder, ctest arguments…: many tests, counted one by one.
tests()
{
    local title=$1 log=$logs/$2.log report=$PWD/$logs/$2.xml build=$3 begin=$SECONDS name
    shift 3
    rm -f "$report"
    ctest --test-dir "$build" --output-on-failure --no-tests=ignore --output-junit "$report" "$@" >"$log" 2>&1
    local counts=()
    for name in tests failures skipped; do
        counts+=("$(sed -n "/<testsuite /,/>/s/.*[[:space:]]$name=\"\([0-9]*\)\".*/\1/p" "$report" 2>/dev/null | head -n 1)")
    done
    if [[ ${counts[0]:-0} -eq 0 ]]; then
        failed=$((failed + 1))
        echo "FAILED  $title: no test ran, see $log"
        return
    fi
    passed=$((passed + counts[0] - counts[1] - counts[2]))
    failed=$((failed + counts[1]))
    skipped=$((skipped + counts[2]))
    echo "ran     $title: ${counts[0]} tests, ${counts[1]} failed, ${counts[2]} skipped ($((SECONDS - begin)) s)"
    if [[ ${counts[1]} -gt 0 ]]; then
        sed -n '/tests passed,/,$p' "$log" | sed 's/^/        /'
        echo "        all output: $log"
    fi
    return 0
}

# preset: configures and builds it, all warnings in view. GCC 12's thread sanitizer can't start where the kernel spreads
# addresses further than it knows, hence setarch.
build()
{
    local plain=()
    [[ $1 == tsan ]] && setarch "$(uname -m)" -R true 2>/dev/null && plain=(setarch "$(uname -m)" -R)
    cmake --preset "$1" && "${plain[@]}" cmake --build --preset "$1" --parallel "$jobs" "${@:2}"
}

no_warnings()
{
    ! grep -E ': warning: ' "$logs/release-build.log"
}

formatted()
{
    local files
    files=$(find app core kernels collector viz tests \( -name '*.h' -o -name '*.cpp' -o -name '*.cu' \) -print0 |
        xargs -0 -r clang-format-14 --dry-run 2>&1 | sed -n 's/:[0-9]*:[0-9]*: warning: .*//p' | sort -u)
    [[ -z $files ]] && return
    echo "cmake --build build/release --target format would change:"
    echo "$files"
    return 1
}

tidied()
{
    cmake --preset dev -DCMAKE_CXX_COMPILER_LAUNCHER= &&
        cmake --build --preset dev --parallel "$jobs" --target bubblescope_core bubblescope_cli bubblescope_viz &&
        find app core kernels viz -name '*.cpp' -print0 | xargs -0 -r -n 1 -P "$jobs" clang-tidy-14 --quiet -p build/dev
}

# Findings stay as files beside the logs.
fuzzed()
{
    local program
    for program in build/fuzz/bin/fuzz_*; do
        "$program" -max_total_time=20 -timeout=10 -artifact_prefix="$logs/" || return 1
    done
}

if check "release builds" release-build.log build release; then
    check "release builds without a warning" warnings.log no_warnings
    if [[ $fast == yes ]]; then
        tests "fast tests" release build/release -L fast --parallel "$jobs"
    else
        tests "fast and window tests" release build/release -LE slow --parallel "$jobs"
        # One at a time: what measures time is among the slow ones.
        tests "slow tests" slow build/release -L slow
    fi
fi

if [[ $fast == no ]]; then
    check "core compiles with clang 14" clang.log build clang --target bubblescope_core
    check "the sources are formatted" format.log formatted
    [[ $tidy == yes ]] && check "clang-tidy finds nothing" tidy.log tidied
    check "the address-sanitizer build builds" asan-build.log build asan &&
        tests "fast tests under the address sanitizer" asan build/asan -L fast --parallel "$jobs"
    check "the fuzzers build" fuzz-build.log build fuzz && check "the fuzzers find nothing" fuzz.log fuzzed
    check "the thread-sanitizer build builds" tsan-build.log build tsan --target bubblescope_tests &&
        tests "tests of threads under the thread sanitizer" tsan build/tsan -L fast --parallel "$jobs"
fi

echo "$passed passed, $failed failed, $skipped skipped"
[[ $failed -eq 0 ]]
