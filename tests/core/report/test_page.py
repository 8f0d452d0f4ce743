"""The report: one inert file in two languages, made from a trace alone."""

import re
import shutil
import subprocess
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path

import msgspec
import numpy as np
import pytest

from core.report.language import translator
from core.report.page import ReportInput, SkippedScenario, html_report
from core.report.page.markup import el
from core.report.page.pixels import MOST_CELLS, shrunk
from core.text import Text
from core.trace.reader import Trace
from core.trace.records import FindingFacts, TextFacts
from core.trace.writer import TraceWriter
from tests.core.support import DRIFT, record_trace

HOSTILE = '</p></style><script>fetch("http://evil.example/")</script><img src=http://evil.example/x onerror=alert(1)>\x1b[2J\u202e{0}'
TAGS = frozenset(
    "html head meta title style body main header section h1 h2 h3 p span strong code pre ul li dl dt dd div table thead tbody tr th td "  # noqa: SIM905
    "figure figcaption svg g line polyline path circle rect text image".split()
)


@pytest.fixture(scope="module")
def faulty(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Trace]:
    path = tmp_path_factory.mktemp("report") / "f.kvtrace"
    with record_trace(path, findings=[DRIFT], faults=("position-reset",), steps=3) as trace:
        yield trace


@pytest.fixture(scope="module")
def hostile(faulty: Trace, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Trace]:
    """The same run, with a stranger's words wherever a trace has words."""
    path = tmp_path_factory.mktemp("hostile") / "h.kvtrace"
    info = msgspec.structs.replace(
        faulty.info, target=HOSTILE, scenario=HOSTILE, prompt=HOSTILE, layout=HOSTILE, faults=[HOSTILE], notes=[HOSTILE],
        mode=HOSTILE, versions={HOSTILE: HOSTILE},
    )  # fmt: skip
    writer = TraceWriter(path, info)
    for step in range(len(faulty)):
        facts = faulty.facts(step)
        texts = dict.fromkeys(facts.token_texts, HOSTILE)
        tensors = {name: faulty.tensor(step, name) for name in faulty.tensor_names(step)}
        writer.add_step(msgspec.structs.replace(facts, token_texts=texts, notes=[HOSTILE]), tensors)
    finding = FindingFacts(
        step=1, cause=HOSTILE, sentence=TextFacts(HOSTILE), evidence=[TextFacts("{x}", {"x": HOSTILE})], tensor=HOSTILE, also=[HOSTILE],
        healed=0.999,
    )  # fmt: skip
    writer.close("complete", None, [HOSTILE], [finding], [])
    with Trace.open(path) as trace:
        yield trace


