"""The exceptions of the package."""

from septet import _septet


class ConfigError(ValueError):
    """The input is wrong. The message says where, what was found and what is wanted.

    Attributes (None where not known):
        file: the file, option or argument in which the mistake is, as text.
        line, column: its place in the file, from 1.
        key: the dotted key, such as "kernel.step.grid".
        got, wanted: what was found and what is wanted, as text.
    """

    file: "str | None" = None
    line: "int | None" = None
    column: "int | None" = None
    key: "str | None" = None
    got: "str | None" = None
    wanted: "str | None" = None


class ModelError(RuntimeError):
    """The input is well formed, but outside of what the models can answer."""


_septet.set_error_classes(ConfigError, ModelError)
