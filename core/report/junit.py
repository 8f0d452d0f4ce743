"""The result of a check as JUnit XML, which CI systems show: one test case a scenario."""

import re
from xml.etree import ElementTree

from core.report.escape import inert
from core.report.result import CheckResult, ScenarioResult
from core.report.terminal import cause_lines, place_line

# what XML 1.0 has no place for and `inert` lets stand
_NOT_XML = re.compile("[\ufffe\uffff\U0001fffe-\U0001ffff]")


def junit_xml(result: CheckResult, seconds: dict[str, float] | None = None) -> bytes:
    """Return the file; `seconds` are those of each scenario, where they were measured."""
    took = seconds or {}
    failed = [one for one in result.scenarios if one.status == "fail"]
    n_errors = sum(map(_is_error, failed))
    counts = {
        "tests": str(len(result.scenarios)),
        "failures": str(len(failed) - n_errors),
        "skipped": str(sum(one.status == "skipped" for one in result.scenarios)),
        "errors": str(n_errors),
        "time": f"{sum(took.values()):.3f}",
    }
    suites = ElementTree.Element("testsuites", counts)
    suite = ElementTree.SubElement(suites, "testsuite", {"name": _text(f"kvscope {result.target}"), **counts})
    for one in result.scenarios:
        attributes = {
            "classname": _text(result.target),
            "name": _text(one.name),
            "time": f"{took.get(one.name, 0.0):.3f}",
        }
        _fill(ElementTree.SubElement(suite, "testcase", attributes), one)
    ElementTree.indent(suites)
    data: bytes = ElementTree.tostring(suites, "utf-8", xml_declaration=True)
    return data + b"\n"


def _is_error(one: ScenarioResult) -> bool:
    """Whether there is no verdict: the target raised, say, before the lanes could differ."""
    return one.status == "fail" and one.first_bad_step is None


def _fill(case: ElementTree.Element, one: ScenarioResult) -> None:
    if one.status == "skipped":
        ElementTree.SubElement(case, "skipped", {"message": _text(one.reason or "")})
    elif one.status == "fail":
        kind = one.cause.id if one.cause is not None else one.classification or "failed"
        outcome = "error" if _is_error(one) else "failure"
        failure = ElementTree.SubElement(
            case, outcome, {"type": _text(kind), "message": _text(_message(one))}
        )
        failure.text = "\n".join(_text(line) for line in (*cause_lines(one), *one.notes)) or None
    else:
        lines = [
            f"{one.steps_compared} steps compared, largest logit difference {one.max_abs_diff}",
            *one.notes,
        ]
        ElementTree.SubElement(case, "system-out").text = "\n".join(map(_text, lines))


def _message(one: ScenarioResult) -> str:
    if one.first_bad_step is None:
        return one.reason or "no verdict"
    begins = f", begins in {place_line(one.first_bad_tensor)}" if one.first_bad_tensor else ""
    cause = f": {one.cause.sentence}" if one.cause else ""
    return f"first bad step {one.first_bad_step}{begins}{cause}"


def _text(text: str) -> str:
    return _NOT_XML.sub("\ufffd", inert(text))
