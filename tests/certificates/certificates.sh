#!/bin/sh
# Certificates of real files, from writing to checking: certificates.sh PET PET_VERIFY PYTHON
pet=$1
verify=$2
python=${PET_PYTHON:-$3}
here=$(cd "$(dirname "$0")" && pwd)
. "$here/../app/expect.sh"
cd "$scratch" || exit 1
export LC_ALL=C XDG_CACHE_HOME="$scratch" OMP_NUM_THREADS=1 OPENBLAS_NUM_THREADS=1
unset PET_CERTIFICATE_CHECKER
"$python" "$here/../app/small_models.py" . || exit 1

# An optimised file: the certificate lies beside the report, and the checker agrees.
program=$pet
expect 0 models build resnet3d18 --tiny -o video.onnx
expect 0 optimize video.onnx -o faster.onnx --report report.json --limits steps=400 --budget 20s --cache off
[ -s report.certificate.json ] || complain "no certificate beside the report"
says '"certificate": "report.certificate.json"' report.json
program=$verify
expect 0 check report.certificate.json video.onnx faster.onnx
says '^valid' out

# Weights that follow from others by programs.
program=$pet
expect 0 models build resnet18 --tiny --keep-batchnorm -o norms.onnx
expect 0 fold norms.onnx -o folded.onnx
program=$verify
expect 0 norms.onnx folded.onnx --certificate folded.json
says '"role": "program"' folded.json
expect 0 check folded.json norms.onnx folded.onnx
says '^valid: own error' out
# The same place by place: pairs of values alone, each by its name in both files.
expect 0 norms.onnx folded.onnx --engine places --certificate placed.json
says '"engine": "places"' placed.json
expect 0 check placed.json norms.onnx folded.onnx
says '^valid: own error' out
for change in 's/"order": null/"order": [0, 1, 3, 2]/' 's/"from": \[/"from": ["none",/' 's/"pairs": \[/"pairs": [],"rest": [/' 's/"input"$/"none"/'; do
  sed "$change" placed.json >changed.json
  cmp -s placed.json changed.json && complain "$change changes nothing"
  expect 6 check changed.json norms.onnx folded.onnx
done
expect 6 check placed.json folded.onnx norms.onnx
# Axes in another order, there and back; a function in between follows by itself.
"$python" - <<'END'
import numpy as np
from onnx import TensorProto, helper, numpy_helper
node, rng = helper.make_node, np.random.default_rng(7)
w = rng.standard_normal((8, 6, 1, 1)).astype(np.float32)
def save(name, nodes, constants):
    types = [helper.make_tensor_value_info(n, TensorProto.FLOAT, s) for n, s in (("x", (1, 6, 4, 4)), ("y", None))]
    graph = helper.make_graph(nodes, "g", types[:1], types[1:], [numpy_helper.from_array(v, k) for k, v in constants.items()])
    model = helper.make_model(graph, ir_version=8, opset_imports=[helper.make_opsetid("", 17)])
    open(name + ".onnx", "wb").write(model.SerializeToString())
save("channels", [node("Conv", ["x", "w"], ["c"]), node("Relu", ["c"], ["r"]), node("Neg", ["r"], ["y"])], {"w": w})
save("channels_last", [node("Transpose", ["x"], ["t"], perm=[0, 2, 3, 1]), node("Reshape", ["w", "s"], ["v"]), node("Transpose", ["v"], ["u"]),
     node("MatMul", ["t", "u"], ["m"]), node("Relu", ["m"], ["q"]), node("Transpose", ["q"], ["r"], perm=[0, 3, 1, 2]),
     node("Neg", ["r"], ["y"])], {"w": w, "s": np.array([8, 6])})
END
expect 0 channels.onnx channels_last.onnx --engine places --certificate turned.json
says '"engine": "places"' turned.json
expect 0 check turned.json channels.onnx channels_last.onnx

# Weights that another tool moved or folded, and did not say how: the certificate does.
"$python" - <<'END'
import numpy as np
from onnx import TensorProto, helper, numpy_helper
node, rng = helper.make_node, np.random.default_rng(7)
def save(name, nodes, constants, x=(2, 3), opset=17):
    types = [helper.make_tensor_value_info(n, TensorProto.FLOAT, s) for n, s in (("x", x), ("y", None))]
    held = [numpy_helper.from_array(np.asarray(value, np.float32), key) for key, value in constants.items()]
    graph = helper.make_graph(nodes, "g", types[:1], types[1:], held)
    model = helper.make_model(graph, ir_version=8, opset_imports=[helper.make_opsetid("", opset)])
    open(name + ".onnx", "wb").write(model.SerializeToString())
