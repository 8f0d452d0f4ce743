"""The command line: strict numbers, and errors in one line that say what to do."""

import argparse
import difflib
import math
import re
from typing import Any, Literal, NoReturn

from core import catalog
from core.engine.hang import STARTUP_S
from core.engine.messages import DEFAULT_STEP_TIMEOUT_S, RunSpec
from core.errors import UsageError
from core.text import QT_TRANSLATE_NOOP
from core.version import VERSION

DTYPES = {"fp32": "float32", "fp64": "float64", "bf16": "bfloat16", "fp16": "float16"}
COMMANDS = ("check", "show", "report", "compare", "profile", "faults", "selftest", "screenshot")


class Parser(argparse.ArgumentParser):
    """argparse whose errors are one line, name the nearest option, and carry our exit code."""

    def error(self, message: str) -> NoReturn:
        unknown = re.search(r"unrecognized arguments: (\S+)", message)
        near = []
        if unknown:  # the word may be an option of another command
            known = set(_options(self)) - {unknown.group(1)}
            near = difflib.get_close_matches(unknown.group(1), sorted(known), 1)
        hint = f"did you mean {near[0]}?" if near else f"see: {self.prog} --help"
        raise UsageError("{message}; {hint}", message=message, hint=hint)


def _options(parser: argparse.ArgumentParser) -> list[str]:
    """Return the options of a parser and of its commands."""
    options: list[str] = []
    for action in parser._actions:
        options += action.option_strings
        if isinstance(action, argparse._SubParsersAction):
            options += [option for command in action.choices.values() for option in _options(command)]
    return options


def make_parser() -> argparse.ArgumentParser:
    """Return the parser of all commands; without a command it is the window's."""
    parser = Parser(
        prog="main.py",
        description="KVScope: does KV-cached decoding mean the same as recomputing the whole prefix?",
        epilog="Without a command the window opens: main.py [TARGET | TRACE], with the run options of check.",
        allow_abbrev=False,
    )
    parser.add_argument("--version", action="version", version=f"KVScope {VERSION}")
    commands = parser.add_subparsers(dest="command", required=True, parser_class=Parser)
    _add_check(
        commands.add_parser(
            "check",
            help="run the scenarios; exit code 0 equivalent, 1 divergent",
            allow_abbrev=False,
            epilog="Exit codes: 0 equivalent, 1 divergent, 2 usage, 3 unreadable input, 4 the target failed, 5 environment, 130 interrupted. "
            "A target that raises in a step fails that scenario, the others are run, and the code is 4; "
            "one that does not load, hangs or dies ends the check with 4.",
        )
    )
    show = commands.add_parser("show", help="what is in a trace", allow_abbrev=False)
    show.add_argument("trace", metavar="TRACE")
    show.add_argument("--json", action="store_true", help="as JSON on stdout")
    show.add_argument(
        "--tolerance", type=tolerance, metavar="X", help="judge by this tolerance instead of the recorded one"
    )
    show.add_argument(
        "--allow-partial",
        action="store_true",
        help="exit by the verdict although the recording was not closed",
    )
    show.add_argument(
        "--repair",
        metavar="F",
        help="write every complete step of a damaged trace to F, which is closed; TRACE stays as it is",
    )
    show.add_argument("--force", action="store_true", help="replace F if it exists")
    _add_report(commands.add_parser("report", help="a trace as one HTML file", allow_abbrev=False))
    _add_compare(
        commands.add_parser(
            "compare",
            help="two traces of the same tokens, from two engines, machines or dtypes",
            allow_abbrev=False,
            epilog="Exit codes: 0 equivalent, 1 divergent, 3 unreadable or not of the same tokens.",
        )
    )
    _add_profile(
        commands.add_parser(
            "profile", help="time and memory, only after the check passed", allow_abbrev=False
        )
    )
    faults = commands.add_parser("faults", help="the faults that can be planted", allow_abbrev=False)
    faults.add_argument("--json", action="store_true", help="as JSON on stdout")
    test = commands.add_parser(
        "selftest", help="every planted fault on every model, layout and scenario", allow_abbrev=False
    )
    test.add_argument("--quick", action="store_true", help="one layout and a few scenarios")
    test.add_argument(
        "--fault", action="append", default=[], metavar="ID", help="this fault only; may be repeated"
    )
    test.add_argument("--jobs", type=count, default=0, metavar="N", help="processes (default: one a core)")
    test.add_argument("--json", metavar="F", help="write all runs as JSON; - is stdout")
    shot = commands.add_parser(
        "screenshot", help="the window as a picture, no display needed", allow_abbrev=False
    )
    _add_run_options(shot)
    shot.add_argument("-o", "--output", required=True, metavar="F.png")
    shot.add_argument(
        "--step", type=count, metavar="N", help="the step to show (default: the first bad one, else the last)"
    )
    shot.add_argument("--theme", choices=("light", "dark"), default="light")
    shot.add_argument("--lang", choices=("en", "zh"), default="en")
    shot.add_argument("--scale", type=scale, default=1.0, metavar="S", help="pixels per point, 1 to 4")
    shot.add_argument("--size", type=size, default=(1500, 950), metavar="WxH")
    return parser


