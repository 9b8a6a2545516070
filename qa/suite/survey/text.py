# SPDX-License-Identifier: Apache-2.0
"""A survey's document for a person at a terminal."""

from collections.abc import Iterator

from qa.suite.survey.kinds import Json
from qa.support.display import displayable

_WHY = {
    "spread": "had none of this kind before",
    "grown": "had fewer values of it",
    "other_answers": "had as many values of it, with other answers",
}
_REASONS = 12


def lines_of(told: Json, most: int, with_known: bool) -> Iterator[str]:
    """`most`: kinds that are shown in full. `with_known`: also those that are not new."""
    for line in _lines(told, most, with_known):
        yield displayable(line)


def head_lines(told: Json) -> Iterator[str]:
    """How much was compared, and how much of it is new."""
    values = told["values"]
    yield _archives_line(told)
    yield f"{_count(values['compared'], 'value')} compared, {values['differing']:,} differ{_share(values)}"
    yield _head(told)


def why_text(one: Json) -> str:
    """Why a movement is new."""
    if "new_kind" in one["why"]:
        return "this kind was in no archive before"
    return "; ".join(f"{_count(number, 'archive')} {_WHY[why]}" for why, number in one["why"].items())


def silence_text(told: Json, one: Json) -> str:
    """What a side no longer answers."""
    asked = f"{_count(one['questions'], 'question')} in {_count(one['archives'], 'archive')}"
    return f"newly unanswered by {told[one['side']]['name']}: {asked}, {one['outcome']}"


def _lines(told: Json, most: int, with_known: bool) -> Iterator[str]:
    baseline, candidate = told["baseline"]["name"], told["candidate"]["name"]
    archives, values, head = head_lines(told)
    yield f"baseline {baseline}, candidate {candidate}"
    yield archives
    yield from _not_compared(told)
    yield values
    yield ""
    yield head
    yield from _kinds(told["new"], most, (baseline, candidate))
    if with_known and told["known"]:
        yield ""
        yield "known"
        yield from _kinds(told["known"], most, (baseline, candidate))
    elif told["known"]:
        yield f"known: {_count(len(told['known']), 'kind')}, {_values(told['known'])} (--known shows them)"
    if told["gone"]:
        yield f"no longer there: {_some(told['gone'])}"
    for one in told["accepted"]:
        yield f"accepted: {one['entry']} ({_count(one['movements'], 'movement')})"
    for fault in told["list_faults"]:
        yield f"the list is not true: {fault}"
    for one in told["newly_unanswered"]:
        yield silence_text(told, one)
    yield from _reasons(told)
    yield from _deviations(told)


def _archives_line(told: Json) -> str:
    archives = told["archives"]
    parts = [f"{archives['differing']:,} with differences"]
    if not told["is_first"]:
        parts += [f"{archives[what]:,} {what}" for what in ("new", "changed", "gone") if archives[what]]
    if archives["reused"]:
        parts.append(f"{archives['reused']:,} not asked again")
    return f"{_count(archives['asked'], 'archive')}: {', '.join(parts)}"


def _not_compared(told: Json) -> Iterator[str]:
    listed = told["not_compared"]["listed"]
    for one in listed[:_REASONS]:
        accepted = " (accepted)" if one["accepted"] else ""
        yield f"  {one['archive']}: {_outcome(one)}: {one['because']}{accepted}"
    if (more := told["not_compared"]["archives"] - min(len(listed), _REASONS)) > 0:
        yield f"  and {more:,} more archives that were not compared as a whole"


def _outcome(one: Json) -> str:
    return {"not_compared": "not compared", "died": "pmproof failed", "broken": "not compared as a whole"}[one["outcome"]]


def _head(told: Json) -> str:
    if told["new"]:
        since = "" if told["is_first"] else f" since {told['known_since']}"
        return f"new{since}: {_count(len(told['new']), 'kind')}, {_values(told['new'])} in {_count(told['archives']['with_new_movements'], 'archive')}"
    if not told["is_first"]:
        return "nothing is new"
    return "nothing differs but what is accepted" if told["accepted"] else "nothing differs"


