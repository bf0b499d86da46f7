#include "model/names.h"

#include "text/json_scan.h"

struct drg_str drg_main_name(const struct drg_record *r, struct drg_arena *arena)
{
	struct drg_json_item object, value;
	struct drg_json_walk walk;
	struct drg_str lang, name = { NULL, 0 };
	if (drg_json_scan(drg_record_s(r, DRG_F_NAMES), arena, &object, NULL) != DRG_OK ||
	    object.type != DRG_JSON_OBJECT)
		return name;
	drg_json_walk_init(&walk, &object, arena);
	while (drg_json_walk_next(&walk, &lang, &value) == DRG_OK)
		if (value.type == DRG_JSON_STRING && (name.p == NULL || drg_str_eq(lang, DRG_STR("en"))))
			name = value.s;
	return name;
}
