# SPDX-License-Identifier: Apache-2.0
"""What an archive says of itself: operations archive.describe, archive.indom, archive.labels and archive.text.

    pmdumplog -L ARCHIVE                          labels of files
    pmdumplog -d; pminfo -d -m -a ARCHIVE METRIC  descriptors; those of a set: pminfo -d -m
    pmdumplog -x -i ARCHIVE                       instances at a time; pmprobe -f -i -I: that ever were
    pmdumplog -x -e ARCHIVE                       sets of labels; pminfo -l -O TIME: what they are together
    pminfo -t, -T -a ARCHIVE METRIC|INDOM         texts; pmdumplog -h: without another one in their place
"""

import re
from collections.abc import Callable, Iterator
from fractions import Fraction

from qa.adapters.tool_answer import NotShown, clock_text, time_text
from qa.adapters.tool_archive import REFUSED, Archives, Question, paths_of
from qa.adapters.tool_output import Json
from qa.adapters.tool_run import Refusal, Skip, ToolError

NO_INDOM = {"status": -12379, "error": "PM_ERR_INDOM_LOG"}
NOT_A_LEAF = "Metric name is not a leaf in PMNS"  # as PCP says it
BEFORE_THE_FIRST = "pmdumplog prints no instances before the first record that has them"
NOT_STORED = "pmdumplog prints the labels that are stored, not those that a context has else (MET-903)"
OTHER_TIME = "pminfo merges the labels of the first record after the time, not of the time (OUT-321)"
NO_RECORD = "pminfo merges the labels of the first record after the time, of which there is none (OUT-321)"
FAR_TIME = "tools neither print nor find times beyond the year 9999 (OUT-505)"
ONE_ARCHIVE = "pmdumplog tells of each archive of a set for itself"
_NO_NAME = "<noname>"
_YEAR_10000 = 253402300800
_DERIVED = re.compile(r"511\.(\d+)\.\d+")
_LOGGED = 2048  # cluster bit of what a logger derived (DER-1301)
_FETCHED_NOTHING = re.compile(rb"^\S+: pmFetch: ", re.MULTILINE)
_SKIPPED = re.compile(r'skipping corrupt/unreadable archive "(.*)": ')
_UNKNOWN = re.compile(r"^Error: (\S+): (.*)$", re.MULTILINE)


def describe(archives: Archives, source: Json, args: Json) -> Json:
    question = Question(paths_of(source))
    try:
        labels = sorted(_labels(archives, question), key=lambda label: Fraction(label["start"]))
    except Skip:
        archives.metrics(question)  # what is refused as a whole is refused by pminfo, too
        raise
    ends = [label["finish"] for label in labels if "finish" in label]
    kept = ("version", "pid", "start", "host", "timezone")
    return {
        "start": _whole(labels[0]["start"]),
        "end": _whole(max(ends, key=Fraction)) if len(ends) == len(labels) else None,
        "labels": [
            {**{key: label.get("format" if key == "version" else key) for key in kept}, "start": _whole(label["start"])}
            for label in labels
        ],
        "metrics": _named(archives, question, args["metrics"]) if "metrics" in args else _all(archives, question),
    }


def _labels(archives: Archives, question: Question) -> Iterator[Json]:
    for path in question.paths.split(","):
        try:
            records = archives.records(Question(path), ["pmdumplog", "-L", path])
        except Refusal as refusal:
            if path != question.paths and path in _passed_over(archives, question):
                continue
            # Of a member of a set, too, what changes in it is refused as that of the set.
            raise Refusal(REFUSED[str(refusal)], str(refusal)) if path != question.paths and str(refusal) in REFUSED else refusal
        yield from (record for record in records if record.get("kind") == "archive")


def _passed_over(archives: Archives, question: Question) -> list[str]:
    """Of several archives those that cannot be opened, of which the tools of 7.1.4 and later warn (ARC-554)."""
    return _SKIPPED.findall(archives.run(question, ["pminfo", "-a", question.paths]).stderr)


def _whole(seconds: str) -> str:
    """A printed time with all its decimals."""
    return time_text(Fraction(seconds))


