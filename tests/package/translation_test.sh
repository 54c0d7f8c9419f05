#!/usr/bin/env bash
# Every text of the window has a German translation: translation_test.sh SOURCE_FOLDER. 77: skipped.
set -euo pipefail
cd "$1"
lupdate=/usr/lib/qt6/bin/lupdate # the one in the path may be Qt 5's
[[ -x $lupdate ]] || lupdate=$(command -v lupdate-qt6 || true)
[[ -x $lupdate ]] || { echo "SKIPPED: Qt 6's lupdate isn't installed (qt6-l10n-tools)"; exit 77; }
out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT
copy=$out/bubblescope_de.ts
cp resources/translations/bubblescope_de.ts "$copy"
"$lupdate" -silent -no-obsolete -locations none viz app/ui resources/translations -I . -ts "$copy" 2>"$out/log"
# Functions outside a class are looked up under bubblescope::viz; under another name they would stay English.
if grep -v -e "Class 'bubblescope::viz' lacks Q_OBJECT" -e "Ignoring definition of undeclared" "$out/log"; then
    echo "lupdate files texts under a name that the window doesn't look under: use tr() of a class with Q_OBJECT or"
    echo "Q_DECLARE_TR_FUNCTIONS, or of a function whose return type isn't in another namespace."
    exit 1
fi
lacking=$(grep -c 'type="unfinished"' "$copy" || true)
if ((lacking > 0)); then
    echo "$lacking texts lack a translation; see resources/README.md:"
    awk '/<message/ { text = "" } { text = text $0 } /type="unfinished"/ { sub(/.*<source>/, "    ", text)
        sub(/<\/source>.*/, "", text); print text }' "$copy"
    exit 1
fi
echo "passed: all $(grep -c '<source>' "$copy") texts have a translation"
