#!/bin/sh
# Exit codes and output of pet on bad input: pet_cli.sh PROGRAM
program=$1
here=$(cd "$(dirname "$0")" && pwd)
. "$here/expect.sh"
. "$here/fake_workers.sh"

expect 0 --version
says 'pet [0-9]' out
expect 0 --help
expect 0 optimize --help
refused 2 subcommand
refused 2 "unknown command 'paint'; see --help" paint
expect 0 models build densenet121 --tiny -o tiny.onnx
cp tiny.onnx kept.onnx

# Folding.
expect 0 models build resnet18 --tiny --keep-batchnorm -o with_norms.onnx
expect 0 fold with_norms.onnx -o folded.onnx
says '20 batch normalisations folded into 40 constants; equivalent' out
# What could be folded is listed by name, and chosen by it.
expect 0 fold with_norms.onnx --list
says 'BatchNormalization [^ ]* into Conv ' out
[ "$(wc -l <"$scratch/out")" -eq 20 ] || complain "fold --list does not name 20"
name=$(sed -n '1s/.* into Conv //p' "$scratch/out")
refused 2 excludes fold with_norms.onnx --list -o out.onnx
expect 0 fold with_norms.onnx --except "$name" -o again.onnx
says '19 batch normalisations folded' out
expect 0 fold with_norms.onnx --only "$name" -o again.onnx
says '1 batch normalisations folded' out
refused 2 'nosuch: nothing of that name can be folded' fold with_norms.onnx --only nosuch -o out.onnx
expect 0 fold folded.onnx -o again.onnx
says 'nothing to fold' out
same folded.onnx again.onnx
# What leaves the batch open goes on doing so.
sed -z 's/\n\x02\x08\x01\n\x02\x08\x03\n\x02\x08 /\n\x02\x12\x00\n\x02\x08\x03\n\x02\x08 /' with_norms.onnx >open_batch.onnx
expect 0 fold open_batch.onnx -o folded.onnx --batch 1
says 'it holds for every batch, and leaves it open' out
expect 0 show folded.onnx --batch 3
refused 2 overwritten fold with_norms.onnx -o with_norms.onnx
refused 2 output fold with_norms.onnx
refused 4 nosuch fold nosuch.onnx -o out.onnx
absent out.onnx

# Flags.
quick='--budget 3s --limits steps=1'
with_fake quick
refused 2 wrong optimize tiny.onnx -o out.onnx --wrong
refused 2 output optimize tiny.onnx
refused 2 soon optimize tiny.onnx -o out.onnx --budget soon
refused 2 1e300 optimize tiny.onnx -o out.onnx --budget 1e300
refused 2 'steps=N' optimize tiny.onnx -o out.onnx --limits many
refused 2 gpu optimize tiny.onnx -o out.onnx --target gpu
refused 2 yaml optimize tiny.onnx -o out.onnx --format yaml
refused 2 'many' optimize tiny.onnx -o out.onnx --seed many
refused 2 'seed' optimize tiny.onnx -o out.onnx --seed -1
for number in nan inf 0 -1 1e999 much; do
  refused 2 "max-rel-error: $number is no positive number" optimize tiny.onnx -o out.onnx --max-rel-error $number
  refused 2 "max-growth: $number is no positive number" optimize tiny.onnx -o out.onnx --max-growth $number
done
for number in -1 1000000000 99999999999999999999 two; do
  refused 2 threads optimize tiny.onnx -o out.onnx --threads $number
  refused 2 threads bench tiny.onnx --threads $number
done
refused 2 "budget: '0'" optimize tiny.onnx -o out.onnx --budget 0
refused 2 '0' bench tiny.onnx --budget 0
refused 2 'models list' models build nosuch -o out.onnx
absent out.onnx

# Files that are missing, damaged or of another kind.
head -c 5000 tiny.onnx >truncated.onnx
head -c 3000 "$program" >random.onnx
for file in truncated.onnx random.onnx; do
  for command in "optimize -o out.onnx" show mutants bench; do
    refused 4 "$file" $command $file
  done
done
for command in "optimize -o out.onnx" show mutants bench; do
  refused 4 'missing.onnx: No such file' $command missing.onnx
  refused 4 'regular file' $command .
done
escape=$(printf 'a\033[31m.onnx')
refused 4 'a.x1b' show "$escape"
refused 4 'random.onnx' bench tiny.onnx random.onnx
size=$(wc -c <tiny.onnx)
for i in 1 2 3 4 5 6 7 8 9 10 11 12; do
  cp tiny.onnx mutated.onnx
  printf '\377\003' | dd of=mutated.onnx bs=1 seek=$((size * i / 13 + 7 * i)) conv=notrunc 2>/dev/null
  "$program" show mutated.onnx >out 2>err
  code=$?
  case $code in
    0) ;;
    2 | 4) [ "$(wc -l <err)" -eq 1 ] || complain "mutation $i: more than one line on stderr" ;;
    *) complain "mutation $i: exit code $code" ;;
  esac
done
absent out.onnx

# Sizes.
sed -z 's/\n\x02\x08\x01\n\x02\x08\x03\n\x02\x08@/\n\x02\x12\x00\n\x02\x08\x03\n\x02\x08@/' tiny.onnx >open.onnx
for command in "optimize -o out.onnx" show mutants bench; do
  refused 2 'shape batch' $command tiny.onnx --shape batch
  refused 2 'batch=0' $command tiny.onnx --shape batch=0
  refused 2 'size batch=2: no file leaves a dimension of that name open' $command tiny.onnx --shape batch=2
  refused 2 'give them by --shape input:0=SIZE' $command open.onnx
