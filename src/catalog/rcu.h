/* src/catalog/rcu.h
 * Read sections: a reader never locks or waits. Replaced memory is freed when the last reader that could see
 * it has left its section. liburcu does the work; a thread is registered at its first read section and
 * unregistered when it ends. ThreadSanitizer cannot see the order that liburcu keeps, so rcu.c tells it. */
#pragma once
#include <stdbool.h>

/** Begin a read section; sections may nest. Cheap: no lock, no system call. Never sleep or wait inside one. */
void drg_read_lock(void);
void drg_read_unlock(void);

/** Is this thread inside a read section? For asserts. */
bool drg_read_is_ongoing(void);

/** For the writer: wait until every read section in progress has ended. Not inside a read section. */
void drg_read_synchronize(void);
