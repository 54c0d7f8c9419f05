#!/usr/bin/env bash
# From a fresh Debian 12 or Ubuntu to the main job: installs what is missing, builds, runs the demo.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
source app/packages.sh

usage()
{
    cat <<END
Usage: app/run.sh [--install-only | --build-only]

Installs what is missing (apt; sudo only if needed), builds into build/release and runs the demo:
1F1B and ZB-H1 on 4 workers, predicted and really executed. With a display the window opens on the
result; without one the comparison is printed and both timelines are drawn into a picture.

  --install-only   stop after installing
  --build-only     install nothing, stop after building
  -h, --help       this text

Packages: ${build_packages[*]}
END
}

install=yes build=yes demo=yes
case "${1:-}" in
    "") ;;
    --install-only) build=no demo=no ;;
    --build-only) install=no demo=no ;;
    -h | --help) usage; exit ;;
    *) usage >&2; exit 2 ;;
esac

[[ $install == yes ]] && install_missing "${build_packages[@]}"

bin=build/release/bin
if [[ $build == yes ]]; then
    cmake --preset release
    cmake --build --preset release --parallel "$(nproc)" --target bubblescope bubblescope-ui
    echo "Built: $bin/bubblescope, $bin/bubblescope-ui"
fi
[[ $demo == yes ]] || exit 0

document=build/demo/demo.bscope
picture=build/demo/two.png
mkdir -p build/demo
rm -f "$document" "$document"-wal "$document"-shm "$picture"

echo "Demo: predict and execute 1F1B and ZB-H1 on 4 workers"
"$bin/bubblescope" run --schedule 1f1b --schedule zb-h1 --stages 4 --microbatches 8 --backend cpu --steps 5 -o "$document"

if [[ -n ${DISPLAY:-}${WAYLAND_DISPLAY:-} ]]; then
    echo "Opening $document in the window"
    exec "$bin/bubblescope-ui" "$document"
fi

# Runs 1 and 2 are the predictions, 3 and 4 what was measured.
"$bin/bubblescope" compare "$document:3" "$document:4"
QT_QPA_PLATFORM=offscreen "$bin/bubblescope-ui" --render "$picture" "$document:3" "$document:4"
echo
echo "No display here, so the demo ran without the window."
echo "  document: $document"
echo "  picture:  $picture"
