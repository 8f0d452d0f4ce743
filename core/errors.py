"""What can go wrong, each with the exit code that the command line ends with."""

from core.text import Text, Value

EXIT_EQUIVALENT = 0
EXIT_DIVERGENT = 1
EXIT_USAGE = 2
EXIT_UNREADABLE = 3
EXIT_TARGET_FAILED = 4
EXIT_ENVIRONMENT = 5
EXIT_INTERRUPTED = 130


class KVScopeError(Exception):
    """An error that a user can do something about: the text says what, where, and what to do."""

    exit_code = EXIT_ENVIRONMENT
    traceback: str | None = None  # of a target's own code, shown before the message

    def __init__(self, template: str, **values: Value | Text) -> None:
        words = {name: value for name, value in values.items() if isinstance(value, Text)}
        self.text = Text(
            template, {name: value for name, value in values.items() if not isinstance(value, Text)}, words
        )
        super().__init__(str(self.text))


class UsageError(KVScopeError):
    """The command or a setting is wrong."""

    exit_code = EXIT_USAGE


class UnreadableError(KVScopeError):
    """A file is not what it should be."""

    exit_code = EXIT_UNREADABLE


class TargetError(KVScopeError):
    """The target raised, hung, ended, or broke its contract."""

    exit_code = EXIT_TARGET_FAILED


class EnvironmentFault(KVScopeError):
    """Disk, memory, display, or an internal error."""

    exit_code = EXIT_ENVIRONMENT
