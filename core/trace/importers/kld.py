"""Base files of llama-perplexity (`--save-all-logits F.kld`, once `--kl-divergence-base`): log-probabilities in 16 bits.

    "_logits_"   n_ctx uint32   n_vocab int32   n_chunk int32   tokens int32 [n_chunk, n_ctx]
    then of each chunk the rows of the tokens n_ctx/2 ... n_ctx-2, each: scale float32, lowest float32, codes uint16 [n_vocab, made even]

A code c stands for the log-probability scale * c + lowest; what lies more than 16 below the largest logit is cut off.
Chunks were run each by itself, so they are the rows of a batch: the first step feeds the tokens whose logits were
not kept and the first one whose were, each further step one token.
"""

import os
import struct
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from core.errors import UnreadableError
from core.text import QT_TRANSLATE_NOOP
from core.trace.foreign_file import open_regular
from core.trace.made import MadeTrace
from core.trace.reader import Trace
from core.trace.records import EndFacts, ModelShape, RunInfo, StepFacts

MAGIC = b"_logits_"
HEAD = struct.Struct("<8sIii")
ROW_HEAD = 8  # bytes: scale and lowest
FLOOR = 16.0
TOLERANCE = 5e-4  # a code is at most 16 / 65535 wide
STEP_NBYTES = 64 << 20  # of float32 that a step may have, over all chunks
MAX_VOCAB = 1 << 22
MAX_CONTEXT = 1 << 20


class KldImporter:
    """Reads them without more than a step in memory."""

    def recognises(self, path: Path, head: bytes) -> bool:
        return head.startswith(MAGIC)

    def open(self, path: Path) -> Trace:
        fd = open_regular(path)
        try:
            file = _KldFile(path, fd)
        except BaseException:
            os.close(fd)
            raise
        return MadeTrace(path, file.info(), EndFacts(status="complete", n_steps=file.n_rows), file.facts, file.arrays, file.close)  # fmt: skip


class _KldFile:
    """Chunks whose rows are all there; a file that was cut off ends with its last complete chunk."""

    def __init__(self, path: Path, fd: int) -> None:
        self.path, self._fd = path, fd
        size = os.fstat(fd).st_size
        head = os.pread(fd, HEAD.size, 0)
        if len(head) < HEAD.size:
            raise self._damaged("it is shorter than its header")
        _, self.n_ctx, self.n_vocab, n_chunk = HEAD.unpack(head)
        if not (4 <= self.n_ctx <= MAX_CONTEXT and 1 <= self.n_vocab <= MAX_VOCAB and n_chunk >= 1):
            raise self._damaged(
                f"it claims {n_chunk} chunks of {self.n_ctx} tokens, and a vocabulary of {self.n_vocab}"
            )
        self._rows_at = HEAD.size + 4 * n_chunk * self.n_ctx
        if self._rows_at > size:
            raise self._damaged(f"it claims {n_chunk} chunks of {self.n_ctx} tokens and has {size} bytes")
        self.first = self.n_ctx // 2
        self.n_rows = self.n_ctx - 1 - self.first
        self._row_nbytes = ROW_HEAD + 4 * ((self.n_vocab + 1) // 2)
        n_there = (size - self._rows_at) // (self.n_rows * self._row_nbytes)
        self.n_claimed, self.n_there = n_chunk, min(n_chunk, n_there)
        self.n_chunk = min(self.n_there, max(1, STEP_NBYTES // (4 * self.n_vocab)))
        if not self.n_chunk:
            raise self._damaged("no chunk of it is complete")
        ids = self._read(4 * self.n_chunk * self.n_ctx, HEAD.size)
        self.tokens = np.frombuffer(ids, "<i4").reshape(self.n_chunk, self.n_ctx)
        if self.tokens.min() < 0 or self.tokens.max() >= self.n_vocab:
            raise self._damaged("it names tokens outside its vocabulary")

    def close(self) -> None:
        os.close(self._fd)

    def info(self) -> RunInfo:
        notes = []
        if self.n_there < self.n_claimed:
            notes.append(f"cut off: {self.n_there} of {self.n_claimed} chunks are complete")
        if self.n_chunk < self.n_there:
            notes.append(f"only the first {self.n_chunk} of {self.n_there} chunks are read")
        return RunInfo(
            target="llama-perplexity", scenario="decode", model=ModelShape(dtype="float32", vocab_size=self.n_vocab),
            prompt_ids=self.tokens[:, : self.first + 1].tolist(), steps=self.n_rows, tolerance=TOLERANCE,
            notes=notes, logits="log-probs", logits_floor=FLOOR,
        )  # fmt: skip

    def facts(self, step: int) -> StepFacts:
        chosen = [int(row) for row in self.log_probs(step).argmax(-1)]
        begin = 0 if step == 0 else self.first + step
        return StepFacts(
            step_index=step, kind="decode" if step else "prefill", tokens=self.tokens[:, begin : self.first + step + 1].tolist(),
            text_len=self.first + step + 1, max_abs_diff=None, is_compared=False, argmax_oracle=chosen, argmax_cached=chosen,
        )  # fmt: skip

    def arrays(self, step: int) -> dict[str, NDArray[Any]]:
        tokens = np.array(self.facts(step).tokens, np.int64)
        return {"tokens": tokens, "cached/logits": self.log_probs(step)[:, None]}

    def log_probs(self, step: int) -> NDArray[np.float32]:
        """Return (chunks, n_vocab) of the token whose logits are the step's newest row."""
        return np.stack([self._row(chunk, step) for chunk in range(self.n_chunk)])

    def _row(self, chunk: int, row: int) -> NDArray[np.float32]:
        offset = self._rows_at + (chunk * self.n_rows + row) * self._row_nbytes
        data = self._read(self._row_nbytes, offset)
        scale, lowest = struct.unpack_from("<ff", data)
        if not (np.isfinite(scale) and np.isfinite(lowest) and scale >= 0):
            raise self._damaged(f"a row at byte {offset} is not finite")
        codes = np.frombuffer(data, "<u2", self.n_vocab, ROW_HEAD)
        with np.errstate(over="ignore"):  # a scale that no logits have: infinite ones are told further on
            return np.asarray(np.float32(scale) * codes + np.float32(lowest), np.float32)

    def _read(self, size: int, offset: int) -> bytes:
        data = os.pread(self._fd, size, offset)
        if len(data) < size:
            raise self._damaged("it has become shorter")
        return data

    def _damaged(self, why: str) -> UnreadableError:
        template = QT_TRANSLATE_NOOP("core", "{path} is no readable base file of llama-perplexity: {why}")
        return UnreadableError(template, path=str(self.path), why=why)
