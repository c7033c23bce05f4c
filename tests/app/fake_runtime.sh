# A worker in place of ONNX Runtime: of two files the second always takes half the time, and both compute the same.
# FAKE_RUNTIME=slow takes a while for each pair, crash dies and hang never answers when it is to time one; with
# FAKE_GOOD_PAIRS=N the first N pairs go well. $FAKE_PAIRS counts the pairs asked for: one line each.
field() { value=${request#*\""$1"\":}; value=${value%%[,\}]*}; value=${value#\"}; value=${value%\"}; }
list_of() { yes "$1" | head -n "$2" | paste -sd , -; }

echo '{"hello": {"runtime": "fake", "version": "1", "device": "none", "threads": 1, "protocol": 1}}'
handle=0
while read -r request; do
  field id; id=$value
  field op
  case $value in
    load)
      handle=$((handle + 1))
      echo "{\"id\": $id, \"ok\": true, \"handle\": $handle, \"inputs\": [], \"outputs\": []}" ;;
    pair)
      [ -z "$FAKE_PAIRS" ] || echo pair >>"$FAKE_PAIRS"
      misbehaviour=$FAKE_RUNTIME
      [ -z "$FAKE_GOOD_PAIRS" ] || [ "$(wc -l <"$FAKE_PAIRS")" -gt "$FAKE_GOOD_PAIRS" ] || misbehaviour=
      case $misbehaviour in
        slow) sleep 0.3 ;;
        crash) echo "out of memory" >&2; kill -SEGV $$ ;;
        hang) exec sleep 60 ;;
      esac
      field rounds
      echo "{\"id\": $id, \"ok\": true, \"a_ns\": [$(list_of 2000000 "$value")], \"b_ns\": [$(list_of 1000000 "$value")]}" ;;
    run)
      field outputs
      printf '????' >"$value/output0.bin"
      echo "{\"id\": $id, \"ok\": true, \"outputs\": [{\"name\": \"output\", \"type\": \"float\", \"shape\": [1], \"file\": \"$value/output0.bin\"}]}" ;;
    *) echo "{\"id\": $id, \"ok\": true}" ;;
  esac
done
