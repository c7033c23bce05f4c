#!/usr/bin/env bash
# A newcomer's first visit: a real window under a window manager, driven from outside by keys alone. Waits for nothing but what the
# program tells of its state, and asserts that; a picture of the whole screen at every stop lies in FOLDER.
#   first_visit.sh PET_WORKBENCH PET FOLDER
set -euo pipefail
workbench=$1 pet=$2 folder=$3
for tool in Xvfb openbox xdotool import; do
  command -v "$tool" >/dev/null || { echo "first_visit: no $tool"; exit 77; }
done
rm -rf "$folder"
mkdir -p "$folder"
cd "$folder"
export XDG_CONFIG_HOME=$folder/config XDG_STATE_HOME=$folder/state XDG_RUNTIME_DIR=$folder/run LC_ALL=C.UTF-8 QT_QPA_PLATFORM=xcb
mkdir -m 700 "$XDG_RUNTIME_DIR"
unset WAYLAND_DISPLAY

started=()
leave() { for pid in "${started[@]}"; do kill "$pid" 2>/dev/null || true; done; }
trap leave EXIT

exec 3>display.number
Xvfb -displayfd 3 -screen 0 1280x800x24 -nolisten tcp >xvfb.log 2>&1 &
started+=($!)
for _ in $(seq 200); do [[ -s display.number ]] && break; sleep 0.05; done
DISPLAY=:$(<display.number)
export DISPLAY
openbox >openbox.log 2>&1 &
started+=($!)
# A window that comes before its manager is never given the focus.
for _ in $(seq 200); do xdotool get_num_desktops >/dev/null 2>&1 && break; sleep 0.05; done

fail() {
  printf 'FAILED at "%s": %s\nlast state: %s\n' "$stop" "$1" "${state-none}"
  cat workbench.err
  import -window root failed.png || true
  exit 1
}

stop=start
mkfifo states
"$workbench" --tell >states 2>workbench.err &
program=$!
started+=("$program")
exec 4<states

# await PATTERN: the next state that matches
await() {
  local deadline=$((SECONDS + 60))
  while ((SECONDS < deadline)); do
    if read -r -t 1 line <&4; then
      state=$line
      printf '%s\n' "$state" >>states.log
      [[ $state =~ $1 ]] && return
    elif ! kill -0 "$program" 2>/dev/null; then
      fail "the program is gone"
    fi
  done
  fail "nothing like $1"
}

number=0
picture() { number=$((number + 1)); import -window root "$(printf '%02d_%s.png' "$number" "$stop")"; }
keys() { xdotool key --delay 30 "$@"; }
# command WORDS: by the palette
command_of() {
  keys ctrl+shift+p
  await '"focus":"Command"'
  xdotool type --delay 15 "$1"
  keys Return
}

await '"page":"Start","idle":true.*"focus":"Two images joined along the width"'
picture

stop=joined_images
keys Return
await '"page":"Regions","idle":true,"headline":"2 boxes, 1.79 % of the output: column 55 of even images, column 0 of odd images"'
((SECONDS <= 10)) || fail "the first picture came after $SECONDS s"
picture
stop=why
keys n
await '"selected":"n_out  0..7.*only in the mutant'
picture
keys t
await '"scale":"true"'
picture

keys t

stop=boxes
keys ctrl+6
await '"page":"Boxes","idle":true,"headline":"..*"'
picture

stop=correction
keys ctrl+7
await '"page":"Correction","idle":true,"headline":"[12] of 2 ways to correct it are open"'
picture
keys ctrl+shift+l
await '"page":"Regions","idle":true,"headline":"equal everywhere; 1.79 % of the output, wrong before, is repaired"'
picture

stop=verdicts
keys ctrl+8
await '"page":"Verdicts"'
keys ctrl+shift+k
await '"page":"Verdicts","idle":true.*"counts":"checked 2 of 2 · agree 2 · disagree 0'
picture

stop=dark
command_of dark
await '"theme":"dark"'
picture
command_of light
await '"theme":"light"'

stop=search
keys ctrl+Home
await '"focus":"Two images joined along the width"'
keys Tab Tab
await '"focus":"A pair of convolutions, to be searched"'
keys Return
await '"page":"Search","idle":true,"headline":"Paused at the beginning'
keys F10
await '"page":"Search","idle":true.*"nodes":[1-9]'
keys F12
await '"page":"Search","idle":true.*"selected":"S0 M.*wrong at some sampled positions'
picture
keys shift+F9 shift+F9
await '"cursor":109,"events":111'
keys F5
await '"headline":"The search is over; times are estimates"'
picture