w, v, image = rng.standard_normal((3, 4)), rng.standard_normal((3, 4)), (1, 2, 4, 4)
w[2, 1] = 1e-42  # less than a normal float
product = [node("MatMul", ["x", "w"], ["y"])]
save("product", product, {"w": w})
save("transposed", [node("Gemm", ["x", "t"], ["y"], transB=1)], {"t": w.T})
save("two", [node("MatMul", ["x", "w"], ["p"]), node("MatMul", ["x", "v"], ["q"]), node("Concat", ["p", "q"], ["y"], axis=1)], {"w": w, "v": v})
save("joined", [node("MatMul", ["x", "wv"], ["y"])], {"wv": np.concatenate([w, v], axis=1)})
save("turned", [node("Transpose", ["t"], ["w"]), *product], {"t": w.T})  # to the original's own expression
norm = {"s": rng.random(3), "b": rng.random(3), "m": rng.random(3), "v": rng.random(3) + 0.5}
norm = {key: value.astype(np.float32) for key, value in norm.items()}
k = rng.standard_normal((3, 2, 1, 1)).astype(np.float32)
save("norm", [node("Conv", ["x", "k"], ["c"]), node("BatchNormalization", ["c", *norm], ["y"])], {"k": k, **norm}, image)
s, b, m, v = (value.astype(np.longdouble) for value in norm.values())
factor = s / np.sqrt(v + np.float32(1e-5))
save("conv", [node("Conv", ["x", "k", "c"], ["y"])], {"k": k * factor[:, None, None, None], "c": b - m * factor}, image)
zero = w.copy()
zero[0, 1] = -0.0
save("zero", product, {"w": zero})
save("zero_transposed", [node("Gemm", ["x", "t"], ["y"], transB=1)], {"t": zero.T})
END
for pair in product:transposed product:turned two:joined norm:conv zero:zero_transposed turned:product; do
  expect 0 "${pair%:*}.onnx" "${pair#*:}.onnx" --certificate held.json
  says '"text": "' held.json
  says '"role": "program"' held.json
  expect 0 check held.json "${pair%:*}.onnx" "${pair#*:}.onnx"
  says '^valid: own error' out
done
sed 's/"text": "\(....\)./"text": "\10/' held.json >changed.json
cmp -s held.json changed.json && complain "no program was changed"
expect 6 check changed.json turned.onnx product.onnx
expect 0 two.onnx joined.onnx --certificate joined.json
"$python" - <<'END'
import json
import numpy as np
import onnx
from onnx import numpy_helper
model = onnx.load("two.onnx")
w = model.graph.initializer[0]
w.CopyFrom(numpy_helper.from_array(np.ascontiguousarray(numpy_helper.to_array(w).T), "t"))
model.graph.node.insert(0, onnx.helper.make_node("Transpose", ["t"], ["w"]))
model.metadata_props.add(key="pet.weight_programs", value=json.load(open("joined.json"))["weight_programs"]["text"])
onnx.save(model, "stale.onnx")
END
expect 4 two.onnx stale.onnx --certificate none.json
says 'no certificate: the weight programs that the second file carries' err

# A corrected mutant.
program=$pet
expect 0 mutants seams.onnx --at output --take "join 2 of axis 0 along axis 3, corrected by recomputing" -o taken.onnx
program=$verify
expect 0 seams.onnx taken.onnx --certificate places.json
expect 0 check places.json seams.onnx taken.onnx
says '^valid: own error' out
expect 0 --engine bitmap seams.onnx taken.onnx --certificate taken.json
expect 0 check taken.json seams.onnx taken.onnx
says '^valid: own error' out

# One field that is changed, the files in another order, another file: refused, with the reason.
digits=$(sed -n 's/^ *"seed": "\(........\).*/\1/p' taken.json)
for change in "s/\"equal\": \([0-9]\)/\"equal\": 1\1/" 's/"reals"/"floats"/' "s/$digits/0123abcd/" 's/"role": "symbol"/"role": "exact"/' \
  's/"elements": /"elements": 1/' 's/^ "claim"/ "more": 1, "claim"/' 's#"format": "pet-certificate/1"#"format": "pet-certificate/2"#'; do
  sed "$change" taken.json >changed.json
  cmp -s taken.json changed.json && complain "$change changes nothing"
  expect 6 check changed.json seams.onnx taken.onnx
  says '^refused: ' out
done
expect 6 check taken.json taken.onnx seams.onnx
expect 6 check taken.json seams.onnx seams.onnx
expect 6 check report.certificate.json seams.onnx taken.onnx
expect 4 check taken.json nowhere.onnx taken.onnx
expect 6 check taken.json taken.json taken.onnx
expect 2 check taken.json

