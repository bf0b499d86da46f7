/* src/base/systemd.h
 * Messages between systemd and a service: sd_listen_fds(3) and sd_notify(3), by the environment and a
 * datagram. Without systemd nothing happens. */
#pragma once
#include <stdbool.h>
#include <stdint.h>
#include "base/err.h"

/** Get the listening socket that systemd passed on; 0: none. It does not block, and children do not inherit
 * it. @return DRG_OK; DRG_EUSAGE: it is not a listening TCP socket, or there are several. */
DRG_MUSTCHECK
int drg_systemd_socket(int *ret_fd, struct drg_err *reterr);

/** Does systemd wait for notifications? */
bool drg_systemd_listens(void);
/** Send lines such as "READY=1\nSTATUS=serves". Never waits for long; a failure is ignored. */
void drg_systemd_notify(const char *fmt, ...) DRG_PRINTF(1, 2);
/** How often systemd expects WATCHDOG=1, in nanoseconds; 0: never. */
int64_t drg_systemd_watchdog_ns(void);