def _descriptor(record: Json) -> Json:
    return {key: record[key] for key in ("type", "semantics", "indom", "units")}


def _all(archives: Archives, question: Question) -> list[Json]:
    found: dict[str, Json] = {}
    if "," in question.paths:
        records = _described(archives.records(question, ["pminfo", "-d", "-m", "-a", question.paths]))
    else:  # which has those too that have no name
        records = _described(archives.records(question, ["pmdumplog", "-d", question.paths]))
    for record in records:
        derived = _DERIVED.fullmatch(record["pmid"])
        if derived and not int(derived[1]) & _LOGGED:
            continue  # event.flags and event.missed, which are in every archive (DER-208)
        one = found.setdefault(record["pmid"], {"pmid": record["pmid"], "names": [], "descriptor": _descriptor(record)})
        names = {*one["names"], *record.get("names", [record["metric"]])}
        one["names"] = sorted(names - {_NO_NAME})
    return sorted(found.values(), key=lambda one: tuple(map(int, one["pmid"].split("."))))


def _described(records: list[Json]) -> list[Json]:
    """Descriptors with their PMIDs, wherever those stand."""
    pmids = {record["metric"]: record["pmid"] for record in records if "pmid" in record and "metric" in record}
    return [
        {**record, "pmid": pmids[record["metric"]]}
        for record in records
        if record.get("kind") == "descriptor" and "type" in record
    ]


def _named(archives: Archives, question: Question, names: list[str]) -> list[Json]:
    done = archives.run(question, ["pminfo", "-d", "-m", "-a", question.paths, *names])
    described = {record["metric"]: record for record in _described(archives.parser.of("pminfo", done))}
    refused = dict(_UNKNOWN.findall(done.stderr))
    told: list[Json] = []
    for name in names:
        if name in described:
            record = described[name]
            told.append({"name": name, "status": 0, "pmid": record["pmid"], "descriptor": _descriptor(record)})
        elif name in refused:
            told.append({"name": name, **archives.status_of(refused[name])})
        elif any(other.startswith(f"{name}.") for other in described):
            told.append({"name": name, **archives.status_of(NOT_A_LEAF)})
        else:
            raise ToolError(f"pminfo says nothing of {name}")
    return told


def indom(archives: Archives, source: Json, args: Json) -> Json:
    question = Question(paths_of(source))
    if "time" in args:
        return _instances_at(archives, question, args["indom"], Fraction(args["time"]))
    for metric in archives.metrics(question).values():
        if metric.descriptor.get("indom") == args["indom"] and metric.instances:
            return {"status": 0, "instances": _listed(metric.instances)}
    raise Skip("pmprobe tells instances by a metric that has the domain, of which there is none")


def _listed(names: dict[int, str]) -> list[Json]:
    return [{"instance": number, "name": names[number]} for number in sorted(names)]


def _refuse_far_time(when: Fraction) -> None:
    if when >= _YEAR_10000:
        raise Skip(FAR_TIME)


def _instances_at(archives: Archives, question: Question, asked: str, when: Fraction) -> Json:
    if "," in question.paths:
        raise Skip(ONE_ARCHIVE)
    _refuse_far_time(when)
    found: Json | None = None
    known = False
    for record in archives.records(question, ["pmdumplog", "-x", "-i", question.paths]):
        if record.get("kind") != "instances" or record["indom"] != asked:
            continue
        known = True
        if Fraction(record["time"]) <= when:
            found = record
    if not known:
        return {**NO_INDOM, "instances": []}
    if found is None:
        unshown = NotShown()
        unshown.add(BEFORE_THE_FIRST, "/status", "/error", "/instances")
        return unshown.beside({**NO_INDOM, "instances": []})
    names = {one["instance"]: one["name"] for one in found["instances"]}
    return {"status": 0, "instances": _listed(names)}


# Of what a set of labels is, in the words of pmdumplog; from low to high precedence (MET-921).
_CLASSES: dict[str, Callable[[str, str | None], str | None]] = {
    "context": lambda pmid, domain: None,
    "domain": lambda pmid, domain: pmid.split(".")[0],
    "indom": lambda pmid, domain: domain,
    "cluster": lambda pmid, domain: pmid.rpartition(".")[0],
    "item": lambda pmid, domain: pmid,
}


