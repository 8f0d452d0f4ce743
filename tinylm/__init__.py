"""A small language model whose forward takes an optional past_kv; it imports torch only, and keeps no cache and no position."""
