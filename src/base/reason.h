/* src/base/reason.h
 * The table of all words that `reason` of an error can have (decision E1). docs/contract.md lists those that
 * answers to requests have; the lint compares. A word that is not here does not compile. */
#pragma once
#include "base/compiler.h"

struct drg_reason {
	char word[32];
	int status; /**< HTTP status of the answer; 0: only commands and files use the word */
	int number; /**< 0 to DRG_REASON_COUNT - 1 */
};

/* clang-format off */
#define DRG_REASONS(R) \
	R(already_exists, 400) \
	R(answer_too_large, 400) \
	R(bad_body, 400) \
	R(bad_encoding, 400) \
	R(bad_escape, 400) \
	R(bad_flag, 400) \
	R(bad_framing, 400) \
	R(bad_header, 400) \
	R(bad_host, 400) \
	R(bad_id, 400) \
	R(bad_integer, 400) \
	R(bad_language, 400) \
	R(bad_list, 400) \
	R(bad_request, 400) \
	R(bad_target, 400) \
	R(control_character, 400) \
	R(duplicate_id, 400) \
	R(duplicate_member, 400) \
	R(empty_text, 400) \
	R(invalid_country, 400) \
	R(invalid_cursor, 400) \
	R(invalid_data_version, 400) \
	R(invalid_date, 400) \
	R(invalid_format, 400) \
	R(invalid_idempotency_key, 400) \
	R(invalid_json, 400) \
	R(invalid_near, 400) \
	R(invalid_option, 400) \
	R(invalid_password, 400) \
	R(invalid_text, 400) \
	R(invalid_time, 400) \
	R(invalid_types, 400) \
	R(invalid_utf8, 400) \
	R(missing_field, 400) \
	R(out_of_range, 400) \
	R(repeated_header, 400) \
	R(repeated_parameter, 400) \
	R(same, 400) \
	R(time_not_kept, 400) \
	R(too_deep, 400) \
	R(too_long, 400) \
	R(too_many_elements, 400) \
	R(too_many_ids, 400) \
	R(too_short, 400) \
	R(unknown_adapter, 400) \
	R(unknown_country, 400) \
	R(unknown_dep_city, 400) \
	R(unknown_hotel, 400) \
	R(unknown_kind, 400) \
	R(unknown_parameter, 400) \
	R(unknown_word, 400) \
	R(wrong_type, 400) \
	R(adapter_not_allowed, 403) \
	R(forbidden, 403) \
	R(not_authorized, 403) \
	R(other_origin, 403) \
	R(role_not_allowed, 403) \
	R(sign_in_failed, 403) \
	R(wrong_csrf_token, 403) \
	R(not_found, 404) \
	R(unknown_batch, 404) \
	R(unknown_dict, 404) \
	R(unknown_flag, 404) \
	R(unknown_key, 404) \
	R(unknown_source, 404) \
	R(unknown_user, 404) \
	R(method_not_allowed, 405) \
	R(not_acceptable, 406) \
	R(changed_since, 409) \
	R(conflict, 409) \
	R(cycle, 409) \
	R(idempotency_in_flight, 409) \
	R(merged, 409) \
	R(merged_already, 409) \
	R(needs_a_look, 409) \
	R(no_decision, 409) \
	R(no_undo, 409) \
	R(not_merged, 409) \
	R(not_unique, 409) \
	R(overlap_running, 409) \
	R(revoked_key, 409) \
	R(split, 409) \
	R(undone_already, 409) \
	R(user_exists, 409) \
	R(gone, 410) \
	R(restored, 410) \
	R(other_history, 412) \
	R(precondition_failed, 412) \
	R(body_too_large, 413) \
	R(list_too_large, 413) \
	R(address_too_long, 414) \
	R(unsupported_media_type, 415) \
	R(bad_rows, 422) \
	R(idempotency_mismatch, 422) \
	R(new_columns, 422) \
	R(not_processable, 422) \
	R(other_file, 422) \
	R(too_many_gone, 422) \
	R(too_many_attempts, 429) \
	R(too_many_requests, 429) \
	R(too_many_today, 429) \
	R(too_much_kept, 429) \
	R(headers_too_large, 431) \
	R(internal_error, 500) \
	R(not_implemented, 501) \
	R(answers_waiting, 503) \
	R(busy, 503) \
	R(import_running, 503) \
	R(lists_waiting, 503) \
	R(loading, 503) \
	R(not_stored, 503) \
	R(not_visible_yet, 503) \
	R(outcome_unknown, 503) \
	R(queue_full, 503) \
	R(shutting_down, 503) \
	R(stopping, 503) \
	R(store_away, 503) \
	R(too_many_connections, 503) \
	R(unavailable, 503) \
	R(version_not_reached, 503) \
	R(version_not_supported, 505) \
	R(bad_undo, 0) \
	R(bad_value, 0) \
	R(catalog_full, 0) \
	R(duplicate_column, 0) \
	R(invalid_address, 0) \
	R(invalid_csv, 0) \
	R(invalid_network, 0) \
	R(invalid_url, 0) \
	R(locked, 0) \
	R(missing_column, 0) \
	R(not_mapped, 0) \
	R(store_replaced, 0) \
	R(too_large, 0) \
	R(too_many_adapters, 0) \
	R(too_many_columns, 0) \
	R(too_many_languages, 0) \
	R(too_many_members, 0) \
	R(unknown_column, 0) \
	R(unknown_field, 0) \
	R(unknown_place, 0) \
	R(unknown_type, 0) \
	R(unknown_value, 0) \
	R(wrong_columns, 0)
/* clang-format on */

#define DRG_REASON_NUMBERED(word, status) DRG_REASON_NUMBER_##word,
enum drg_reason_number { DRG_REASONS(DRG_REASON_NUMBERED) DRG_REASON_COUNT };
#undef DRG_REASON_NUMBERED

#define DRG_REASON_DECLARED(word, status) extern const struct drg_reason drg_reason_##word;
DRG_REASONS(DRG_REASON_DECLARED)
#undef DRG_REASON_DECLARED

/** The reason of a word, for drg_fail(): DRG_R(missing_field). */
#define DRG_R(word) (&drg_reason_##word)

/** Find a reason by its word, for an error that is passed on; NULL: there is none. */
const struct drg_reason *drg_reason_find(const char *word);
/** @param number  Below DRG_REASON_COUNT. */
const struct drg_reason *drg_reason_at(int number);
