# SPDX-License-Identifier: Apache-2.0
"""The table of the last long run, in a README between two markers."""

BEGIN, END = "<!-- the last long run -->", "<!-- end of it -->"


def into(readme: str, table: str) -> str:
    """The text of a README with the table between its two markers."""
    before, begin, rest = readme.partition(BEGIN)
    _, end, after = rest.partition(END)
    if not begin or not end:
        raise ValueError(f"no {BEGIN} and {END} in it")
    return f"{before}{begin}\n{table}{end}{after}"
