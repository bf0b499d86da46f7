/* src/matching/desk/order_priv.h
 * Shared by the files of the queue's order. */
#pragma once
#include "matching/desk/order.h"

/** Find a case; only while the cases are in the order of their sources. */
struct drg_open_case *drg_queue_order_find(struct drg_queue_order *q, int64_t adapter, unsigned kind,
                                           struct drg_str id);
/** Add the notes of people to the cases, while these are in the order of their sources. */
DRG_MUSTCHECK
int drg_queue_notes_read(struct drg_queue_order *q, struct drg_store *s, struct drg_err *reterr);
