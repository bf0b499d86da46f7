#include "server/register.h"

#include <stddef.h>

struct drg_str drg_element_text(const struct drg_element *e, enum drg_field f)
{
	for (unsigned i = 0; i < e->table->n; i++)
		if (e->table->fields[i].field == f && (e->has >> i & 1) != 0)
			return e->v[i].s;
	return drg_str(NULL, 0);
}

static void to_record(const struct drg_registration *g, const struct drg_element *e, struct drg_record *r)
{
	drg_record_init(r, &drg_types[DRG_TYPE_SOURCE]);
	drg_record_set_i(r, DRG_F_ADAPTER_ID, g->adapter);
	drg_record_set_i(r, DRG_F_KIND, e->kind);
	drg_record_set_s(r, DRG_F_LANG, g->lang);
	for (unsigned i = 0; i < e->table->n; i++) {
		if ((e->has >> i & 1) == 0)
			continue;
		enum drg_field f = e->table->fields[i].field;
		r->v[f] = e->v[i];
		r->has |= UINT64_C(1) << f;
	}
}

int drg_registration_expect(void *registration, struct drg_txn *t, struct drg_err *reterr)
{
	const struct drg_registration *g = registration;
	struct drg_record r;
	int rc = DRG_OK;
	for (size_t i = 0; i < g->n && rc == DRG_OK; i++) {
		to_record(g, &g->elements[i], &r);
		rc = drg_txn_expect(t, &r, reterr);
	}
	return rc;
}

static int register_add(const struct drg_registration *g, struct drg_element *e, struct drg_txn *t,
                        struct drg_err *reterr)
{
	struct drg_record r;
	enum drg_put_result result;
	to_record(g, e, &r);
	int rc = drg_txn_add(t, &r, &result, reterr);
	if (rc == DRG_OK)
		e->state = result == DRG_PUT_CREATED ? DRG_ELEMENT_CREATED : DRG_ELEMENT_EXISTS;
	/* A record that our own checks let pass and the store refuses is our fault, not the client's. */
	return rc == DRG_EINVAL ? DRG_EINTERNAL : rc;
}

/* Must the element be registered? This may be the second run, after the first was undone: then the states are
 * those of the first run. */
static bool is_to_register(enum drg_element_state s)
{
	return s == DRG_ELEMENT_NEW || s == DRG_ELEMENT_CREATED || s == DRG_ELEMENT_EXISTS;
}

int drg_registration_run(void *registration, struct drg_txn *t, struct drg_err *reterr)
{
	struct drg_registration *g = registration;
	int rc = DRG_OK;
	for (size_t i = 0; i < g->n && rc == DRG_OK; i++)
		if (is_to_register(g->elements[i].state))
			rc = register_add(g, &g->elements[i], t, reterr);
	return rc;
}