stop=mutant
keys ctrl+Return
await '"page":"Regions","idle":true,"headline":"2 boxes, 8.33 % of the output'
picture

stop=profile
keys ctrl+9
await '"page":"Profile","idle":true,"headline":"..*"'
picture
keys ctrl+shift+m
await '"page":"Profile","idle":true.*"operators":"measured"'
picture

stop=export
keys ctrl+7
await '"page":"Correction","idle":true,"headline":"[12] of 2 ways'
keys ctrl+shift+l
await '"page":"Regions","idle":true,"headline":"equal everywhere'
command_of 'show export'
await '"page":"Export","idle":true,"headline":"Nothing has been written yet"'
keys ctrl+t
await '"focus":"fileNameEdit"'
keys ctrl+a
xdotool type --delay 15 "$folder/changed.onnx"
keys Return
await '"page":"Export","idle":true,"headline":"[^"]*changed.onnx is written: proved, not measured; 2 places changed".*"focus":"Write '
picture

stop=compare
command_of 'show compare'
await '"page":"Compare","idle":true,"headline":"[0-9]* places* changed: [^"]*unchanged"'
keys F7
await '"page":"Compare","idle":true.*"selected":"Difference [12] of'
picture

stop=rounds
command_of 'show rounds'
await '"page":"Rounds","idle":true,"headline":"[0-9]* of [0-9]* mutants were kept or looked at'
picture

stop=passes
command_of 'show post-opt'
await '"page":"Post-opt","idle":true,"headline":"No pass changed anything of the model with S0 M21'
command_of 'passes over the'
await '"page":"Post-opt","idle":true,"headline":"[0-9]* changes* by .* over the best so far of the search: 2 places'
picture

stop=session
keys ctrl+s
await '"focus":"fileNameEdit"'
keys ctrl+a
xdotool type --delay 15 "$folder/pair.petsession"
keys Return
for _ in $(seq 100); do [[ -s pair.petsession ]] && break; sleep 0.05; done
"$workbench" --render window -o session.png --session pair.petsession 2>render.err || { cat render.err; fail "the session is not restored"; }

stop=model
"$pet" models build resnet18 --tiny -o resnet18.onnx >/dev/null
keys ctrl+o
await '"focus":"fileNameEdit"'
xdotool type --delay 15 "$folder/resnet18.onnx"
keys Return
await '"page":"Graph","idle":true,"headline":".*31 linear operators in 21 sets; 0 opaque"'
picture

stop=graphviz
keys ctrl+g
await '"page":"Graph","idle":true,"headline":".*; laid out by Graphviz"'
picture
keys ctrl+g

stop=journal
keys ctrl+r
await '"focus":"Target"'
picture
keys Tab Tab Tab
await '"focus":"Only"'
keys End
keys Return
await '"page":"Search","idle":true,"headline":"Paused at the beginning'
keys F12
await '"page":"Search","idle":true.*"mutants":[1-9]'
picture
keys shift+F5
await '"headline":"The search is over; times are estimates"'
keys ctrl+o
await '"focus":"fileNameEdit"'
xdotool type --delay 15 "$folder/resnet18.journal.jsonl"
keys Return
await '"page":"Search","idle":true,"headline":"Recorded in resnet18.journal.jsonl'
picture

stop=walk
keys ctrl+shift+r
await '"page":"Search","idle":true,"headline":"S[0-9]* walked again, as its journal has it.*"nodes":[1-9]'
picture

stop=figure
command_of 'figure 4'
await '"page":"Boxes","idle":true.*"Show":"boxes of the value","Value":"original: Y = Conv'
picture
keys ctrl+5
await '"page":"Regions","idle":true,"headline":"2 boxes, 1.79 %'
keys g
await '"page":"Regions","idle":true.*"truth":"Every element, by [^"]*: [0-9,]* wrong and covered, 0 wrong and uncovered, 0 covered and right'
picture

stop=quit
keys ctrl+q
for _ in $(seq 40); do kill -0 "$program" 2>/dev/null || break; sleep 0.05; done
kill -0 "$program" 2>/dev/null && fail "the window does not close"
wait "$program" || fail "exit code $?"
grep -v propagateSizeHints workbench.err && fail "something was said on stderr"
echo "first visit: $number pictures in $folder"
