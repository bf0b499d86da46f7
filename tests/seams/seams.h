/* tests/seams/seams.h
 * Injects delays where threads meet, chosen by a seed. Only the build of tests/seams/run has it: the compiler
 * includes it before each file there (-include), so neither the sources nor other builds know of it.
 *
 * A seam is a lock, a wake-up, the start or the end of a thread, or an atomic that publishes or reads a flag.
 * The seed (DRG_SEAM_SEED) chooses a quarter of the call sites. A thread that reaches one of them sleeps every
 * other time, for 0.05 to 6.4 ms. Few seams with long delays open races that short delays everywhere do not:
 * those slow all threads alike. */
#pragma once
#pragma GCC system_header
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <time.h>

static inline uint64_t drg_seam_mix(uint64_t x)
{
	x = (x ^ x >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
	x = (x ^ x >> 27) * UINT64_C(0x94d049bb133111eb);
	return x ^ x >> 31;
}

/* One for the whole program. The delays together take at most half of the running time, so that a seed whose
 * sites lie in a loop ends too. */
__attribute__((weak, noinline)) void drg_seam(unsigned site)
{
	static _Atomic uint64_t seed, threads;
	static _Atomic int64_t began_ns, slept_ns;
	static _Thread_local uint64_t random;
	if (seed == 0) {
		const char *s = getenv("DRG_SEAM_SEED");
		seed = s != NULL ? strtoull(s, NULL, 10) + 1 : UINT64_MAX;
	}
	if (seed == UINT64_MAX || drg_seam_mix(seed << 32 ^ site) % 4 != 0)
		return;
	if (random == 0)
		random = drg_seam_mix(seed * 1000003 + ++threads);
	random += UINT64_C(0x9e3779b97f4a7c15);
	uint64_t r = drg_seam_mix(random);
	if (r % 2 == 0)
		return;
	struct timespec now, then, delay = { .tv_nsec = 50000L << (r >> 8) % 8 };
	clock_gettime(CLOCK_MONOTONIC, &now);
	int64_t now_ns = now.tv_sec * INT64_C(1000000000) + now.tv_nsec;
	if (began_ns == 0)
		began_ns = now_ns;
	if (slept_ns > 20000000 + (now_ns - began_ns) / 2)
		return;
	nanosleep(&delay, NULL);
	/* What it took: on a busy machine that is a multiple of the delay. */
	clock_gettime(CLOCK_MONOTONIC, &then);
	slept_ns += (then.tv_sec - now.tv_sec) * INT64_C(1000000000) + then.tv_nsec - now.tv_nsec;
}

/* A site is the same in every build: the line and the end of the file's name. */
#define DRG_SEAM                                                                                             \
	drg_seam((unsigned)__LINE__ * 2654435761U ^ (unsigned)sizeof __FILE__ * 40503U ^                     \
	         (unsigned)__FILE__[sizeof __FILE__ - 4] << 8 ^                                              \
	         (unsigned)__FILE__[sizeof __FILE__ - 5] << 16)
#define DRG_SEAM_BEFORE(call)                                                                                \
	({                                                                                                   \
		DRG_SEAM;                                                                                    \
		call;                                                                                        \
	})
#define DRG_SEAM_AFTER(call)                                                                                 \
	({                                                                                                   \
		__auto_type drg_seam_rc_ = call;                                                             \
		DRG_SEAM;                                                                                    \
		drg_seam_rc_;                                                                                \
	})

#define pthread_mutex_lock(m) DRG_SEAM_BEFORE(pthread_mutex_lock(m))
#define pthread_mutex_unlock(m) DRG_SEAM_AFTER(pthread_mutex_unlock(m))
#define pthread_rwlock_rdlock(m) DRG_SEAM_BEFORE(pthread_rwlock_rdlock(m))
#define pthread_rwlock_wrlock(m) DRG_SEAM_BEFORE(pthread_rwlock_wrlock(m))
#define pthread_rwlock_unlock(m) DRG_SEAM_AFTER(pthread_rwlock_unlock(m))
#define pthread_cond_signal(c) DRG_SEAM_BEFORE(pthread_cond_signal(c))
#define pthread_cond_broadcast(c) DRG_SEAM_BEFORE(pthread_cond_broadcast(c))
#define pthread_cond_wait(c, m) DRG_SEAM_AFTER(pthread_cond_wait(c, m))
#define pthread_cond_timedwait(c, m, t) DRG_SEAM_AFTER(pthread_cond_timedwait(c, m, t))
#define pthread_create(t, a, run, arg) DRG_SEAM_AFTER(pthread_create(t, a, run, arg))
#define pthread_join(t, ret) DRG_SEAM_BEFORE(pthread_join(t, ret))
#define epoll_wait(fd, events, n, ms) DRG_SEAM_AFTER(epoll_wait(fd, events, n, ms))

/* Not the relaxed and acquiring loads: readers have them in loops, and one of these stored what they load. */
#undef atomic_load
#undef atomic_store
#undef atomic_exchange
#undef atomic_compare_exchange_strong
#undef atomic_fetch_add
#undef atomic_fetch_sub
#define atomic_load(p) DRG_SEAM_AFTER(atomic_load_explicit(p, memory_order_seq_cst))
#define atomic_store(p, v)                                                                                   \
	({                                                                                                   \
		DRG_SEAM;                                                                                    \
		atomic_store_explicit(p, v, memory_order_seq_cst);                                           \
		DRG_SEAM;                                                                                    \
	})
#define atomic_exchange(p, v) DRG_SEAM_AFTER(atomic_exchange_explicit(p, v, memory_order_seq_cst))
#define atomic_compare_exchange_strong(p, expected, v)                                                       \
	DRG_SEAM_BEFORE(atomic_compare_exchange_strong_explicit(p, expected, v, memory_order_seq_cst,        \
	                                                        memory_order_seq_cst))
#define atomic_fetch_add(p, v) DRG_SEAM_AFTER(atomic_fetch_add_explicit(p, v, memory_order_seq_cst))
#define atomic_fetch_sub(p, v) DRG_SEAM_AFTER(atomic_fetch_sub_explicit(p, v, memory_order_seq_cst))
