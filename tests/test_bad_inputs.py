"""The faults and bad inputs that KVScope survives, by number, and the tests of each: none may lose its test unseen.

Numbers are those of the project's list of bad inputs, section 1, for arguments, prompts, models, traces and files. An
entry is FILE::TEST; one that has no test says why.
"""

import ast
from functools import cache

import pytest

from tests.core.support import ROOT

CLI, HONESTY, BAD = "core/cli/test_commands.py", "core/cli/test_honesty.py", "core/cli/test_bad_arguments.py"
TRACE, FOREIGN, HOSTILE = "core/trace/test_trace_file.py", "core/trace/test_foreign_traces.py", "core/trace/test_hostile_files.py"  # fmt: skip
SAVE, COMPARE = "core/trace/test_save_and_recovery.py", "core/compare/test_compare.py"
HF, HF_FILES = "core/targets/test_hf.py", "core/targets/test_hf_files.py"
FILES, DROPPED, ENGINE = "gui/test_window_files.py", "gui/test_window_foreign.py", "gui/test_window_engine.py"

ARGUMENT = f"{CLI}::test_that_a_wrong_argument_is_one_line_and_no_traceback"
INTERRUPTED = f"{BAD}::test_that_an_interrupted_check_saves_the_steps_so_far"
REFUSED = f"{HOSTILE}::test_that_every_hostile_file_is_refused_with_one_sentence"
BROKEN_FOLDER = f"{HF_FILES}::test_that_a_broken_folder_is_named"
CUT = f"{TRACE}::test_that_truncation_anywhere_keeps_every_complete_step"

