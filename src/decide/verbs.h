/* src/decide/verbs.h
 * The one table of what can be decided. A verb is its row here and its function, in the file that the list
 * names; decide/verb.h says what the runner gives to a function and what the function must do.
 *
 * decide/mapping.c
 *   map, clear     DRG_ENOENT: no such dict record.
 *   undo           Undoes the last decision. DRG_ENOENT: there was none; DRG_EINVAL: the last event is of a
 *                  merge or split, or the mapping was changed without a decision since (by an import).
 * decide/apart.c
 *   not_same       If the source is mapped to the dict record, that mapping is undone: the source is an open
 *                  question again, without this candidate (decision M33).
 *   undo_not_same  Does not restore a mapping that not_same has removed.
 * decide/new_record.c
 *   new            Makes a dict record from the source. DRG_EINVAL: this kind cannot be made, or a record that
 *                  the new one must refer to is not known.
 * decide/reference/merge.c, decide/reference/merge_split.c (decisions M18 to M21)
 *   merge          References to FROM (`dict_id`) are moved to INTO, FROM is removed, a redirect takes its
 *                  place. DRG_EINVAL: both are the same record, or INTO was merged into FROM; DRG_ELIMIT: more
 *                  records refer to FROM than a redirect can remember: that is known only when much is
 *                  written, so it ends the transaction.
 *   split          FROM is restored with its fields and with the references that the merge moved, except those
 *                  that were changed since: a source by a decision, any other record to another value.
 *                  DRG_EINVAL: the redirect has no journal; a record that FROM refers to does not exist; a
 *                  value that must be unique belongs to another record now.
 * decide/reference/dict_name.c (decision M41)
 *   name           The name is checked like one of an import. DRG_ENOENT: no such dict record; DRG_EINVAL: the
 *                  record was merged into another, the language is not a language tag, the text cannot be a
 *                  name, or the record would have no name left.
 *   undo_name      Undoes the last decision about the record's name in this language. DRG_ENOENT: there was
 *                  none; DRG_EINVAL: the name was changed without a decision since, as by an import.
 * decide/judge.c (decision M39)
 *   right, wrong   Write an event `audit`. A wrong mapping is removed, or replaced by the right one, and stored
 *                  as "not the same". DRG_EINVAL: the mapping is not the matcher's, or is another one by now.
 * decide/country.c (decision M44)
 *   country        The supplier's record of the country is made, if there is none, and mapped to `dict_id`, a
 *                  country. DRG_ENOENT: there is none; DRG_EINVAL: the source names no country, or it is mapped
 *                  to another one by now.
 * decide/air_map.c (decision C9)
 *   place          Maps an air supplier's identifier to the place, and removes the reports about it.
 *                  DRG_ENOENT: no such adapter or place; DRG_EINVAL: the adapter is not for air, or
 *                  external_id is not a text that can be an identifier; DRG_EEXIST, changed_since: it is not
 *                  mapped as it was seen.
 *   no_place       Removes the mapping. DRG_ENOENT also: the identifier is not mapped. */
#pragma once

/** The subject of a decision: a supplier's record; a record of the reference, which all share; an air
 * supplier's identifier. */
enum drg_about { DRG_ABOUT_SOURCE, DRG_ABOUT_DICT, DRG_ABOUT_PLACE };

/** The members that a verb needs; bits, in the order of the members of curate/decide. */
enum {
	DRG_SAYS_ADAPTER = 1,
	DRG_SAYS_KIND = 2,
	DRG_SAYS_ID = 4,
	DRG_SAYS_DICT = 8,
	DRG_SAYS_INTO = 16,
	DRG_SAYS_VERSION = 32,
	DRG_SAYS_INTO_VERSION = 64,
	DRG_SAYS_LANG = 128,
	DRG_SAYS_NAME = 256,
	DRG_SAYS_PLACE = 0,
	DRG_SAYS_SOURCE = DRG_SAYS_ADAPTER | DRG_SAYS_KIND | DRG_SAYS_ID | DRG_SAYS_VERSION,
	DRG_SAYS_PAIR = DRG_SAYS_SOURCE | DRG_SAYS_DICT,
	DRG_SAYS_RECORD = DRG_SAYS_KIND | DRG_SAYS_DICT | DRG_SAYS_VERSION,
	DRG_SAYS_TWO = DRG_SAYS_RECORD | DRG_SAYS_INTO | DRG_SAYS_INTO_VERSION,
	DRG_SAYS_NO_NAME = DRG_SAYS_RECORD | DRG_SAYS_LANG,
	DRG_SAYS_A_NAME = DRG_SAYS_NO_NAME | DRG_SAYS_NAME
};

/* The columns: DRG_VERB_…; the word of curate/decide, or NULL; DRG_ABOUT_…, which determines who may decide;
 * DRG_SAYS_…; does the verb prevent imports until the transaction ends?; DRG_HOW_… of its mapping events
 * (BATCH: that of the rest of its batch); the function. */
/* clang-format off */
#define DRG_VERB_TABLE(V) \
	V(MAP,           "map",           SOURCE, PAIR,    false, BATCH, drg_verb_map) \
	V(CLEAR,         "clear",         SOURCE, SOURCE,  false, SET,   drg_verb_clear) \
	V(NOT_SAME,      "not_same",      SOURCE, PAIR,    false, UNDO,  drg_verb_not_same) \
	V(NEW,           "new",           SOURCE, SOURCE,  true,  BATCH, drg_verb_new) \
	V(UNDO,          "undo",          SOURCE, SOURCE,  false, UNDO,  drg_verb_undo) \
	V(UNDO_NOT_SAME, "undo_not_same", SOURCE, PAIR,    false, BATCH, drg_verb_undo_not_same) \
	V(MERGE,         "merge",         DICT,   TWO,     true,  MERGE, drg_verb_merge) \
	V(SPLIT,         "split",         DICT,   RECORD,  true,  SPLIT, drg_verb_split) \
	V(NAME,          "name",          DICT,   A_NAME,  false, BATCH, drg_verb_name) \
	V(UNDO_NAME,     "undo_name",     DICT,   NO_NAME, false, BATCH, drg_verb_undo_name) \
	V(RIGHT,         "right",         SOURCE, PAIR,    false, AUDIT, drg_verb_right) \
	V(WRONG,         "wrong",         SOURCE, PAIR,    false, AUDIT, drg_verb_wrong) \
	V(COUNTRY,       "country",       SOURCE, PAIR,    false, SET,   drg_verb_country) \
	V(PLACE,         NULL,            PLACE,  PLACE,   false, BATCH, drg_verb_place) \
	V(NO_PLACE,      NULL,            PLACE,  PLACE,   false, BATCH, drg_verb_no_place)
/* clang-format on */