def labels(archives: Archives, source: Json, args: Json) -> Json:
    question = Question(paths_of(source))
    if "," in question.paths:
        raise Skip(ONE_ARCHIVE)
    name, when = args["metric"], Fraction(args["time"])
    _refuse_far_time(when)
    [metric] = _named(archives, question, [name])
    if metric["status"] != 0:
        status = {key: metric[key] for key in ("status", "error")}
        return {**status, "sets": [], "merged": "", "instances": []}
    unshown = NotShown()
    of_all_times = [
        record
        for record in archives.records(question, ["pmdumplog", "-x", "-e", question.paths])
        if record.get("kind") == "labels"
    ]
    stored = [record for record in of_all_times if _time(record) <= when]
    if len(stored) < len(of_all_times):
        unshown.add(OTHER_TIME, "/merged", "/instances")
    if not any(record["level"] == "context" for record in stored):
        unshown.add(NOT_STORED, "/sets")
    pmid, domain = metric["pmid"], metric["descriptor"]["indom"]
    sets = []
    for kind, of in _CLASSES.items():
        last = _last([one for one in stored if one["level"] == kind and (kind == "context" or one.get("of") == of(pmid, domain))])
        if last is not None:
            sets.append({"class": kind, "labels": last["json"]})
    merged, of_instances = "", dict[int, str]()
    done = archives.run(question, ["pminfo", "-l", "-O", clock_text(when), "-a", question.paths, name])
    if _FETCHED_NOTHING.search(done.stdout):
        unshown.add(NO_RECORD, "/merged", "/instances")
    for record in archives.parser.of("pminfo", done):
        if record.get("kind") == "labels" and record["level"] == "metric":
            merged = record["json"]
        elif record.get("kind") == "labels" and record["level"] == "instance":
            of_instances[record["instance"]] = record["json"]
    instances = []
    for number in sorted(of_instances):
        last = _last([
            one for one in stored if one["level"] == "instance" and one.get("of") == domain and one.get("instance") == number
        ])
        if last is not None:
            instances.append({"instance": number, "labels": last["json"], "merged": of_instances[number]})
    return unshown.beside({"status": 0, "sets": sets, "merged": merged, "instances": instances})


def _last(stored: list[Json]) -> Json | None:
    """The one in force: the first of those with the latest time (ARC-400)."""
    return max(stored, key=_time) if stored else None


def _time(record: Json) -> Fraction:
    return Fraction(record["time"])


_FORMS = {"oneline": ("oneline", "-t"), "help": ("full", "-T")}


def text(archives: Archives, source: Json, args: Json) -> Json:
    question = Question(paths_of(source))
    form, option = _FORMS[args["kind"]]
    asked = args.get("metric", args.get("indom"))
    if args.get("direct"):
        return _stored_text(archives, question, args, form)
    done = archives.run(question, ["pminfo", option, "-a", question.paths, asked])
    for record in archives.parser.of("pminfo", done):
        if record.get("kind") == "text" and record["form"] == form:
            return _text(record)
    if found := _UNKNOWN.search(done.stderr):
        return archives.status_of(found[2])
    raise ToolError(f"pminfo {option} says nothing of {asked}")


def _text(record: Json) -> Json:
    if record.get("status", 0) == 0:
        return {"status": 0, "text": record["text"]}
    return {key: record[key] for key in ("status", "error")}


def _stored_text(archives: Archives, question: Question, args: Json, form: str) -> Json:
    if "," in question.paths:
        raise Skip(ONE_ARCHIVE)
    key, of = "indom", args.get("indom")
    if "metric" in args:
        [metric] = _named(archives, question, [args["metric"]])
        if metric["status"] != 0:
            return {name: metric[name] for name in ("status", "error")}
        key, of = "pmid", metric["pmid"]
    for record in archives.records(question, ["pmdumplog", "-h", question.paths]):
        if record.get("kind") == "text" and record.get(key) == of and record["form"] == form:
            return _text(record)
    return {"status": -12349, "error": "PM_ERR_TEXT"}
