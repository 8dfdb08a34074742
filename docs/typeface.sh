#!/bin/sh
# Makes the typeface of the pages, cardroom/web/static/web/fonts/*.woff2, from two open typefaces of npm. Needs npm, and
# fonttools with brotli: python3 -m venv /tmp/fonts && /tmp/fonts/bin/pip install fonttools brotli, then
# PATH=/tmp/fonts/bin:$PATH sh docs/typeface.sh
#
# text.woff2   Source Sans 3 in weights 400 to 700: Latin with Vietnamese, figures of one width, arrows and suits.
# signs.woff2  DejaVu Sans: shapes and signs (SIGNS; tests/web/site/test_typeface.py names any other).
#
# What neither has, such as Han, comes from the device. Neither file carries its old name: Source is a reserved one.
set -eu
TEXT=source-sans@3.52.0
DEJAVU=dejavu-fonts-ttf@2.37.3
LATIN=U+0020-007E,U+00A0-024F,U+0300-036F,U+1E80-1E85,U+1EA0-1EF9,U+2000-206F,U+20A0-20BF,U+2116,U+2122
SUITS=U+2190-2193,U+2212,U+2248,U+2260,U+2264,U+2265,U+2660,U+2663,U+2665,U+2666,U+2713
SIGNS=U+21A9,U+21B6,U+2298,U+232B,U+25A0-25FF,U+270E,U+2715

fonts=$(cd "$(dirname "$0")/.." && pwd)/cardroom/web/static/web/fonts
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
for package in "$TEXT" "$DEJAVU"; do
  mkdir "$package"
  tar -xzf "$(npm pack --silent "$package")" -C "$package" --strip-components=1
done
fonttools varLib.instancer -o text.ttf "$TEXT/VF/SourceSans3VF-Upright.ttf" wght=400:700
pyftsubset text.ttf --output-file="$fonts/text.woff2" --flavor=woff2 --unicodes="$LATIN,$SUITS" \
  --layout-features=kern,mark,mkmk,ccmp,locl --name-IDs=0,13,14
pyftsubset "$DEJAVU/ttf/DejaVuSans.ttf" --output-file="$fonts/signs.woff2" --flavor=woff2 --unicodes="$SIGNS" \
  --layout-features= --name-IDs=0,13,14
cp "$TEXT/LICENSE.md" "$fonts/text-licence.md"
cp "$DEJAVU/LICENSE" "$fonts/signs-licence.txt"
