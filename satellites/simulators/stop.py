class Stop(Exception):
    """What ends a program of this folder with one line and an exit code of its own."""

    def __init__(self, text, code):
        super().__init__(text)
        self.code = code