done
expect 0 show open.onnx --shape input:0=1
absent out.onnx

# Where nothing can be written; nothing that is there is lost.
refused 2 'there is no folder nowhere' optimize tiny.onnx -o nowhere/out.onnx
refused 3 'no file can be made' optimize tiny.onnx -o /proc/out.onnx
refused 2 'name another file' optimize tiny.onnx -o tiny.onnx
ln -s tiny.onnx link.onnx
refused 2 'name another file' optimize tiny.onnx -o link.onnx
refused 2 'name another file' optimize tiny.onnx -o out.onnx --report tiny.onnx
refused 2 'name another file' optimize tiny.onnx -o out.onnx --journal out.onnx
refused 2 'no regular file' optimize tiny.onnx -o /dev/full
refused 2 'no name of a file' optimize tiny.onnx -o ./
refused 2 'there is no folder nowhere' optimize tiny.onnx -o out.onnx --report nowhere/r.json
refused 3 '/dev/full: No space left' optimize tiny.onnx -o out.onnx --journal /dev/full
refused 2 'no regular file' models build densenet121 --tiny -o /dev/full
refused 3 'proc/out.onnx' models build densenet121 --tiny -o /proc/out.onnx
refused 2 'name another file' mutants tiny.onnx --take none -o tiny.onnx
refused 2 'there is no folder nowhere' mutants tiny.onnx --take none -o nowhere/out.onnx
absent out.onnx
[ -c /dev/full ] || complain "/dev/full is gone"
refused 3 '/dev/full: No space left.*out.onnx is written' optimize tiny.onnx -o out.onnx $quick --report /dev/full
same tiny.onnx out.onnx
rm -f out.onnx
"$program" show tiny.onnx >/dev/full 2>err
[ $? -eq 3 ] || complain "a full standard output gives another exit code"
grep -q '^pet: ' err || complain "a full standard output is not told"
if mkdir small && mount -t tmpfs -o size=100k none small 2>/dev/null; then
  refused 3 'small/out.onnx: No space left' optimize tiny.onnx -o small/out.onnx $quick
  [ -z "$(ls -A small)" ] || complain "a full disk holds a file that was only begun"
  umount small
fi

with_real
"${PET_PYTHON:-$here/../../.venv/bin/python}" "$here/small_models.py" . || complain "the small models are not made"
export PET_PYTHON=/nowhere/python

# Names that are no UTF-8, and names that would command a terminal.
odd=$(printf 'o\377dd.onnx')
cp transition.onnx "$odd"
expect 0 optimize "$odd" -o "out$odd" --target reference --budget 10s --cache off --report odd.json --journal odd.jsonl
[ -s odd.json ] && [ -s odd.jsonl ] || complain "nothing is reported of a file whose name is no UTF-8"
expect 0 bench "$odd" --target reference --budget 1s
with_real
refused 2 'o.xffdd.onnx: its name is no UTF-8' bench "$odd"
escape=$(printf '\033[31m')
sed "s/pool/po\x1b[/; s/y/\x1b/g" transition.onnx >commanding.onnx
for command in show mutants "bench --target reference --budget 1s" \
  "optimize -o commanded.onnx --target reference --budget 10s --cache off"; do
  expect 0 $command commanding.onnx
  cat out err 2>/dev/null | grep -q "$(printf '\033')" && complain "$command lets a name command the terminal"
done

# Nobody reads, nobody listens.
for command in "show tiny.onnx" "mutants transition.onnx" ops "models list" "bench transition.onnx --target reference --budget 1s"; do
  (trap '' PIPE; "$program" $command 2>err | true)
  [ "$(wc -l <err)" -le 1 ] || complain "$command into a closed pipe: more than one line on stderr"
  "$program" $command >&- 2>err
  [ $? -eq 3 ] && grep -q '^pet: cannot write to standard output' err || complain "$command without an output: $(cat err)"
done
rm -f faster.onnx
"$program" optimize transition.onnx -o faster.onnx --target reference --budget 10s --cache off <&- >&- 2>&-
[ $? -eq 3 ] || complain "without any standard stream: another exit code than 3"
expect 0 show faster.onnx
"$program" optimize transition.onnx -o faster.onnx --target reference --budget 10s --cache off 2>/dev/full >out
[ $? -eq 0 ] || complain "a full stderr ends the work"

# Temporary files have nowhere to go; a Python that may not be run.
export TMPDIR=/nowhere
refused 3 'no folder /nowhere for temporary files.*set TMPDIR.*the original was written' \
  optimize transition.onnx -o kept2.onnx --target reference --budget 10s --cache off
same transition.onnx kept2.onnx
unset TMPDIR
if [ "$(id -u)" -eq 0 ] && command -v setpriv >/dev/null; then
  chmod 711 .
  mkdir -m 700 closed
  refused_as_nobody=$(cd / && PET_PYTHON=$scratch/closed/python setpriv --reuid 65534 --clear-groups "$program" \
    bench "$scratch/transition.onnx" 2>&1)
  case $refused_as_nobody in
    "pet: Python of the measuring worker: there is no "*) ;;
    *) complain "a Python that may not be run: $refused_as_nobody" ;;
  esac
fi

finish