def _kinds(kinds: list[Json], most: int, names: tuple[str, str]) -> Iterator[str]:
    width = max((len(one["kind"]) for one in kinds[:most]), default=0)
    for one in kinds[:most]:
        yield ""
        yield f"  {one['kind']:{width}}  {_values([one])} in {_count(one['archives'], 'archive')}"
        if one["why"] and "new_kind" not in one["why"]:
            yield f"    {why_text(one)}"
        yield from (f"    {line}" for line in witness_lines(one["witness"], names))
    if len(kinds) > most:
        yield f"  and {_count(len(kinds) - most, 'more kind')} (--show shows more)"


def witness_lines(witness: Json, names: tuple[str, str]) -> Iterator[str]:
    """Archive, place and both answers, and the records that they came from."""
    series = witness["series"]
    yield f"{witness['archive']} ({size_text(witness['size'])})"
    yield f"{witness['time']}  {series_text(series)}  {series['semantics']} {series['type']}"
    width = max(map(len, names))
    for side, name in zip(("baseline", "candidate"), names):
        yield f"  {name:{width}}  {answer_text(witness[side])}"
    bounds = next((witness[side] for side in ("candidate", "baseline") if witness[side]["prior"] or witness[side]["next"]), None)
    if bounds:
        yield f"  between {_bound(bounds['prior'])} and {_bound(bounds['next'])}"


def series_text(series: Json) -> str:
    if series["instance"] is None:
        return str(series["metric"])
    name = f' "{series["name"]}"' if series["name"] else ""
    return f"{series['metric']} [{series['instance']}{name}]"


def answer_text(answer: Json) -> str:
    told = answer["error"] or ("no value" if answer["value"] is None else answer["value"])
    return f"{told}  [{answer['clause']}]" if answer["clause"] else str(told)


def _bound(bound: Json | None) -> str:
    if bound is None or bound["kind"] == "none":
        return "nothing"
    what = {"mark": "a mark", "damage": "a damaged record", "value": bound.get("value", "a value")}[bound["kind"]]
    return f"{what} at {bound['time']} (record {bound['record']})"


def _reasons(told: Json) -> Iterator[str]:
    listed = told["unanswered"]["listed"]
    if not listed:
        return
    yield "not answered, so not compared (a question is a metric at a time)"
    for one in listed[:_REASONS]:
        where = f"{_count(one['questions'], 'question')} in {_count(one['archives'], 'archive')}"
        yield f"  {told[one['side']]['name']}, {one['outcome']}: {where}: {one['reason']}"
    if more := len(listed) + told["unanswered"]["more"] - min(len(listed), _REASONS):
        yield f"  and {_count(more, 'more reason')}"


def _deviations(told: Json) -> Iterator[str]:
    if listed := told["deviations"]["listed"]:
        parts = ", ".join(f"{one['deviation']} {one['differences']:,}" for one in listed)
        yield f"not counted, by --explain: {parts}"


def _values(kinds: list[Json]) -> str:
    number = sum(one["differences"] for one in kinds)
    return ("" if all(one["exact"] for one in kinds) else "at most ") + _count(number, "value")


def _some(names: list[str]) -> str:
    return ", ".join(names[:_REASONS]) + (f" and {len(names) - _REASONS:,} more kinds" if len(names) > _REASONS else "")


def _count(number: int, what: str) -> str:
    return f"{number:,} {what}{'' if number == 1 else 's'}"


def _share(values: Json) -> str:
    if not values["differing"]:
        return ""
    share = 100 * values["differing"] / values["compared"]
    return f" ({share:.2f} %)" if share >= 0.01 else " (less than 0.01 %)"


def size_text(size: int) -> str:
    """Such as "12.3 kB"."""
    number, unit = float(size), "bytes"
    for larger in ("kB", "MB", "GB"):
        if number < 1000:
            break
        number, unit = number / 1000, larger
    return f"{number:.0f} {unit}" if unit == "bytes" else f"{number:.1f} {unit}"
