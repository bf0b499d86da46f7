/* Stores with an older or a newer schema. */
#include <assert.h>
#include <stdio.h>

#include "store/store_priv.h"

static bool upgrade_refused;
static void (*upgrade_told)(const char *text);

void drg_store_set_upgrade(bool allowed, void (*told)(const char *text))
{
	upgrade_refused = !allowed;
	upgrade_told = told;
}

bool drg_store_upgrade_refused(void)
{
	return upgrade_refused;
}

int drg_store_may_upgrade(const char *place, int64_t from, int64_t to, struct drg_err *reterr)
{
	assert(from < to);
	if (!upgrade_refused)
		return DRG_OK;
	return drg_fail(reterr, DRG_ELIMIT, NULL, NULL,
	                "the store %s was made by an older dragoman (schema %lld, this one needs %lld), and "
	                "--no-upgrade leaves it so: use that version, or back up with it and start without "
	                "--no-upgrade",
	                place, (long long)from, (long long)to);
}

void drg_store_log_upgraded(const char *place, int64_t from, int64_t to, const char *copy)
{
	assert(from < to);
	char text[1024];
	if (upgrade_told == NULL)
		return;
	snprintf(text, sizeof text, "the store %.400s is upgraded from schema %lld to %lld%s%.400s", place,
	         (long long)from, (long long)to, copy != NULL ? "; as it was it is in " : "",
	         copy != NULL ? copy : "");
	upgrade_told(text);
}

void drg_store_log_repaired(const char *place, const struct drg_repaired *n)
{
	char text[1024], dropped[160] = "";
	if (upgrade_told == NULL)
		return;
	if (n->dropped > 0)
		snprintf(dropped, sizeof dropped,
		         "; %u of the short ids belonged to other records, which stay with their mappings",
		         n->dropped);
	snprintf(text, sizeof text,
	         "the store %.400s had %u ids of countries and %u names and notes of keys that were too "
	         "long; they were shortened, see 'batch list' and 'key history'%s",
	         place, n->ids, n->texts, dropped);
	upgrade_told(text);
}

int drg_store_outgrown(const char *place, struct drg_err *reterr)
{
	return drg_fail(reterr, DRG_ENOENT, DRG_R(store_replaced), NULL,
	                "the store %s was upgraded by a newer dragoman: use that version", place);
}
