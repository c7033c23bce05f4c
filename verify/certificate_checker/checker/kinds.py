"""What values are (a tensor of which elements, a sequence, an optional or a map of what), held against what a file
declares. Nothing of shapes."""
import onnx
from .refusals import shown, unreadable_if

def kind(declared):
    """In words that are equal for equal types; None where it is open."""
    which = declared.WhichOneof("value")
    if which in ("tensor_type", "sparse_tensor_type"):
        number = getattr(declared, which).elem_type
        return f"{which} {number}" if number else None
    if which in ("sequence_type", "optional_type"):
        inner = kind(getattr(declared, which).elem_type)
        return inner and f"{which} of {inner}"
    if which == "map_type":
        inner = kind(declared.map_type.value_type)
        return inner and f"map_type {declared.map_type.key_type} to {inner}"
    return None if which is None else f"{which} {getattr(declared, which).SerializeToString(deterministic=True).hex()}"

def unchecked(file):
    """Declared kinds, by name, that the standard's rules do not tell: a runtime may believe them."""
    graph, declared = file.model.graph, {}
    for value in (*graph.input, *graph.output, *graph.value_info):
        said = kind(value.type)
        is_other = said is not None and declared.setdefault(value.name, said) != said
        unreadable_if(is_other, f"{file.path}: value {shown(value.name)} is declared in two ways")
    known = _inferred(file.model)
    for name, said in declared.items():
        is_other = known.get(name, said) != said
        unreadable_if(is_other, f"{file.path}: value {shown(name)} is declared as something that it is not")
    return {name: said for name, said in declared.items() if name not in known}

def _inferred(model):
    """By the standard's rules, as the onnx package has them; from a copy without shapes, weights and declarations."""
    graph = model.graph
    bare = onnx.ModelProto(ir_version=model.ir_version, opset_import=model.opset_import)
    bare.graph.name = "bare"
    defaults = {tensor.name: tensor.data_type for tensor in graph.initializer}
    for value in graph.input:
        if value.name not in defaults:
            bare.graph.input.add(name=value.name).type.CopyFrom(_without_shapes(value.type))
    for name, number in defaults.items():
        bare.graph.input.add(name=name).type.tensor_type.elem_type = number
    bare.graph.node.extend(graph.node)
    for value in graph.output:
        bare.graph.output.add(name=value.name)
    try:
        found = onnx.shape_inference.infer_shapes(bare).graph
    except Exception:  # whatever it dislikes about a file: then nothing is known
        found = bare.graph
    kinds = {value.name: kind(value.type) for value in (*found.input, *found.value_info, *found.output)}
    return {name: said for name, said in kinds.items() if said is not None}

def _without_shapes(declared):
    out = onnx.TypeProto()
    out.CopyFrom(declared)
    pending = [out]
    while pending:
        inner = pending.pop()
        which = inner.WhichOneof("value")
        if which in ("tensor_type", "sparse_tensor_type"):
            getattr(inner, which).ClearField("shape")
        elif which in ("sequence_type", "optional_type"):
            pending.append(getattr(inner, which).elem_type)
        elif which == "map_type":
            pending.append(inner.map_type.value_type)
    return out
