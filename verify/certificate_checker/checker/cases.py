"""Cases: two programs in ONNX's textual syntax in one file, behind comments such as `# opset: 18`."""
import itertools
import re
import onnx
import onnx.parser
from .refusals import Unreadable, shown, unreadable_if

PROGRAMS = ("original", "mutant")
_MOST_BYTES, _IR_VERSION, _OPSET, _DEEPEST = 2**22, 8, "17", 32

def model(content, which):
    """The program of that name; the second one starts the only line that starts with its name."""
    unreadable_if(len(content) > _MOST_BYTES or b"\0" in content, "no case: no text, or too long a one")
    text = content.decode("utf-8", "replace")
    # The parser calls itself for whatever stands in brackets. Those of comments and strings are none.
    bare = re.sub(r'#[^\n]*|"[^"]*"', lambda piece: "" if piece[0][0] == "#" else "_", text).replace("=>", "").strip()
    depths = list(itertools.accumulate((c in "({<") - (c in ")}>") for c in bare))
    unreadable_if(max(depths, default=0) > _DEEPEST, "a case that is nested too deeply")
    blocks = sum(c == "}" and depth == 0 for c, depth in zip(bare, depths))
    unreadable_if(blocks != 2 or bare[-1] != "}", "no case of two programs and nothing else")
    parts = dict(zip(PROGRAMS, re.split(rf"(?m)^(?={PROGRAMS[1]}\b)", text)))
    unreadable_if("".join(parts.values()) != text or len(parts) != 2, "no case of two programs")
    try:
        graph = onnx.parser.parse_graph(parts[which])
    except Exception as error:
        raise Unreadable(f"the program {which} cannot be parsed: {shown(str(error))}") from None
    unreadable_if(graph.name != which, f"the program {shown(graph.name)} in place of {which}")
    header = re.match(r"(?:[ \t\r]*(?:#[^\n]*)?\n)*", text).group()
    opset = (re.findall(r"(?m)^[ \t]*#[ \t]*opset:[ \t]*(.*?)[ \t\r]*$", header) or [_OPSET])[0]
    unreadable_if(not opset.isascii() or not opset.isdigit() or len(opset) > 8, f"operator set {shown(opset)}")
    return onnx.helper.make_model(graph, ir_version=_IR_VERSION, opset_imports=[onnx.helper.make_opsetid("", int(opset))])