TESTS: dict[int, list[str]] = {
    1: [f"{BAD}::test_that_an_unknown_option_names_the_nearest_one", ARGUMENT],
    2: [ARGUMENT],
    3: [ARGUMENT],
    4: [ARGUMENT],
    5: [f"{BAD}::test_that_a_tolerance_of_zero_asks_for_equal_bits"],
    6: [ARGUMENT],
    7: [f"{HF}::test_that_layouts_faults_and_devices_that_do_not_fit_are_refused", ARGUMENT],
    8: [f"{CLI}::test_that_an_existing_output_is_kept_unless_forced"],
    9: [ARGUMENT, f"{BAD}::test_that_an_output_that_is_an_input_is_refused"],
    10: [f"{HONESTY}::test_that_an_output_never_replaces_the_target_or_a_device", f"{BAD}::test_that_an_output_that_is_an_input_is_refused"],
    11: [f"{HONESTY}::test_that_a_closed_pipe_keeps_the_exit_code_of_the_comparison", f"{CLI}::test_that_a_closed_pipe_ends_quietly"],
    12: [INTERRUPTED],
    13: [INTERRUPTED],
    14: ["gui/test_application.py::test_that_a_missing_display_gets_a_message_and_exit_code_5"],
    15: [ARGUMENT],
    16: [f"{BAD}::test_that_a_prompt_with_lone_surrogates_names_the_place"],
    17: [ARGUMENT, f"{ENGINE}::test_that_a_prompt_that_does_not_fit_is_told_in_one_line"],
    18: ["core/record/test_recorder.py::test_that_a_prompt_longer_than_the_context_is_refused_and_steps_are_cut"],
    19: [ARGUMENT, "core/engine/test_texts.py::test_that_a_prompt_outside_the_vocabulary_stays_an_error"],
    21: ["gui/test_widgets_tokens.py::test_that_tokens_are_visible_and_inert", f"{BAD}::test_that_text_of_a_trace_is_inert_on_a_terminal"],
    22: [BROKEN_FOLDER, f"{HF}::test_that_nothing_is_sent_anywhere"],
    23: [f"{HF_FILES}::test_that_a_config_that_cannot_be_is_refused"],
    24: [BROKEN_FOLDER],
    25: [
        f"{HF_FILES}::test_that_weights_that_are_missing_are_listed", f"{HF_FILES}::test_that_weights_that_nothing_asks_for_are_listed",
        f"{HF_FILES}::test_that_weights_of_another_shape_are_listed",
    ],
    26: [f"{HF}::test_that_a_tokenizer_that_is_larger_than_the_model_is_named"],
    27: [f"{HF}::test_that_weights_that_are_not_finite_load_and_are_named"],
    28: [f"{HF_FILES}::test_that_a_config_that_cannot_be_is_refused"],
    29: [BROKEN_FOLDER],
    30: [f"{HF_FILES}::test_that_a_config_that_cannot_be_is_refused"],
    31: [f"{HF_FILES}::test_that_a_malformed_gguf_file_is_refused_at_once"],
    32: [f"{HF}::test_that_a_model_that_does_not_fit_is_refused_before_it_is_loaded"],
    33: [f"{HF}::test_that_the_scenarios_of_a_check_share_one_load_until_the_files_change"],
    51: ["gui/test_widgets_tables.py::test_that_slots_with_a_wrong_position_are_marked"],
    52: [f"{DROPPED}::test_that_logits_alone_give_timeline_tokens_and_verdict_and_the_other_panels_say_what_is_missing"],
    53: [f"{FOREIGN}::test_that_the_first_bad_step_of_another_programs_trace_is_found", f"{CLI}::test_that_a_planted_fault_exits_1_and_names_its_step"],
    54: [f"{HOSTILE}::test_that_files_of_other_kinds_are_recognised"],
    55: [CUT, f"{SAVE}::test_that_show_repairs_and_says_what_was_lost"],
    56: [f"{FOREIGN}::test_that_an_unknown_major_version_is_refused", f"{FOREIGN}::test_that_an_unknown_minor_version_is_read_with_a_note"],
    57: [REFUSED, f"{HONESTY}::test_that_a_trace_which_contradicts_itself_is_refused"],
    58: [f"{HOSTILE}::test_that_every_hostile_file_is_refused_at_once", f"{HOSTILE}::test_that_no_hostile_file_takes_memory"],
    59: [f"{BAD}::test_that_text_of_a_trace_is_inert_on_a_terminal", f"{HOSTILE}::test_that_nothing_but_the_file_is_touched"],
    60: [f"{COMPARE}::test_that_traces_that_do_not_fit_are_refused_with_the_reason", f"{COMPARE}::test_that_a_common_prefix_is_compared_on_request"],
    61: [f"{BAD}::test_that_a_trace_without_steps_is_no_pass"],
    62: [f"{SAVE}::test_that_a_trace_replaced_or_cut_while_open_does_no_harm"],
    63: [REFUSED, f"{TRACE}::test_that_another_zip_file_a_folder_and_a_missing_file_are_refused"],
    64: [f"{SAVE}::test_that_a_full_disk_leaves_the_steps_before_and_a_recording_that_can_still_be_closed"],
    65: [
        f"{SAVE}::test_that_a_recording_killed_at_any_moment_keeps_every_step_that_it_acknowledged",
        f"{SAVE}::test_that_saving_killed_at_any_moment_leaves_the_old_file_or_the_new_one",
    ],
    66: [f"{SAVE}::test_that_whatever_fails_while_saving_the_old_file_stays_and_nothing_is_left_beside_it"],
    67: [f"{SAVE}::test_that_a_second_recording_of_the_same_name_is_refused"],
    68: [f"{BAD}::test_that_a_strange_path_is_opened_or_named", f"{BAD}::test_that_a_path_that_cannot_be_is_refused"],
    69: [f"{ENGINE}::test_that_closing_during_a_run_ends_the_engine_within_two_seconds"],
    70: ["gui/test_window_run.py::test_that_of_many_settings_in_a_row_the_newest_wins", f"{ENGINE}::test_that_a_cancelled_run_keeps_its_steps"],
    71: [f"{DROPPED}::test_that_of_many_dropped_files_one_is_opened_and_the_rest_named"],
    72: ["gui/test_window_looks.py::test_that_junk_in_the_settings_means_defaults"],
    75: ["gui/test_application.py::test_that_a_qt_that_crashes_on_this_python_is_refused", f"{HF}::test_that_a_missing_or_old_library_says_what_to_install"],
    76: [f"{BAD}::test_that_an_internal_error_is_said_to_be_one"],
}  # fmt: skip
WITHOUT = {
    20: "decoding goes on past an end-of-sequence token: both lanes are fed the same tokens for as many steps as asked for",
    73: "sleep, resume and unplugged screens need a machine with a screen",
    74: "a read-only home needs an account without the right to write there",
}


@cache
def names_in(path: str) -> frozenset[str]:
    """Return the functions of a test file."""
    tree = ast.parse((ROOT / "tests" / path).read_text(encoding="utf-8"))
    return frozenset(node.name for node in tree.body if isinstance(node, ast.FunctionDef))


def test_that_every_number_has_a_test_or_a_reason() -> None:
    assert sorted([*TESTS, *WITHOUT]) == [*range(1, 34), *range(51, 77)]


@pytest.mark.parametrize("number", TESTS)
def test_that_the_tests_of_a_number_are_there(number: int) -> None:
    for entry in TESTS[number]:
        path, name = entry.split("::")
        assert name in names_in(path), entry
