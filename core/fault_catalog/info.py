"""What is said of a planted fault, and where it can show. No torch, so that the window can ask."""

from collections.abc import Callable
from dataclasses import dataclass

from core.text import QT_TRANSLATE_NOOP, Text, Value
from tinylm.config import CONFIGS, ModelConfig

GROUPS: dict[str, Text] = {
    "positions": Text(QT_TRANSLATE_NOOP("core", "Positions")),
    "mask": Text(QT_TRANSLATE_NOOP("core", "Mask and bias")),
    "rows": Text(QT_TRANSLATE_NOOP("core", "Rows and slots")),
    "sharing": Text(QT_TRANSLATE_NOOP("core", "Sharing")),
    "values": Text(QT_TRANSLATE_NOOP("core", "Values and heads")),
    "oracle": Text(QT_TRANSLATE_NOOP("core", "The oracle")),
    "harmless": Text(QT_TRANSLATE_NOOP("core", "Harmless")),
}


@dataclass(frozen=True)
class FaultInfo:
    """A fault that can be planted.

    `cause` is what the diagnosis should call it ("none" for a healthy variant), `how` how it happens in real code,
    `looks_like` are causes that it cannot be told from in some runs, `report` a public report of the same kind, `needs` names entries of NEEDS, and `from_tokens` is the length of the
    text from which on it changes anything.
    """

    id: str
    cause: str
    group: str
    title: Text
    how: Text
    report: str | None = None
    needs: tuple[str, ...] = ()
    from_tokens: int = 0
    looks_like: tuple[str, ...] = ()

    @property
    def is_harmless(self) -> bool:
        """Whether the run must stay equivalent."""
        return self.group == "harmless"


@dataclass(frozen=True)
class Setting:
    """The run in which a fault is planted; `model` is None for a name that is none of ours."""

    model: ModelConfig | None
    layout: str
    scenario: str


@dataclass(frozen=True)
class Need:
    """What a fault needs in order to show, and the sentence for a run that does not have it."""

    is_met: Callable[[Setting], bool]
    sentence: str


def _of_model(is_met: Callable[[ModelConfig], bool]) -> Callable[[Setting], bool]:
    return lambda run: run.model is None or is_met(run.model)


def _in(*scenarios: str) -> Callable[[Setting], bool]:
    return lambda run: run.scenario in scenarios


NEEDS: dict[str, Need] = {
    "positions": Need(
        _of_model(lambda model: model.position_scheme != "alibi"),
        QT_TRANSLATE_NOOP("core", "{fault} cannot be seen on {target}: ALiBi uses the distance between cache slots, and position ids are not used"),
    ),
    "rope": Need(
        _of_model(lambda model: model.position_scheme == "rope"),
        QT_TRANSLATE_NOOP("core", "{fault} cannot be planted in {target}: it has no rotary positions"),
    ),
    "learned": Need(
        _of_model(lambda model: model.position_scheme == "learned"),
        QT_TRANSLATE_NOOP("core", "{fault} cannot be seen on {target}: it moves all positions of a row alike, and only a learned table of positions notices that"),
    ),
    "alibi": Need(
        _of_model(lambda model: model.position_scheme == "alibi"),
        QT_TRANSLATE_NOOP("core", "{fault} cannot be planted in {target}: it has no position bias (ALiBi)"),
    ),
    "several-kv-heads": Need(
        _of_model(lambda model: model.n_kv_heads > 1),
        QT_TRANSLATE_NOOP("core", "{fault} cannot be seen on {target}: with a single kv head both orders are the same"),
    ),
    "shared-kv-heads": Need(
        _of_model(lambda model: 1 < model.n_kv_heads < model.n_heads),
        QT_TRANSLATE_NOOP("core", "{fault} cannot be seen on {target}: it needs several kv heads, each shared by several query heads"),
    ),
    "spare-slots": Need(
        lambda run: run.layout != "concat",
        QT_TRANSLATE_NOOP("core", "{fault} cannot be planted in the {layout} layout: it has no unused slots"),
    ),
    "static": Need(
        lambda run: run.layout == "static",
        QT_TRANSLATE_NOOP("core", "{fault} cannot be planted in the {layout} layout: it needs one preallocated buffer (static)"),
    ),
    "window": Need(
        lambda run: run.layout == "sliding",
        QT_TRANSLATE_NOOP("core", "{fault} cannot be planted in the {layout} layout: it has no window (sliding has)"),
    ),
    "batch": Need(
        _in("batch", "ragged-batch", "beam-reorder"),
        QT_TRANSLATE_NOOP("core", "{fault} cannot be seen in {scenario}: it needs a batch of two rows"),
    ),
    "pads": Need(
        _in("ragged-batch"),
        QT_TRANSLATE_NOOP("core", "{fault} cannot be seen in {scenario}: it needs a padded row (ragged-batch)"),
    ),
    "beams": Need(
        _in("beam-reorder"),
        QT_TRANSLATE_NOOP("core", "{fault} cannot be seen in {scenario}: it needs rows that are reordered (beam-reorder)"),
    ),
    "rollback": Need(
        _in("rollback"),
        QT_TRANSLATE_NOOP("core", "{fault} cannot be seen in {scenario}: it needs tokens that are rejected (rollback)"),
    ),
    "other-run": Need(
        _in("second-run", "interleaved"),
        QT_TRANSLATE_NOOP("core", "{fault} cannot be seen in {scenario}: it needs another run on the same instance (second-run, interleaved)"),
    ),
    "run-beside": Need(
        _in("interleaved"),
        QT_TRANSLATE_NOOP("core", "{fault} cannot be seen in {scenario}: it needs two runs alive at once (interleaved)"),
    ),
    "prompt": Need(
        lambda run: run.scenario != "single-token-prompt",
        QT_TRANSLATE_NOOP("core", "{fault} cannot be seen in {scenario}: it needs a first call of several tokens"),
    ),
    "chunk": Need(
        _in("chunked-prefill", "second-turn", "rollback"),
        QT_TRANSLATE_NOOP("core", "{fault} cannot be seen in {scenario}: it needs a call of several tokens on a warm cache (chunked-prefill, second-turn, rollback)"),
    ),
}  # fmt: skip


def what_is_missing(info: FaultInfo, target: str, layout: str, scenario: str) -> Text | None:
    """Return the sentence of the first need that a run does not meet, None where the fault can show."""
    setting = Setting(CONFIGS.get(target.partition(":")[2]), layout, scenario)
    for name in info.needs:
        need = NEEDS[name]
        if not need.is_met(setting):
            values: dict[str, Value] = {
                "fault": info.id,
                "target": target,
                "layout": layout,
                "scenario": scenario,
            }
            named = {name: value for name, value in values.items() if f"{{{name}}}" in need.sentence}
            return Text(need.sentence, named)
    return None