def make_window_parser() -> argparse.ArgumentParser:
    """Return the parser of `main.py [TARGET | TRACE]`."""
    parser = Parser(prog="main.py", description="Open the window.", allow_abbrev=False)
    _add_run_options(parser)
    return parser


def _add_check(parser: argparse.ArgumentParser) -> None:
    _add_run_options(parser)
    parser.set_defaults(scenario="all")
    parser.add_argument(
        "--mode",
        choices=("forced", "free"),
        default="forced",
        help="free: besides, each lane goes on from its own tokens",
    )
    parser.add_argument(
        "--sample",
        action="store_true",
        help="draw the tokens of the free run instead of taking the likeliest",
    )
    parser.add_argument("--temperature", type=temperature, metavar="T", help="of --sample (default 1)")
    parser.add_argument("--seed", type=count, metavar="N", help="of --sample (default 0)")
    parser.add_argument("--json", metavar="F", help="write the result as JSON; - is stdout")
    parser.add_argument("--report", metavar="F.html", help="write one self-contained HTML file")
    parser.add_argument(
        "--suite",
        choices=("audit",),
        help="prompts in which a wrong token matters; with --fault all, what the text shows of each fault",
    )
    parser.add_argument("--junit", metavar="F.xml", help="write JUnit XML, one test case a scenario")
    _add_wording(parser)
    parser.add_argument(
        "--trace", metavar="F", help="keep the trace: a file with one scenario, a folder with several"
    )
    parser.add_argument("--force", action="store_true", help="replace output files that exist")
    parser.add_argument(
        "--oracle",
        choices=("auto", "one-pass", "stepwise"),
        default="auto",
        help="recompute the prefix every step, or once over the whole text where the model is causal "
        "(auto: one pass for targets that are not built in and whose stepwise oracle would take seconds)",
    )
    parser.add_argument("--quiet", action="store_true", help="no table, no progress")


def _add_profile(parser: argparse.ArgumentParser) -> None:
    _add_run_options(parser)
    parser.set_defaults(scenario="all")
    parser.add_argument(
        "--lengths", type=sizes, default=(), metavar="N,N", help="tokens in the cache before the timed step"
    )
    parser.add_argument("--batches", type=sizes, default=(), metavar="N,N", help="batch sizes")
    parser.add_argument(
        "--repeats", type=steps, default=7, metavar="N", help="timed calls of each kind, at least (default 7)"
    )
    parser.add_argument(
        "--threads", type=steps, metavar="N", help="threads of torch (default: its own choice)"
    )
    parser.add_argument("--json", metavar="F", help="write the profile as JSON; - is stdout")
    parser.add_argument(
        "--report", metavar="F.html", help="write the report of the check with the profile in it"
    )
    parser.add_argument("--force", action="store_true", help="replace output files that exist")
    parser.add_argument("--quiet", action="store_true", help="no table, no progress")
    parser.set_defaults(oracle="auto")
    _add_wording(parser)


