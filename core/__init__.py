"""The debugger without a window: it imports tinylm, torch and numpy, and never Qt.

Two wings over one ground floor (errors, text, trace). The reading wing (views, verdict, report) needs numpy only; the
running wing (targets, record, engine.process) needs torch and lives in the engine process.
"""
