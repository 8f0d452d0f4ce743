"""Text to ids and back: one id a character, with UTF-8 bytes for characters that the vocabulary lacks.

Ids 0..255 are bytes, so an ASCII character is its own code. Ids from 256 on are the characters of EXTRA_CHARS.
Any text can be encoded, and decode(encode(text)) == text.
"""

N_BYTES = 256
EXTRA_CHARS = (
    "、。一上下不与且个中为主久之也书了二于交人从他付令以件价会余保借元入公关其内再写准出函分到前剩副办务包区单原发取另可号合同名后向员和回因在地址块复大天字定审对将"
    "小少尚就属差已币布平并开归当录待得总息意户手才批抽指据控提支收放文料方无日明是晚月有期未末本查样核格案档检欠次款步每民求汇没沿注清物率现由的相确票立笔符第签算管"
    "约纳组结给续编缺自至致行补要见规计订认记论证询该误说请财账货贷费资起超转达过这追退部重金钱银闭问附限需面项额风（），："
)
VOCAB_SIZE = 512

_ID_OF_CHAR = {char: N_BYTES + index for index, char in enumerate(EXTRA_CHARS)}


def encode(text: str) -> list[int]:
    """Return the ids of `text`; a lone surrogate raises UnicodeEncodeError."""
    ids: list[int] = []
    for char in text:
        known = _ID_OF_CHAR.get(char)
        ids.extend(char.encode("utf-8") if known is None else [known])
    return ids


def decode(ids: list[int]) -> str:
    """Return the text of `ids`; bytes that are no UTF-8, and ids without a character, become U+FFFD."""
    return b"".join(_bytes_of(token_id) for token_id in ids).decode("utf-8", errors="replace")


def _bytes_of(token_id: int) -> bytes:
    if 0 <= token_id < N_BYTES:
        return bytes([token_id])
    index = token_id - N_BYTES
    char = EXTRA_CHARS[index] if 0 <= index < len(EXTRA_CHARS) else "\N{REPLACEMENT CHARACTER}"
    return char.encode("utf-8")