def _add_report(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("trace", metavar="TRACE")
    parser.add_argument("-o", "--output", metavar="F.html", help="one self-contained file; - is stdout")
    parser.add_argument(
        "--tolerance", type=tolerance, metavar="X", help="judge by this tolerance instead of the recorded one"
    )
    parser.add_argument("--force", action="store_true", help="replace output files that exist")
    _add_wording(parser)


def _add_wording(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--notes", metavar="F.md", help="write lab notes: five headings, measured values only"
    )
    parser.add_argument("--lang", choices=("en", "zh"), default="en", help="language of what is written")
    parser.add_argument(
        "--sensitive",
        action="append",
        default=[],
        metavar="REGEX",
        help="text in which a wrong token matters, beside amounts, dates, addresses, accounts and ids; may be repeated",
    )


def _add_compare(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "a", metavar="A", help="the reference: a trace, a .kld file, or a debug tree of transformers"
    )
    parser.add_argument("b", metavar="B")
    parser.add_argument(
        "--map", metavar="F", help='JSON: {"names": {"name in B": "name in A"}, "without": ["name"]}'
    )
    parser.add_argument(
        "--without", action="append", default=[], metavar="PATTERN", help="leave tensors out; may be repeated"
    )
    parser.add_argument("--logits-only", action="store_true", help="compare nothing but logits")
    parser.add_argument(
        "--lane", choices=("cached", "oracle"), help="of a trace that has both (default cached)"
    )
    parser.add_argument("--prefix", action="store_true", help="compare what both traces begin with")
    parser.add_argument(
        "--tolerance", type=tolerance, metavar="X", help="default: by the narrower dtype of the two"
    )
    parser.add_argument("--json", metavar="F", help="write the result as JSON; - is stdout")
    parser.add_argument("--trace", metavar="F", help="keep the comparison as a trace")
    parser.add_argument("--force", action="store_true", help="replace output files that exist")
    parser.add_argument("--quiet", action="store_true", help="no table")


def _add_run_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "target",
        nargs="?",
        metavar="TARGET",
        help=f"{', '.join(catalog.MODELS)} (default {catalog.DEFAULT_TARGET}), a Python file my_model.py, hf:FOLDER or hf:FILE.gguf",
    )
    parser.add_argument(
        "--scenario", default="decode", metavar="NAME", help=f"all, or one of: {', '.join(catalog.SCENARIOS)}"
    )
    parser.add_argument(
        "--layout",
        metavar="L",
        help=f"one of: {', '.join(catalog.LAYOUTS)}; for hf: one of: {', '.join(catalog.HF_LAYOUTS)}",
    )
    parser.add_argument(
        "--fault",
        action="append",
        default=[],
        metavar="ID",
        help="plant a fault (see: main.py faults); may be repeated",
    )
    prompt = parser.add_mutually_exclusive_group()
    prompt.add_argument("--prompt", metavar="TEXT")
    prompt.add_argument("--prompt-ids", type=id_list, metavar="1,2,3")
    parser.add_argument(
        "--steps",
        type=steps,
        default=catalog.DEFAULT_STEPS,
        metavar="N",
        help=f"decode steps (default {catalog.DEFAULT_STEPS})",
    )
    parser.add_argument(
        "--tolerance",
        type=tolerance,
        metavar="X",
        help="largest |logit difference| that counts as equal (default auto, by dtype)",
    )
    parser.add_argument(
        "--step-timeout",
        type=seconds,
        default=DEFAULT_STEP_TIMEOUT_S,
        metavar="S",
        help=f"end a target whose step takes longer (default {DEFAULT_STEP_TIMEOUT_S:g} s; loading gets {STARTUP_S:g} s more)",
    )
    parser.add_argument(
        "--shared", action="store_true", help="load a target file once for both lanes (big models)"
    )
    parser.add_argument("--dtype", type=dtype, metavar="D", help=f"one of: {', '.join(DTYPES)}")
    parser.add_argument(
        "--device", metavar="D", help=f"for hf: one of: {', '.join(catalog.DEVICES)} (default cpu)"
    )
    parser.add_argument(
        "--allow-network", action="store_true", help="let hf:OWNER/NAME be downloaded; never done otherwise"
    )


def run_spec(args: argparse.Namespace, scenario: str) -> RunSpec:
    """Return what to run for one scenario."""
    oracle: Literal["stepwise", "one-pass", "auto"] = getattr(args, "oracle", "stepwise")
    if oracle == "auto" and (args.target is None or args.target in catalog.MODELS):
        oracle = "stepwise"
    if args.prompt is not None:
        _check_text(args.prompt)
    target = args.target or catalog.DEFAULT_TARGET
    _check_options(args, target)
    return RunSpec(
        target=target, scenario=scenario, layout=args.layout or catalog.default_layout(target), faults=tuple(args.fault),
        prompt=args.prompt, prompt_ids=args.prompt_ids, steps=args.steps, tolerance=args.tolerance, dtype=args.dtype,
        shared=args.shared, oracle=oracle, device=args.device, allow_network=args.allow_network,
        step_timeout_s=args.step_timeout, **_sampling(args),
    )  # fmt: skip


def _sampling(args: argparse.Namespace) -> dict[str, Any]:
    """Return how a free run chooses; sampling is none of the comparison that the verdict rests on."""
    mode, is_sampled = getattr(args, "mode", "forced"), getattr(args, "sample", False)
    temperature, seed = getattr(args, "temperature", None), getattr(args, "seed", None)
    if is_sampled and mode != "free":
        raise UsageError(
            QT_TRANSLATE_NOOP(
                "core", "--sample is for --mode free: the verdict rests on greedy tokens, fed to both lanes"
            )
        )
    if not is_sampled and (temperature is not None or seed is not None):
        raise UsageError(QT_TRANSLATE_NOOP("core", "--temperature and --seed are for --sample"))
    return {"mode": mode, "temperature": (temperature or 1.0) if is_sampled else None, "seed": seed or 0}


