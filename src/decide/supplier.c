#include "decide/supplier.h"

#include <string.h>

#include "model/key.h"
#include "model/value.h"
#include "text/utf8.h"

/* A code is typed in commands, stands in lists between commas, and is not a number, which would be an id. */
static int supplier_code(struct drg_str code, struct drg_err *reterr)
{
	int64_t number;
	int rc = drg_field_check_text(DRG_TYPE_ADAPTER, DRG_F_CODE, code, reterr);
	if (rc != DRG_OK || (!drg_str_to_i64(code, &number) && !drg_utf8_has(code, true) &&
	                     memchr(code.p, ',', code.n) == NULL))
		return rc;
	return drg_fail(
	        reterr, DRG_EINVAL, DRG_R(bad_value), "code",
	        "code: expected a word such as sunny, without blanks and commas, and no number, which "
	        "would be taken for the id of a supplier; found \"%.*s\"",
	        DRG_STR_ARG(code));
}

int drg_supplier_add(void *ctx, struct drg_txn *t, struct drg_err *reterr)
{
	struct drg_rows rows;
	struct drg_supplier_new *d = ctx;
	const struct drg_filter f = { .type = &drg_types[DRG_TYPE_ADAPTER], .tombstones = true };
	int64_t highest = 0;
	bool id_taken = false, code_taken = false;
	enum drg_put_result result;
	struct drg_record r;
	int rc = supplier_code(d->code, reterr);
	if (rc == DRG_OK)
		rc = drg_field_check_text(DRG_TYPE_ADAPTER, DRG_F_NAME, d->name, reterr);
	if (rc != DRG_OK)
		return rc;
	for (drg_rows_scan(&rows, drg_txn_store(t), &f, reterr); drg_rows_next(&rows);) {
		int64_t id = rows.row.r.v[DRG_F_ID].i;
		highest = id > highest ? id : highest;
		id_taken |= id == d->id;
		code_taken |= drg_str_eq_nocase(rows.row.r.v[DRG_F_CODE].s, d->code);
	}
	rc = drg_rows_end(&rows);
	if (rc == DRG_OK && (id_taken || code_taken))
		rc = drg_fail(reterr, DRG_EEXIST, NULL, NULL, "there is a supplier with this %s already",
		              id_taken ? "number" : "code");
	if (rc != DRG_OK)
		return rc;
	drg_key_adapter(&r, d->id != 0 ? d->id : highest + 1);
	drg_record_set_s(&r, DRG_F_CODE, d->code);
	drg_record_set_s(&r, DRG_F_NAME, d->name);
	drg_record_set_i(&r, DRG_F_DOMAIN, (int64_t)d->domain);
	drg_record_set_i(&r, DRG_F_STAGE, (int64_t)d->stage);
	rc = drg_txn_put(t, &r, &result, reterr);
	if (rc == DRG_OK)
		d->id = r.v[DRG_F_ID].i;
	return rc;
}

int drg_supplier_profile(void *ctx, struct drg_txn *t, struct drg_err *reterr)
{
	struct drg_profile_decision *d = ctx;
	enum drg_put_result result;
	struct drg_record adapter, r;
	drg_key_adapter(&adapter, d->adapter);
	int rc = drg_store_exists(drg_txn_store(t), &adapter, reterr);
	if (rc == DRG_ENOENT)
		return drg_fail(reterr, rc, NULL, NULL, "there is no supplier %lld", (long long)d->adapter);
	drg_key_profile(&r, d->adapter, d->kind);
	if (d->data.n > 0)
		drg_record_set_s(&r, DRG_F_DATA, d->data);
	else
		r.deleted = true;
	if (rc == DRG_OK)
		rc = drg_txn_put(t, &r, &result, reterr);
	if (rc == DRG_OK)
		d->changed = result != DRG_PUT_SAME;
	return rc;
}
