#!/usr/bin/env bash
# Makes the Debian packages of a build folder and looks into them: package_test.sh BUILD_FOLDER. 77: skipped.
set -euo pipefail
build=$1
for tool in cpack dpkg-deb dpkg-shlibdeps; do
    command -v "$tool" >/dev/null || { echo "SKIPPED: no $tool here"; exit 77; }
done
[[ -x $build/bin/bubblescope && -x $build/bin/bubblescope-ui ]] || { echo "SKIPPED: the programs aren't built"; exit 77; }
out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT
cpack -G DEB --config "$build/CPackConfig.cmake" -B "$out" >"$out/log" 2>&1 || { cat "$out/log"; exit 1; }

fail() { echo "$1"; exit 1; }
ui=$(ls "$out"/bubblescope-ui_*.deb)
cli=$(ls "$out"/bubblescope_*.deb)
list=$(dpkg-deb -c "$ui")
for file in usr/bin/bubblescope-ui usr/share/applications/bubblescope.desktop usr/share/mime/packages/bubblescope.xml \
    usr/share/metainfo/org.bubblescope.Bubblescope.metainfo.xml usr/share/icons/hicolor/scalable/apps/bubblescope.svg \
    usr/share/icons/hicolor/scalable/mimetypes/application-x-bubblescope.svg usr/share/doc/bubblescope-ui/copyright; do
    [[ $list == *"./$file"* ]] || fail "$ui lacks $file"
done
[[ $(dpkg-deb -c "$cli") == *./usr/bin/bubblescope* ]] || fail "$cli lacks the command line"
needs=$(dpkg-deb -f "$ui" Depends)
for package in bubblescope libqt6widgets6 libqt6svg6 libqcustomplot2.1-qt6 libsqlite3-0 libc6; do
    [[ $needs == *"$package"* ]] || fail "$ui doesn't depend on $package: $needs"
done
needs=$(dpkg-deb -f "$cli" Depends)
[[ $needs == *libopenblas0-pthread* && $needs != *libqt6* ]] || fail "$cli depends on: $needs"
for package in "$cli" "$ui"; do
    # A line that begins with two blanks isn't wrapped.
    [[ $(dpkg-deb -f "$package" Description) != *$'\n  '* ]] || fail "the description of $package has verbatim lines"
done
# Without them nothing opens a document by its type, and the icon isn't found.
for package in desktop-file-utils hicolor-icon-theme shared-mime-info; do
    [[ $(dpkg-deb -f "$ui" Recommends) == *"$package"* ]] || fail "$ui doesn't recommend $package"
done

data=$out/root
for package in "$cli" "$ui"; do dpkg-deb -x "$package" "$data"; done
[[ $("$data/usr/bin/bubblescope-ui" --version) == *ubblescope* ]] || fail "the window doesn't say its version"
if command -v desktop-file-validate >/dev/null; then
    desktop-file-validate "$data/usr/share/applications/bubblescope.desktop"
fi
if command -v appstreamcli >/dev/null; then
    appstreamcli validate --no-net "$data"/usr/share/metainfo/*.xml >"$out/log" 2>&1 || { cat "$out/log"; exit 1; }
fi
# A document is known by its content, whatever it is called.
if command -v update-mime-database >/dev/null && command -v gio >/dev/null; then
    export XDG_DATA_HOME=$data/home
    mkdir -p "$XDG_DATA_HOME/mime/packages"
    cp "$data/usr/share/mime/packages/bubblescope.xml" "$XDG_DATA_HOME/mime/packages/"
    update-mime-database "$XDG_DATA_HOME/mime" 2>/dev/null
    "$data/usr/bin/bubblescope" simulate --schedule 1f1b --stages 2 --microbatches 2 -o "$out/a.bscope" >/dev/null
    mv "$out/a.bscope" "$out/nameless"
    [[ $(gio info -a standard::content-type "$out/nameless") == *application/x-bubblescope* ]] ||
        fail "a document isn't recognised by its content"
fi
echo "passed: $(basename "$cli"), $(basename "$ui")"
