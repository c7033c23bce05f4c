"""The ways in which a check ends early."""

class Refused(Exception):
    """The certificate does not fulfil an obligation (exit code 6)."""
    def __init__(self, obligation, detail):
        super().__init__(f"{obligation}: {detail}")
        self.obligation, self.detail = obligation, detail

class Unreadable(Exception):
    """A file that cannot be read, or holds what this program has no meaning for (exit code 4)."""

class NoMeaning(Exception):
    """A node, or a form of it, that stays uninterpreted."""

def refused_if(fails, obligation, detail):
    if fails:
        raise Refused(obligation, detail)

def unreadable_if(fails, why):
    if fails:
        raise Unreadable(why)

def meaningless_if(fails, why):
    if fails:
        raise NoMeaning(why)

def shown(text):
    """A name from a file, safe to print."""
    text = str(text)
    return ascii(text if len(text) <= 120 else text[:117] + "...")