def _check_options(args: argparse.Namespace, target: str) -> None:
    """Refuse options that mean nothing for the kind of target: ignored, they would seem to have been tested."""
    is_hf, is_tiny = target.startswith(catalog.HF_PREFIX), target.startswith(catalog.TINY_PREFIX)
    if args.layout and not (is_hf or is_tiny):
        template = QT_TRANSLATE_NOOP(
            "core", "--layout is for built-in models and hf: targets; {target} brings its own cache"
        )
        raise UsageError(template, target=target)
    if args.allow_network and not is_hf:
        template = QT_TRANSLATE_NOOP("core", "--allow-network is for hf: targets; {target} is local")
        raise UsageError(template, target=target)
    if args.shared and (is_hf or is_tiny):
        template = QT_TRANSLATE_NOOP(
            "core", "--shared is for target files; {target} has its weights loaded once in any case"
        )
        raise UsageError(template, target=target)


def _check_text(prompt: str) -> None:
    """Refuse what is no text: bytes of the command line that are no UTF-8 arrive as lone surrogates."""
    try:
        prompt.encode()
    except UnicodeEncodeError as error:
        template = QT_TRANSLATE_NOOP(
            "core",
            "the prompt is not valid text at character {at} (a lone surrogate); give its ids with --prompt-ids",
        )
        raise UsageError(template, at=error.start) from error


def count(text: str) -> int:
    """A whole number from 0 on, in plain digits: int() would take 1_000 and other scripts' digits too."""
    if not re.fullmatch(r"[0-9]{1,9}", text):
        raise argparse.ArgumentTypeError(f"{text!r} is not a whole number in plain digits")
    return int(text)


def steps(text: str) -> int:
    number = count(text)
    if not 1 <= number <= catalog.MAX_STEPS:
        raise argparse.ArgumentTypeError(f"steps must be 1 to {catalog.MAX_STEPS}, not {text}")
    return number


def tolerance(text: str) -> float | None:
    """auto, or a finite number from 0 on; 0 asks for bit-exact equality."""
    if text == "auto":
        return None
    try:
        number = float(text) if re.fullmatch(r"[-+0-9.eE]+", text) else math.nan
    except ValueError:
        number = math.nan
    if not (math.isfinite(number) and number >= 0):
        raise argparse.ArgumentTypeError(
            f"{text!r} is no tolerance; give auto or a number from 0 on, such as 5e-4"
        )
    return number


def temperature(text: str) -> float:
    number = float(text) if re.fullmatch(r"[0-9]+(\.[0-9]+)?", text) else 0.0
    if not 0.01 <= number <= 100:
        raise argparse.ArgumentTypeError(f"{text!r} is no temperature; give a number from 0.01 to 100")
    return number


def dtype(text: str) -> str:
    """Return torch's name of a dtype that is given as fp32 or float32."""
    name = DTYPES.get(text, text)
    if name not in DTYPES.values():
        raise argparse.ArgumentTypeError(f"unknown dtype {text!r}; choose one of: {', '.join(DTYPES)}")
    return name


def seconds(text: str) -> float:
    number = float(text) if re.fullmatch(r"[0-9]+(\.[0-9]+)?", text) else 0.0
    if number <= 0:
        raise argparse.ArgumentTypeError(f"{text!r} is no time; give seconds, more than 0")
    return number


def id_list(text: str) -> tuple[int, ...]:
    parts = text.split(",") if text.strip() else []
    for place, part in enumerate(parts):
        if not re.fullmatch(r"\s*-?[0-9]{1,9}\s*", part):
            raise argparse.ArgumentTypeError(
                f"{part!r} at place {place} is not a token id; give ids such as 3,1,4"
            )
    return tuple(int(part) for part in parts)


def sizes(text: str) -> tuple[int, ...]:
    numbers = id_list(text)
    if not numbers or min(numbers) < 1 or len(numbers) > 16:
        raise argparse.ArgumentTypeError(f"{text!r} are no sizes; give up to 16 from 1 on, such as 32,128")
    return tuple(sorted(set(numbers)))


def scale(text: str) -> float:
    number = float(text) if re.fullmatch(r"[0-9]+(\.[0-9]+)?", text) else 0.0
    if not 1 <= number <= 4:
        raise argparse.ArgumentTypeError(f"{text!r} is no scale; give a number from 1 to 4")
    return number


def size(text: str) -> tuple[int, int]:
    match = re.fullmatch(r"([0-9]{3,4})x([0-9]{3,4})", text)
    if match is None:
        raise argparse.ArgumentTypeError(f"{text!r} is no size; give one such as 1500x950")
    return int(match.group(1)), int(match.group(2))