class Elements(HTMLParser):
    """What a browser would make of the file."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.open: list[str] = []
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))
        if tag != "meta":
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


def page_of(*traces: Trace, language: str = "en", **of: object) -> str:
    return html_report(ReportInput(traces[0].info.target, traces, **of), language).decode()


@pytest.mark.parametrize("language", ["en", "zh"])
def test_that_hostile_texts_become_no_markup(hostile: Trace, language: str) -> None:
    skipped = [SkippedScenario(HOSTILE, Text("{why}", {"why": HOSTILE}))]
    page = page_of(hostile, language=language, skipped=skipped, command=HOSTILE, sensitive=("script",))
    elements = Elements(page)
    assert not elements.open
    assert {tag for tag, _ in elements.tags} <= TAGS
    for _, attributes in elements.tags:
        assert not any(name.startswith("on") for name in attributes)
        assert not {"src", "srcset", "action", "xlink:href", "style"} & set(attributes)
        assert attributes.get("href", "data:image/png;base64,").startswith("data:image/png;base64,")
    assert "\x1b" not in page
    assert "\u202e" not in page
    assert page.count("&lt;script&gt;") > 20


def test_that_the_file_asks_for_nothing_and_says_so(faulty: Trace) -> None:
    page = page_of(faulty)
    policy = next(
        a["content"] for tag, a in Elements(page).tags if a.get("http-equiv") == "Content-Security-Policy"
    )
    assert "default-src 'none'" in policy
    assert not re.search(r"https?:|url\(|@import|<script", page)


def test_that_the_report_tells_verdict_cause_proof_and_shapes(faulty: Trace) -> None:
    page = page_of(faulty, command="python main.py check --fault position-reset")
    for said in (
        "diverges from step 1 of decode on", "Planted for a trial: position-reset", "told position 7, expected 6",
        "83.1 % of the difference heals", "elsewhere heals 1.3 %", "cannot tell it from rope-mismatch", "V agrees in all 7 slots.",
        "[1, 2, 39, 32]", "0 \u2260", "python main.py check --fault position-reset", faulty.info.versions["torch"],
        "Where a wrong token matters",
    ):  # fmt: skip
        assert said in page, said
    assert (
        sum(tag == "image" for tag, _ in Elements(page).tags) == 4
    )  # three maps of attention, one of the cache


def test_that_the_chinese_report_is_chinese(faulty: Trace) -> None:
    page = page_of(faulty, language="zh", skipped=[SkippedScenario("batch", Text("Findings"))])
    assert 'lang="zh-Hans"' in page
    assert "未通过" in page
    body = re.sub(r"<[^>]*>", " ", page.split("</style>")[1])
    assert not re.search(
        r"[a-z]+ (of|the|is|are|and) [a-z]+", body.replace("told position 7, expected 6", "")
    ), body


def test_that_a_pass_shows_its_last_step(tmp_path: Path) -> None:
    with record_trace(tmp_path / "a.kvtrace", steps=2) as trace:
        page = page_of(trace)
    assert "Cached and uncached decoding agree" in page
    assert "Step 2, the last one" in page
    assert "Every slot holds the row that belongs there" in page
    assert 'class="bad-text"' not in page


def test_that_a_failed_scenario_is_no_pass(tmp_path: Path) -> None:
    with record_trace(tmp_path / "a.kvtrace", steps=2) as trace:
        page = page_of(trace, skipped=[SkippedScenario("batch", Text("it raised"), is_failure=True)])
    assert "it raised" in page
    assert 'class="badge bad">FAIL' in page


def test_that_a_trace_without_attention_says_what_is_missing(faulty: Trace, tmp_path: Path) -> None:
    writer = TraceWriter(tmp_path / "bare.kvtrace", faulty.info)
    for step in range(len(faulty)):
        facts = msgspec.structs.replace(faulty.facts(step), oracle=None, cached=None)
        names = [name for name in faulty.tensor_names(step) if name.endswith("logits")]
        writer.add_step(facts, {name: faulty.tensor(step, name) for name in names})
    writer.close("complete", None, [], [], [])
    with Trace.open(tmp_path / "bare.kvtrace") as bare:
        page = page_of(bare)
    assert "No attention was recognised in this run." in page
    assert "No keys and values were seen in this step." in page


def test_that_only_what_was_built_is_markup() -> None:
    assert el("p", el("b", "<"), "<&\x00", title='"') == '<p title="&quot;"><b>&lt;</b>&lt;&amp;\\x00</p>'


def test_that_a_large_map_keeps_its_outliers() -> None:
    cells = np.zeros((3 * MOST_CELLS + 7, 5), np.float32)
    cells[1001, 3] = -2
    assert shrunk(cells).shape == (MOST_CELLS, 5)
    assert shrunk(cells).min() == -2


def test_that_every_text_of_the_core_has_a_chinese_form_without_qt() -> None:
    assert translator("zh")("Findings") == "发现"
    assert translator("zh")("no such text") == "no such text"
    assert translator("en")("Findings") == "Findings"


@pytest.mark.slow
@pytest.mark.parametrize("language", ["en", "zh"])
def test_that_a_browser_opens_it_without_a_complaint_or_a_request(
    hostile: Trace, tmp_path: Path, language: str
) -> None:
    chromium = shutil.which("chromium") or shutil.which("google-chrome")
    if chromium is None:
        pytest.skip("needs chromium")
    file, net = tmp_path / "r.html", tmp_path / "net.json"
    file.write_text(page_of(hostile, language=language), encoding="utf-8")
    done = subprocess.run(
        [chromium, "--headless", "--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-component-update",
         f"--user-data-dir={tmp_path / 'profile'}", f"--log-net-log={net}", "--enable-logging=stderr", "--dump-dom", file.as_uri()],
        capture_output=True, text=True, timeout=120, check=True,
    )  # fmt: skip
    assert "</html>" in done.stdout
    assert "CONSOLE" not in done.stderr
    assert "evil.example" not in net.read_text(encoding="utf-8")
