/* src/base/systemd.h
 * What systemd and a service say to each other: sd_listen_fds(3) and sd_notify(3), by the environment and a
 * datagram. Without systemd nothing happens. */
#pragma once
#include <stdbool.h>
#include <stdint.h>
#include "base/err.h"

/** The listening socket that was passed on; 0: none. Not blocking, not for children. @return DRG_OK;
 * DRG_EUSAGE: it is no listening TCP socket, or there are several. */
DRG_MUSTCHECK
int drg_systemd_socket(int *ret_fd, struct drg_err *reterr);

/** Does systemd listen? */
bool drg_systemd_listens(void);
/** Lines such as "READY=1\nSTATUS=serves". Never waits for long; nothing helps if it fails. */
void drg_systemd_notify(const char *fmt, ...) DRG_PRINTF(1, 2);
/** How often WATCHDOG=1 is expected, in nanoseconds; 0: never. */
int64_t drg_systemd_watchdog_ns(void);
