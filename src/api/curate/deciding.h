/* src/api/curate/deciding.h
 * What decisions of a server remember from one to the next: the writer's own. */
#pragma once
#include "model/model.h"

struct drg_deciding {
	int64_t batch; /**< the number of one that is known to be there; 0: not known */
	int64_t largest
	        [DRG_KIND_COUNT]; /**< by kind: the largest id of the reference (curate/propose/new_record.h) */
};
