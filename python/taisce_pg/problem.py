"""A mistake or a fault that one line explains."""


class Problem(Exception):
    """Say what is wrong and, in `hint`, what to do about it.

    The command line prints both without a traceback and ends with `exit_code`.
    """

    def __init__(self, message: str, hint: str = "", exit_code: int = 1) -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint
        self.exit_code = exit_code

    def __str__(self) -> str:
        return f"{self.message}; {self.hint}" if self.hint else self.message
