#!/bin/sh
# Makes the font files of this folder of Inter 4.1 (https://github.com/rsms/inter): what our words and most names are written with, and the other
# letters of Latin scripts with rarer signs of currencies, which a browser loads where they are shown. The ranges are those of inter.css.
# Needs `pip install fonttools brotli`: sh subset.sh InterVariable.woff2
set -e
cd "$(dirname "$0")"
whole=$(mktemp)
fonttools varLib.instancer "$1" opsz=14 wght=400:700 -q -o "$whole"
subset() {
  pyftsubset "$whole" --output-file="$1" --unicodes="$2" --layout-features=kern,mark,ccmp,locl,tnum,cv11 --no-hinting --flavor=woff2
}
subset inter.woff2 U+20-7E,U+A0-FF,U+2010-2015,U+2018-201E,U+2022,U+2026,U+202F,U+2039-203A,U+20AC,U+2122,U+2190-2193,U+2212,U+2260,U+2264-2265,U+2318
subset inter-more.woff2 U+100-17F,U+218-21B,U+1E00-1EFF,U+20A0-20AB,U+20AD-20BF
rm "$whole"