# Not equal: no certificate.
program=$pet
expect 0 mutants seams.onnx --at output --take "cut axis 2 in 2, corrected by recomputing" -o other.onnx
"$python" - <<'END'
import onnx
from onnx import numpy_helper
model = onnx.load("taken.onnx")
for tensor in model.graph.initializer:
    values = numpy_helper.to_array(tensor).copy()
    if values.dtype == "float32" and values.size > 1:
        values.flat[0] += 1
        tensor.CopyFrom(numpy_helper.from_array(values, tensor.name))
        break
onnx.save(model, "wrong.onnx")
END
program=$verify
expect 1 seams.onnx wrong.onnx --certificate wrong.json
[ ! -e wrong.json ] || complain "a certificate of what is not equal"
# A name that JSON cannot hold: the file is written, and why there is no certificate is said.
"$python" - <<'END'
from onnx import TensorProto, helper
x, y = (helper.make_tensor_value_info(name, TensorProto.FLOAT, [2]) for name in ("QQQQ", "y"))
graph = helper.make_graph([helper.make_node("Relu", ["QQQQ"], ["y"])], "g", [x], [y])
model = helper.make_model(graph, ir_version=8, opset_imports=[helper.make_opsetid("", 17)])
open("odd.onnx", "wb").write(model.SerializeToString().replace(b"QQQQ", b"Q\xff\xfeQ"))
END
refused 4 'not UTF-8' odd.onnx odd.onnx --certificate odd.json
program=$pet
expect 0 optimize odd.onnx -o odd_out.onnx --target reference --limits steps=1 --cache off
says 'no certificate: a name in the files is not UTF-8' err
cmp -s odd.onnx odd_out.onnx || complain "the original was not kept"
refused 3 'not UTF-8' optimize odd.onnx -o odd_out.onnx --target reference --limits steps=1 --cache off --certificate odd.json
program=$verify

# What holds graphs has no meaning for the checker, but a file and its copy are one program; the verdict is told either way.
"$python" - <<'END'
from onnx import TensorProto, helper
c, x, y = (helper.make_tensor_value_info(n, t, s) for n, t, s in (("c", TensorProto.BOOL, []), ("x", TensorProto.FLOAT, [2]), ("y", TensorProto.FLOAT, [2])))
for name, operands in (("chosen", ["x", "x"]), ("captured", ["x", "t"])):
    branches = [
        helper.make_graph([helper.make_node(op, ["x"], [op])], op, [], [helper.make_tensor_value_info(op, TensorProto.FLOAT, [2])])
        for op in ("Relu", "Neg")
    ]
    nodes = [helper.make_node("Identity", ["x"], ["t"]), helper.make_node("If", ["c"], ["z"], then_branch=branches[0], else_branch=branches[1])]
    nodes.append(helper.make_node("Add", ["z", operands[1]], ["y"]))
    graph = helper.make_graph(nodes, "g", [c, x], [y])
    open(name + ".onnx", "wb").write(helper.make_model(graph, ir_version=8, opset_imports=[helper.make_opsetid("", 17)]).SerializeToString())
END
cp chosen.onnx copy.onnx
expect 0 chosen.onnx copy.onnx --certificate copy.json
expect 0 check copy.json chosen.onnx copy.onnx
says '^valid: the same expressions' out
expect 6 check copy.json chosen.onnx captured.onnx
expect 4 chosen.onnx captured.onnx --certificate none.json
says '^equivalent' out
says 'where its checker does not look' err

# What is valid says for what.
"$python" - <<'END'
import numpy as np
from onnx import TensorProto, helper, numpy_helper
x, y, z = (helper.make_tensor_value_info(n, TensorProto.FLOAT, ["N", 2]) for n in "xyz")
w = numpy_helper.from_array(np.float32([2, 3]), "w")
for name, operands in (("there", ["x", "z"]), ("back", ["z", "x"])):
    nodes = [helper.make_node("Add", operands, ["s"]), helper.make_node("Mul", ["s", "w"], ["y"])]
    graph = helper.make_graph(nodes, "g", [x, z], [y], [w])
    open(name + ".onnx", "wb").write(helper.make_model(graph, ir_version=8, opset_imports=[helper.make_opsetid("", 17)]).SerializeToString())
END
expect 0 there.onnx back.onnx --shape N=3 --certificate sized.json
expect 0 check sized.json there.onnx back.onnx
says "^valid: .*; at 'N' = 3 only$" out
expect 0 there.onnx back.onnx --shape N=3 --weights bound --certificate sized.json
says 'with the stored weights only' out
expect 0 check sized.json there.onnx back.onnx
says "; at 'N' = 3 only; with the stored weights only$" out

