"""BLAKE2b-256 over texts and numbers, as the README defines them."""
import hashlib
import struct

def text(content):
    if isinstance(content, str):
        content = content.encode("utf-8", "surrogateescape")
    return struct.pack("<Q", len(content)) + bytes(content)

def number(value):
    """64 bits, little endian; negative numbers by their two's complement."""
    return struct.pack("<Q", value % 2**64)

def derived(purpose, *parts):
    """D(purpose, parts) of the README: 32 bytes."""
    state = hashlib.blake2b(text(purpose), digest_size=32)
    for part in parts:
        state.update(part)
    return state.digest()

def of_bytes(content):
    return hashlib.blake2b(content, digest_size=32).hexdigest()

def of_tensor(type_number, shape, elements):
    raw = elements.reshape(-1).view("u1")  # of a contiguous array
    return derived("tensor", *map(number, (type_number, len(shape), *shape, len(raw))), raw)
