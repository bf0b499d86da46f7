/* src/cli/lists/names.h
 * The index of names (names/index.h) for a command, beside the data; and what listings say of dict
 * records. */
#pragma once
#include "names/index.h"
#include "cli/listing.h"

/** @param type  See struct drg_name_index_options. @param ret  To be closed. @return DRG_OK; with cli->err
 * set. */
DRG_MUSTCHECK
int drg_cli_names(struct drg_cli *cli, struct drg_store *s, enum drg_type_id type,
                  struct drg_name_index **ret);

/** The name of a dict record, in English where there is that; empty where there is no such record. May be
 * asked while rows are given. */
DRG_MUSTCHECK
int drg_list_dict_name(struct drg_store *s, enum drg_kind kind, int64_t id, struct drg_buf *out,
                       struct drg_err *reterr);

/** The cells city and country of a dict record: their names, in English where there is that. */
DRG_MUSTCHECK
int drg_list_place(struct drg_listing *l, struct drg_store *s, const struct drg_record *r,
                   struct drg_err *reterr);
/** The cells name, city and country. @return DRG_OK; DRG_ENOENT: it has gone. */
DRG_MUSTCHECK
int drg_list_dict_names(struct drg_listing *l, struct drg_store *s, enum drg_kind kind, int64_t id,
                        struct drg_err *reterr);