# What has no meaning for the one has none for the other, and constants that are no floats count alike.
"$python" - <<'END'
import numpy as np
from onnx import TensorProto, helper, numpy_helper
node = helper.make_node
def pair(name, last, shape, constants, kind=TensorProto.FLOAT, opset=17):
    for which, first in (("a", []), ("b", [node("Identity", ["x"], ["z"])])):
        x, y = helper.make_tensor_value_info("x", kind, shape), helper.make_tensor_value_info("y", kind, None)
        nodes = [*first, node(last[0], ["z" if first and i == "x" else i for i in last[1]], ["y"], **last[2])]
        held = [numpy_helper.from_array(np.asarray(value), key) for key, value in constants.items()]
        graph = helper.make_graph(nodes, "g", [x], [y], held)
        model = helper.make_model(graph, ir_version=8, opset_imports=[helper.make_opsetid("", opset)])
        open(f"{name}_{which}.onnx", "wb").write(model.SerializeToString())
pair("squeeze", ("Squeeze", ["x", "c"], {}), [1, 2], {"c": np.zeros(0, np.int64)})
pair("sum", ("ReduceSum", ["x", "c"], {}), [0, 2], {"c": [-2]})
pair("crop", ("Pad", ["x", "c"], {}), [2], {"c": [-3, 5]})
pair("gather", ("Gather", ["x", "c"], {}), [2], {"c": [2]})
pair("split", ("Split", ["x"], {}), [4], {}, opset=18)
pair("pool", ("AveragePool", ["x"], {"kernel_shape": [2], "dilations": [1]}), [1, 1, 4], {})
pair("integers", ("Concat", ["x", "c"], {"axis": 0}), [2], {"c": [5, 6]}, TensorProto.INT64)
pair("doubles", ("Concat", ["x", "c"], {"axis": 0}), [2], {"c": [5.0, -0.0]}, TensorProto.DOUBLE)
END
for name in squeeze sum crop gather split pool integers doubles; do
  expect 0 ${name}_a.onnx ${name}_b.onnx --certificate $name.json
  expect 0 check $name.json ${name}_a.onnx ${name}_b.onnx
done

# Every case whose programs are equal: they are written as files, and the certificate speaks of those.
mkdir cases
number=0
for case in "$here"/../cases/*/*.txt; do
  number=$((number + 1))
  # What only a long look leaves undecided: the bitmap engine alone says so at once.
  case $case in */rounding/*) engine='--engine bitmap' ;; *) engine= ;; esac
  # shellcheck disable=SC2086  # two words or none
  "$verify" "$case" $engine --certificate "cases/$number.json" --quiet >out 2>err || complain "$case is not as expected"
done
"$python" "$here/check_cases.py" cases || complain "a certificate of a case is refused"
[ "$(ls cases/*.json | wc -l)" -ge 60 ] || complain "too few cases have a certificate"
case="$here/../cases/mutants/d3_pad_and_crop.txt"
expect 0 "$case" --certificate case.json
expect 0 check case.json case.original.onnx case.mutant.onnx
says '^valid: own error' out
expect 6 check case.json case.original.onnx case.original.onnx
cp "$case" case.original.onnx
refused 2 'case.original.onnx would be written over' case.original.onnx --certificate case.json
cmp -s "$case" case.original.onnx || complain "a case was written over"
refused 2 'would be written over' seams.onnx taken.onnx --certificate parts.json --witness parts.json
"$python" - <<'END'
import onnx
onnx.save(onnx.load("seams.onnx"), "apart.onnx", save_as_external_data=True, location="apart.data", size_threshold=0)
END
cp apart.data before
refused 2 'apart.data would be written over' apart.onnx taken.onnx --certificate apart.data
refused 2 'apart.data would be written over' apart.onnx wrong.onnx --reduce apart.data
program=$pet
refused 2 'apart.data would be written over' fold apart.onnx -o apart.data
refused 2 'apart.data would be written over' mutants apart.onnx --at output --take "cut axis 2 in 2, corrected by recomputing" -o apart.data
for target in -o --report --certificate --journal --cache; do
  other='-o elsewhere.onnx'
  [ $target = -o ] && other=
  # shellcheck disable=SC2086  # two words or none
  refused 2 'apart.data would be written over' optimize apart.onnx $other $target apart.data --target reference --limits steps=1
done
program=$verify
cmp -s before apart.data || complain "weights were written over"
PET_CERTIFICATE_CHECKER=/nowhere/checker refused 3 '/nowhere/checker' check taken.json seams.onnx taken.onnx
finish
