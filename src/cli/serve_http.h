/* src/cli/serve_http.h
 * The options of `dragoman serve` that are about connections. */
#pragma once
#include "base/arena.h"
#include "console/options.h"
#include "http/server.h"

enum { DRG_LISTEN_ADDRESS_MAX = 64, DRG_SUNSET_TEXT = 40, DRG_ADMIN_CONNECTIONS = 64 };

/**
 * @param address  For --listen; @p ret borrows it, and the arena.
 * @return DRG_OK; DRG_EUSAGE; DRG_ENOMEM; DRG_ELIMIT: the system does not grant as many open files as the
 *         options need.
 */
DRG_MUSTCHECK
int drg_serve_http_options(const struct drg_options *o, struct drg_arena *arena,
                           char address[static DRG_LISTEN_ADDRESS_MAX], struct drg_http_options *ret,
                           struct drg_err *err);

/** --admin, which is given, as the options of a listener of its own. @param address  As above. @return DRG_OK;
 * DRG_EUSAGE. */
DRG_MUSTCHECK
int drg_serve_admin_options(const struct drg_options *o, char address[static DRG_LISTEN_ADDRESS_MAX],
                            struct drg_http_options *ret, struct drg_err *err);

/** --sunset as an HTTP date; "" where it is not given. @return DRG_OK; DRG_EUSAGE. */
DRG_MUSTCHECK
int drg_serve_sunset(const struct drg_options *o, char text[static DRG_SUNSET_TEXT], struct drg_err *err);

/** All that can be checked of the options of serve without a store. @return DRG_OK; as
 * drg_serve_http_options(). */
DRG_MUSTCHECK
int drg_serve_check(const struct drg_options *o, struct drg_arena *arena, struct drg_err *err);
