#include "model/names.h"

#include "text/json_scan.h"

int drg_main_name(const struct drg_record *r, struct drg_arena *arena, struct drg_str *ret)
{
	struct drg_json_item object, value;
	struct drg_json_walk walk;
	struct drg_str lang, name = { NULL, 0 };
	int rc = drg_json_scan(drg_record_s(r, DRG_F_NAMES), arena, &object, NULL);
	if (rc == DRG_ENOMEM)
		return rc;
	if (rc != DRG_OK || object.type != DRG_JSON_OBJECT) {
		*ret = name;
		return DRG_OK;
	}
	drg_json_walk_init(&walk, &object, arena);
	while ((rc = drg_json_walk_next(&walk, &lang, &value)) == DRG_OK)
		if (value.type == DRG_JSON_STRING && (name.p == NULL || drg_str_eq(lang, DRG_STR("en"))))
			name = value.s;
	if (rc != DRG_ENOENT)
		return rc;
	*ret = name;
	return DRG_OK;
}
