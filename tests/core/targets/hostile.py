"""Targets that misbehave, as source: each is a healthy toy with one thing changed. They are written to files by the tests."""

HEALTHY = '''
import torch
torch.manual_seed(0)
table = torch.randn(11, 11)

def full(ids):
    """Logits that depend on the sum of the text so far."""
    return table[ids.cumsum(1) % 11]

def cached(ids, cache):
    start = torch.zeros(ids.shape[0], 1, dtype=torch.int64) if cache is None else cache
    sums = start + ids.cumsum(1)
    return table[sums % 11], sums[:, -1:]

vocab_size = 11
'''


def with_full(body: str) -> str:
    return (
        HEALTHY
        + f"\nimport os, sys, time, ctypes, signal\nn_calls = 0\n_full = full\ndef full(ids):\n    global n_calls\n    n_calls += 1\n    {body}\n"
    )


def with_cached(body: str) -> str:
    return HEALTHY + (
        "\nimport os, sys, time, ctypes, signal\nimport numpy as np\nn_calls = 0\n_cached = cached\n"
        f"def cached(ids, cache):\n    global n_calls\n    n_calls += 1\n    {body}\n"
    )


LATER = "if n_calls == 3: "
GO_ON = "\n    return _cached(ids, cache)"

# name -> (source, exit code, words of the message)
FAILING = {
    "raises at import": ("1 / 0", 4, "ZeroDivisionError"),
    "syntax error": ("def full(ids:\n", 4, "not valid Python"),
    "bad encoding": ("# coding: no-such-codec\n", 4, "not valid Python"),
    "no full": ("def cached(ids, cache): pass\n", 4, "defines no full()"),
    "raises in step": (with_cached(LATER + "raise KeyError('k')" + GO_ON), 4, "KeyError"),
    "sys.exit at import": ("import sys; sys.exit(0)", 4, "ended without a result"),
    "sys.exit in step": (with_cached(LATER + "sys.exit(0)" + GO_ON), 4, "ended without a result"),
    "os._exit": (with_cached(LATER + "os._exit(0)" + GO_ON), 4, "ended without a result"),
    "keyboard interrupt": (with_cached(LATER + "raise KeyboardInterrupt" + GO_ON), 4, "KeyboardInterrupt"),
    "segfault": (with_cached(LATER + "ctypes.string_at(0)" + GO_ON), 4, "SIGSEGV"),
    "killed": (with_cached(LATER + "os.kill(os.getpid(), signal.SIGKILL)" + GO_ON), 4, "SIGKILL"),
    "deep recursion": (with_cached("f = lambda: f()\n    " + LATER + "f()" + GO_ON), 4, "RecursionError"),
    "hangs in python": (with_cached(LATER + "\n        while True: pass" + GO_ON), 4, "did not end within"),
    "hangs in C": (with_cached(LATER + "time.sleep(10**6)" + GO_ON), 4, "did not end within"),
    "ignores SIGTERM and hangs": (
        with_cached("signal.signal(signal.SIGTERM, signal.SIG_IGN)\n    " + LATER + "time.sleep(10**6)" + GO_ON), 4, "did not end within"),
    "returns None": (with_cached(LATER + "return None" + GO_ON), 4, "cached() returned NoneType"),
    "returns a bare tensor": (with_cached("return _cached(ids, cache)[0]"), 4, "cached() returned Tensor"),
    "returns a list": (with_cached("logits, cache = _cached(ids, cache)\n    return logits.tolist(), cache"), 4, "returned list as logits"),
    "returns integers": (with_cached("logits, cache = _cached(ids, cache)\n    return logits.long(), cache"), 4, "expected a float tensor"),
    "meta tensor": (with_cached("logits, cache = _cached(ids, cache)\n    return logits.to('meta'), cache"), 4, "on meta"),
    "sparse tensor": (with_cached("logits, cache = _cached(ids, cache)\n    return logits.to_sparse(), cache"), 4, "sparse"),
    "no time axis": (with_full("return _full(ids)[:, -1]"), 4, "expected"),
    "last row only": (with_cached("logits, cache = _cached(ids, cache)\n    return logits[:, -1:], cache"), 4, "expected (1, 8, 11)"),
    "other vocabulary": (with_cached("logits, cache = _cached(ids, cache)\n    return logits[..., :7], cache"), 4, "expected (1, 8, 11)"),
    "vocab_size is text": (HEALTHY + "\nvocab_size = 'many'\n", 4, "expected a whole number"),
    "unseeded weights": (HEALTHY.replace("torch.manual_seed(0)", "torch.seed()"), 4, "not seeded"),
    "dropout": (with_full("return torch.nn.functional.dropout(_full(ids), 0.5)"), 4, "not reproducible"),
}  # fmt: skip

DIVERGENT = {
    "NaN in one lane": with_cached("logits, cache = _cached(ids, cache)\n    " + LATER + "logits = logits * float('nan')\n    return logits, cache"),
    "inf in one lane": with_cached("logits, cache = _cached(ids, cache)\n    " + LATER + "logits = logits + float('inf')\n    return logits, cache"),
    "NaN in both lanes": HEALTHY.replace("table = torch.randn(11, 11)", "table = torch.randn(11, 11); table[3, 3] = float('nan')"),
    "mutated cache": with_cached(LATER + "cache.add_(1)" + GO_ON),
}  # fmt: skip

HEALTHY_ALL_THE_SAME = {
    "plain": HEALTHY,
    "prints megabytes": with_cached("print('x' * 2_000_000)" + GO_ON),
    "closes stdout": with_cached("if n_calls == 1: sys.stdout.close(); os.close(1)" + GO_ON),
    "changes directory": with_cached("os.chdir('/')" + GO_ON),
    "changes default dtype": with_cached("torch.set_default_dtype(torch.float64)" + GO_ON),
    "changes threads": with_cached("torch.set_num_threads(2)" + GO_ON),
    "reseeds": with_cached("torch.manual_seed(n_calls)" + GO_ON),
    "forks": with_cached("if n_calls == 2: os.fork()" + GO_ON),
    "leaves a child": with_cached("import subprocess\n    if n_calls == 2: subprocess.Popen(['sleep', '1000'])" + GO_ON),
    "numpy": with_cached("logits, cache = _cached(ids, cache)\n    return logits.numpy(), cache"),
    "requires grad": HEALTHY.replace("torch.randn(11, 11)", "torch.randn(11, 11, requires_grad=True)"),
    "expanded": with_cached("logits, cache = _cached(ids, cache)\n    return logits[:, :, None].expand(-1, -1, 2, -1)[:, :, 0], cache"),
    "same tensor every time": with_cached(
        "logits, cache = _cached(ids, cache)\n    global out\n    out = globals().get('out', torch.empty(1, 99, 11))\n"
        "    out[:, :ids.shape[1]] = logits\n    return out[:, :ids.shape[1]], cache"),
    "changes its ids": with_cached("result = _cached(ids, cache)\n    ids.zero_()\n    return result"),
    "object from load()": HEALTHY + "\nimport types\nmade = types.SimpleNamespace(full=full, cached=cached)\ndel full, cached\ndef load(): return made\n",
    "reads stdin": with_cached("sys.stdin.read()" + GO_ON),
}  # fmt: skip
