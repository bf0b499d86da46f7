/* src/catalog/rcu.h
 * Read sections: readers never lock and never wait; what was replaced is freed when the last reader that
 * could see it has left. liburcu underneath; a thread is registered at its first read section and
 * unregistered when it ends. In ThreadSanitizer builds the edges that liburcu orders are told to it, since
 * the library itself is not instrumented. */
#pragma once

/** Begin a read section; sections nest. Cheap: no lock, no system call. Never sleep or wait inside one. */
void drg_read_lock(void);
void drg_read_unlock(void);

/** Writer: wait until every read section that was under way has ended. Not inside a read section. */
void drg_read_synchronize(void);
