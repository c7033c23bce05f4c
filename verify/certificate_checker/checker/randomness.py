"""ChaCha20 (the original: 64-bit nonce and counter) and SipHash-2-4, over many blocks at once."""
import numpy as np

_BLOCKS_AT_ONCE = 4096
_ROWS_AT_ONCE = 16384
_DIAGONALS = tuple([(i + turn) % 4 for i in range(4)] for turn in range(4))
_SIP_WORDS = (0x736F6D6570736575, 0x646F72616E646F6D, 0x6C7967656E657261, 0x7465646279746573)

def _rotate(x, bits):
    """x rotated left, in place."""
    low = x >> x.dtype.type(8 * x.itemsize - bits)
    x <<= x.dtype.type(bits)
    x |= low

def _quarter_rounds(a, b, c, d):
    for left, right, moved, bits in ((a, b, d, 16), (c, d, b, 12), (a, b, d, 8), (c, d, b, 7)):
        left += right
        moved ^= left
        _rotate(moved, bits)

def _chacha_blocks(key, nonce, first, count):
    """`count` blocks of the keystream from block `first` on: uint32[count, 16]."""
    start = np.empty((16, count), dtype=np.uint32)
    counter = np.arange(first, first + count, dtype=np.uint64)
    start[0:4] = np.frombuffer(b"expand 32-byte k", dtype="<u4")[:, None]
    start[4:12] = np.frombuffer(key, dtype="<u4")[:, None]
    start[12], start[13] = counter & np.uint64(0xFFFFFFFF), counter >> np.uint64(32)
    start[14], start[15] = nonce & 0xFFFFFFFF, nonce >> 32
    state = start.copy()
    rows = [state[4 * i : 4 * i + 4] for i in range(4)]  # a block is 4 by 4 words, whose columns are worked on at once
    for _ in range(10):
        _quarter_rounds(*rows)
        turned = [row[order] for row, order in zip(rows, _DIAGONALS)]
        _quarter_rounds(*turned)
        for row, order, new in zip(rows, _DIAGONALS, turned):
            row[order] = new
    state += start
    return np.ascontiguousarray(state.T)

def keystream(key, nonce, words, at_once=_BLOCKS_AT_ONCE):
    """Yields the first `words` 64-bit words of K(key, nonce), `at_once` blocks at a time."""
    for first in range(0, words, 8 * at_once):
        piece = _chacha_blocks(key, nonce, first // 8, min(at_once, (words - first + 7) // 8))
        yield piece.view("<u8").reshape(-1)[: words - first]

def _sip_rounds(v, count):
    for _ in range(count):
        for left, right, bits, turn in ((0, 1, 13, 32), (2, 3, 16, 0), (0, 3, 21, 0), (2, 1, 17, 32)):
            v[left] += v[right]
            _rotate(v[right], bits)
            v[right] ^= v[left]
            if turn:
                _rotate(v[left], turn)

def _sip_piece(key, blocks, wide, rows):
    """One row of state until a column of data comes in, then `rows` of them."""
    state = [np.full(1, key[i % 2] ^ word, dtype=np.uint64) for i, word in enumerate(_SIP_WORDS)]
    if wide:
        state[1] ^= np.uint64(0xEE)
    for block in blocks:
        if isinstance(block, np.ndarray) and len(state[0]) != rows:
            state = [np.repeat(v, rows) for v in state]
        block = block if isinstance(block, np.ndarray) else np.uint64(block)
        state[3] ^= block
        _sip_rounds(state, 2)
        state[0] ^= block
    out = []
    for place, mark in ((2, 0xEE), (1, 0xDD)) if wide else ((2, 0xFF),):
        state[place] ^= np.uint64(mark)
        _sip_rounds(state, 4)
        out.append(state[0] ^ state[1] ^ state[2] ^ state[3])
    return out

def siphash(key, words, length, wide):
    """SipHash-2-4 of rows of a message: a column of 64 bits, or (`wide`) two, low words first. `words`: the message in
    64-bit words, zeros behind its end, each an integer or a column; `length`: its number of bytes, added here."""
    words = list(words)
    rows = max((len(w) for w in words if isinstance(w, np.ndarray)), default=1)
    if length % 8 == 0:
        words.append(0)
    words[-1] = words[-1] | np.uint64((length % 256) << 56)
    out = [np.empty(rows, dtype=np.uint64) for _ in range(2 if wide else 1)]
    for first in range(0, rows, _ROWS_AT_ONCE):
        piece = slice(first, min(first + _ROWS_AT_ONCE, rows))
        blocks = [w[piece] if isinstance(w, np.ndarray) else w for w in words]
        for column, part in zip(out, _sip_piece(key, blocks, wide, piece.stop - first)):
            column[piece] = part
    return tuple(out)
