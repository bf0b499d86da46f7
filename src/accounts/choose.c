/* POST session/password: the owner of a link chooses a password (decision E31). */
#include "access/people.h"
#include "api/reading.h"
#include "api/tables.h"
#include "api/write.h"
#include "base/clock.h"

enum { CHOOSE_BODY = 8192, CHOOSE_BUSY_S = 2 };

/* In the arena of the exchange. */
struct choosing {
	struct drg_exchange *x;
	struct drg_person_choice choice;
	struct drg_str name;
	struct drg_verification make; /* of the hash */
	bool busy;
	struct drg_write write;
};

static const struct drg_body_field choose_fields[] = {
	{ "link", DRG_B_TEXT, true },
	{ "password", DRG_B_TEXT, true },
	{ 0 },
};

static int choose_answer(struct drg_exchange *x)
{
	struct choosing *c = drg_exchange_data(x);
	struct drg_jw w = { .b = drg_exchange_out(x) };
	int rc = drg_api_write_finish(&c->write);
	if (rc != DRG_OK)
		return rc;
	drg_data_begin(&w);
	drg_jw_object(&w);
	drg_text_or_null(&w, "person", c->name);
	drg_jw_object_end(&w);
	drg_data_end(&w);
	return DRG_OK;
}

static int choose_store(struct drg_exchange *x)
{
	struct choosing *c = drg_exchange_data(x);
	if (!c->busy && c->make.rc != DRG_OK)
		return c->make.rc;
	if (c->busy) {
		drg_exchange_add_header(x, "Retry-After", "2");
		return drg_exchange_fail_status(x, 429, DRG_R(too_many_attempts), NULL,
		                                "too many passwords wait; try again in %d seconds",
		                                CHOOSE_BUSY_S);
	}
	c->choice.hash = c->make.hash;
	c->write = (struct drg_write){ .run = drg_person_redeem_link, .ctx = &c->choice, .job.rows = 2 };
	return drg_api_write(x, &c->write, choose_answer);
}

static void choose_hashed(struct drg_verification *v)
{
	drg_exchange_resume(DRG_CONTAINER_OF(v, struct choosing, make)->x);
}

/* Nothing is computed for a link that is made up. */
static int choose_look(struct drg_reading *r, void *ctx)
{
	struct choosing *c = ctx;
	const struct drg_person *p = drg_catalog_person(r->cat, c->choice.id);
	if (p == NULL || p->disabled || !drg_link_is_valid(p->password, c->choice.link, drg_wall_us()))
		return drg_person_no_link(drg_exchange_err(r->x));
	c->name = drg_arena_str(drg_exchange_arena(r->x), p->name);
	return c->name.p != NULL ? DRG_OK : DRG_ENOMEM;
}

static int choose_read(struct choosing *c)
{
	struct drg_body_value v[DRG_ARRAY_LEN(choose_fields)] = { { 0 } };
	int rc = drg_body_parse(c->x, v);
	if (rc == DRG_OK)
		rc = drg_password_check(v[1].s, drg_exchange_err(c->x));
	if (rc != DRG_OK)
		return rc;
	struct drg_str number, rest = v[0].s;
	if (!drg_str_split(&rest, '-', &number) || !drg_str_to_i64(number, &c->choice.id))
		return drg_person_no_link(drg_exchange_err(c->x));
	c->choice.link = rest;
	c->make.password = v[1].s;
	return DRG_OK;
}

static int choose(struct drg_exchange *x)
{
	struct choosing *c = drg_arena_calloc(drg_exchange_arena(x), 1, sizeof *c);
	if (c == NULL)
		return DRG_ENOMEM;
	c->x = x;
	int rc = choose_read(c);
	if (rc == DRG_OK)
		rc = drg_reading_run(x, choose_look, c);
	if (rc != DRG_OK)
		return rc;
	drg_exchange_set_data(x, c);
	c->make.choose = true;
	c->make.done = choose_hashed;
	c->make.item.owner = c->choice.id;
	drg_exchange_suspend(x, choose_store);
	if (drg_verifier_put(drg_app_of(x)->sign_in->verifier, &c->make) == DRG_OK)
		return DRG_HTTP_SUSPENDED;
	c->busy = true;
	drg_exchange_resume(x);
	return DRG_HTTP_SUSPENDED;
}

const struct drg_endpoint drg_choose_password[] = {
	{ .method = DRG_POST,
	  .path = "/v1/session/password",
	  .name = "choosePassword",
	  .handler = choose,
	  .auth = DRG_AUTH_SIGN_IN,
	  .body = DRG_BODY_JSON,
	  .max_body = CHOOSE_BODY,
	  .summary = "Choose a password, with the link of an administrator",
	  .app = DRG_COLUMNS(.fields = choose_fields) },
	{ 0 },
};
