"""The version of KVScope."""

VERSION = "0.1.0"
