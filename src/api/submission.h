/* src/api/submission.h
 * What tour/sourceAdd and tour/compared have in common: a body of adapter, language and elements by kind, and
 * the wait until the new ones are registered. */
#pragma once
#include "api/element.h"
#include "api/write.h"

/** One request. In the arena of its exchange, and drg_exchange_data() once it is being registered. */
struct drg_submission {
	struct drg_exchange *x;
	struct drg_registration reg; /**< its elements are those of all kinds, each kind's together */
	struct {
		bool given;
		size_t first, n; /**< among reg.elements */
	} kind[DRG_KIND_COUNT];
	struct drg_str lang_code; /**< as it was sent */
	struct drg_str lang; /**< tour/compared: of the names in the answer; valid, lower case */
	struct drg_adapter adapter; /**< id and the escaped texts, in the arena */
	struct drg_write write;
	drg_handler_fn *then;
};

/** Attributes of both bodies: the kinds that requests ask for, and the rest. */
/* clang-format off */
#define DRG_ELEMENTS_ASKED(name) { name, DRG_B_ELEMENTS, false },
#define DRG_ELEMENTS_OTHER(name)
#define DRG_ELEMENTS_OF(number, NAME, name, plural, title, label, compared, keyed, requests, ...) \
	DRG_ELEMENTS_##requests(name)
#define DRG_SUBMISSION_FIELDS \
	DRG_KINDS(DRG_ELEMENTS_OF) { "adapter_id", DRG_B_INT, true }, { "lang_code", DRG_B_LANG, true }
/* clang-format on */

/** Read the body by the endpoint's row, and check the adapter and the key's right to write it (E6).
 * @return DRG_OK; DRG_EINVAL, DRG_EAUTH, DRG_EBUSY, DRG_ENOMEM: the exchange's err says why. */
DRG_MUSTCHECK
int drg_submission_read(struct drg_exchange *x, struct drg_submission **ret);

/** Find the elements of a kind that have one key. The first stays, the others become DRG_ELEMENT_REPEATED;
 * where they are not all the same, the first is given to @p differs (NULL: is left as it is).
 * @return DRG_OK or DRG_ENOMEM. */
DRG_MUSTCHECK
int drg_submission_merge(struct drg_submission *s,
                         int (*differs)(struct drg_submission *s, struct drg_element *first));

/** Register the new elements; what a handler returns. @p then runs when they are on stable storage and visible
 * (at once where there are none), with drg_exchange_data() being the submission; a failure is answered
 * without it.
 * @param all_count  Count all elements for what the key may add in a day, not the new ones alone (E30). */
int drg_submission_register(struct drg_submission *s, bool all_count, drg_handler_fn *then);

/** Begin the answer: the envelope, `language` and `adapter`; leaves `data` open. */
void drg_submission_begin(const struct drg_submission *s, struct drg_jw *w, struct drg_str language);
void drg_submission_end(struct drg_jw *w);
