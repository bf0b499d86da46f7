/* src/http/conns/greetings.h
 * Connections of proxies that have not said yet for whom they are: the header of the PROXY protocol is read here, before
 * libmicrohttpd sees the connection. One thread uses it, the accepting one; how many there are, any may ask. */
#pragma once
#include "http/address.h"

struct drg_greetings;

struct drg_greetings_options {
	unsigned seconds; /**< the header must be here within this */
	/** Takes over @p fd. @param client  Named by the header, or the proxy itself. */
	void (*greeted)(void *ctx, int fd, const struct drg_address *client);
	void *ctx;
};

DRG_MUSTCHECK
int drg_greetings_new(const struct drg_greetings_options *o, struct drg_greetings **ret,
                      struct drg_err *reterr);
/** Closes those that wait. NULL is fine. */
void drg_greetings_free(struct drg_greetings *g);

/** Takes over @p fd, non-blocking; closed where what it sends is no header. */
void drg_greetings_add(struct drg_greetings *g, int fd, const struct drg_address *proxy);
/** Readable when drg_greetings_go_on() has something to do; it should be called each second too. */
int drg_greetings_fd(const struct drg_greetings *g);
void drg_greetings_go_on(struct drg_greetings *g);
/** How many wait; from any thread. NULL: 0. */
unsigned drg_greetings_count(const struct drg_greetings *g);
