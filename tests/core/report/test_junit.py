"""JUnit XML: what a CI system counts, whatever texts a target brings."""

from xml.etree import ElementTree

from core.report.junit import junit_xml
from core.report.result import CauseResult, PlaceResult, ScenarioResult, check_result

PLACE = PlaceResult(tensor="k", layer=1, batch_row=0, slot=6, head=None)
CAUSE = CauseResult(
    id="position-drift", sentence="told 7", evidence=["V agrees"], healed=0.999, null_control=0.0, before=3.0, after=0.0, also=[],
    suggestion=None, step=1, place=PLACE,
)  # fmt: skip
SCENARIOS = [
    ScenarioResult(name="decode", status="pass", steps_compared=13, max_abs_diff=1e-5),
    ScenarioResult(name="batch", status="fail", steps_compared=13, first_bad_step=1, first_bad_tensor=PLACE, cause=CAUSE),
    ScenarioResult(name="rollback", status="skipped", reason="no crop"),
    ScenarioResult(name="long", status="fail", reason="]]> <b> \x1b[2J \ud800 \ufffe"),
]  # fmt: skip


def test_that_each_scenario_is_a_test_case_with_its_outcome() -> None:
    suites = ElementTree.fromstring(junit_xml(check_result("my_model.py", SCENARIOS), {"decode": 1.25}))
    suite = suites[0]
    assert {name: suite.get(name) for name in ("tests", "failures", "errors", "skipped", "time")} == {
        "tests": "4",
        "failures": "1",
        "errors": "1",
        "skipped": "1",
        "time": "1.250",
    }
    decode, batch, rollback, long = suite
    assert long.find("failure") is None
    assert long.find("error") is not None  # nothing was found out about it
    assert decode.find("failure") is None
    failure = batch.find("failure")
    assert failure.get("type") == "position-drift"
    assert failure.get("message") == "first bad step 1, begins in layer 1, k, slot 6, row 0: told 7"
    assert "V agrees" in failure.text
    assert rollback.find("skipped").get("message") == "no crop"


def test_that_what_xml_cannot_hold_becomes_a_code() -> None:
    suites = ElementTree.fromstring(junit_xml(check_result("\x00<>", SCENARIOS)))
    assert suites[0].get("name") == "kvscope \\x00<>"
    assert suites[0][3].find("error").get("message") == "]]> <b> \\x1b[2J \\ud800 \ufffd"
