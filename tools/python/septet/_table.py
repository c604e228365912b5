"""Tables of a run: numpy arrays without copies, pandas frames with names as text."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy

if TYPE_CHECKING:
    import pandas

PICOSECONDS = {"ps": 1.0, "ns": 1e3, "us": 1e6, "ms": 1e9, "s": 1e12}


class Table:
    """One table of a run, such as its kernels; its columns are those of the trace file
    (models/records/FORMAT.md).

    `table["start"]` is a read-only numpy view into the simulator's own memory, which lives as long
    as any such view does. Times are int64 in picoseconds.
    """

    def __init__(self, table):
        self._table = table
        self._columns = {column["name"]: column for column in table.columns}
        self._array = table.array()

    @property
    def name(self) -> str:
        """Of the group in the trace file: "kernels"."""
        return self._table.name

    @property
    def columns(self) -> list[str]:
        """The names of the columns, in the order of the file."""
        return list(self._columns)

    @property
    def units(self) -> dict[str, str]:
        """The unit of each column: "ps", "B", or "1" for plain numbers and codes."""
        return {name: column["units"] for name, column in self._columns.items()}

    @property
    def descriptions(self) -> dict[str, str]:
        """What each column is."""
        return {name: column["long_name"] for name, column in self._columns.items()}

    @property
    def array(self) -> numpy.ndarray:
        """All rows, shape (len(table),), a structured array. No copy; read-only."""
        return self._array

    def __len__(self) -> int:
        return len(self._array)

    def __getitem__(self, column: str) -> numpy.ndarray:
        """A column, shape (len(table),). No copy; read-only. Names are codes: see `texts`."""
        return self._array[column]

    def texts(self, column: str) -> list[str]:
        """What the codes of a column mean, by code; empty for a column of plain numbers."""
        return list(self._columns[column]["texts"])

    def to_pandas(self, time_unit: str = "ps") -> pandas.DataFrame:
        """A frame with a column for each of the table; names are categories of text.

        `time_unit`: "ps" leaves times as int64, "ns", "us", "ms" and "s" make them float64.
        `frame.attrs["units"]` has the units. What is absent, such as the graph node of a kernel
        outside of graphs, is NaN in columns of names and the value of the file elsewhere.
        """
        import pandas

        if time_unit not in PICOSECONDS:
            raise ValueError(f"time_unit: got {time_unit!r}, wanted one of {list(PICOSECONDS)}")
        units = self.units
        columns = {}
        for name, column in self._columns.items():
            values = self[name]
            if column["texts"]:
                columns[name] = categorical(values, column["texts"])
            elif units[name] == "ps" and time_unit != "ps":
                absent = values == column["absent"]
                values = values / PICOSECONDS[time_unit]
                columns[name] = numpy.where(absent, numpy.nan, values)
                units[name] = time_unit
            else:
                columns[name] = values
        frame = pandas.DataFrame(columns)
        frame.attrs["units"] = units
        return frame

    def __repr__(self) -> str:
        return f"<septet.Table {self.name}: {len(self)} rows of {', '.join(self.columns)}>"


def categorical(codes: numpy.ndarray, texts: list[str]):
    """Codes with their texts; several codes may mean the same text."""
    import pandas

    distinct = list(dict.fromkeys(texts))
    place = {text: i for i, text in enumerate(distinct)}
    of_code = numpy.array([place[text] for text in texts], dtype=numpy.int64)
    known = (codes >= 0) & (codes < len(texts))
    places = numpy.where(known, of_code[numpy.where(known, codes, 0)], -1)
    return pandas.Categorical.from_codes(places, distinct)
