#include "api/avia.h"

void drg_avia_adapter(struct drg_jw *w, const struct drg_adapter *a)
{
	drg_jw_object(w);
	drg_jw_key(w, "id");
	drg_jw_i64(w, a->id);
	drg_jw_key(w, "code");
	drg_jw_escaped(w, a->code_esc);
	drg_jw_key(w, "title");
	drg_jw_escaped(w, a->name_esc);
	drg_jw_object_end(w);
}
