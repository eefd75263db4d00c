"""Names of tables, as people write them and as statements need them."""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["TableName", "quoted"]


def quoted(part: str) -> str:
    """A part of a name in back quotes, whatever characters it has."""
    return "`" + part.replace("`", "``") + "`"


def _parts(text: str) -> list[str]:
    """Splits a name at its dots; dots between back quotes are part of a name."""
    parts: list[str] = []
    current: list[str] = []
    i = 0
    was_quoted = False
    while i < len(text):
        char = text[i]
        if char == "`" and not current and not was_quoted:
            i += 1
            while True:
                end = text.find("`", i)
                if end < 0:
                    raise ValueError(f"A back quote is not closed in the name {text!r}")
                current.append(text[i:end])
                i = end + 1
                if text[i : i + 1] != "`":
                    break
                current.append("`")
                i += 1
            was_quoted = True
            continue
        if char == ".":
            parts.append("".join(current))
            current, was_quoted = [], False
        elif was_quoted or char == "`":
            raise ValueError(f"A back quote is at a wrong place in the name {text!r}")
        else:
            current.append(char)
        i += 1
    parts.append("".join(current))
    if any(not part.strip() for part in parts):
        raise ValueError(f"A part of the name {text!r} is empty")
    return parts


@dataclass(frozen=True)
class TableName:
    """A table by the catalog, the namespace and its own name."""

    catalog: str
    parts: tuple[str, ...]

    @staticmethod
    def resolve(text: str, current_catalog: str, current_namespace: str, catalogs: "set[str]") -> "TableName":
        """What ``text`` means in a session: its first part is a catalog if ``catalogs`` has it."""
        parts = _parts(text)
        if len(parts) > 1 and parts[0] in catalogs:
            if len(parts) == 2:
                raise ValueError(f"The name {text!r} has no namespace. Write catalog.namespace.table")
            return TableName(parts[0], tuple(parts[1:]))
        if len(parts) == 1:
            parts = [*_parts(current_namespace), *parts]
        return TableName(current_catalog, tuple(parts))

    @property
    def sql(self) -> str:
        """The name in statements."""
        return ".".join(quoted(part) for part in (self.catalog, *self.parts))

    @property
    def argument(self) -> str:
        """The name as an argument of procedures of the catalog."""
        return ".".join(quoted(part) for part in self.parts)

    def __str__(self) -> str:
        plain = all(part.isidentifier() for part in (self.catalog, *self.parts))
        return ".".join((self.catalog, *self.parts)) if plain else self.sql
