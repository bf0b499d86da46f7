/* src/base/compiler.h
 * The few compiler attributes that the project uses, under names that say why. */
#pragma once
#include <stddef.h>

#define DRG_MUSTCHECK __attribute__((warn_unused_result))
#define DRG_PRINTF(fmt_at, args_at) __attribute__((format(printf, fmt_at, args_at)))
#define DRG_LIKELY(x) __builtin_expect(!!(x), 1)
#define DRG_UNLIKELY(x) __builtin_expect(!!(x), 0)
#define DRG_ARRAY_LEN(a) (sizeof(a) / sizeof((a)[0]))

/** The struct of type @p type whose member @p member @p ptr points to. */
#define DRG_CONTAINER_OF(ptr, type, member) ((type *)((char *)(ptr)-offsetof(type, member)))

/* True in builds that ThreadSanitizer watches; see catalog/rcu.h. */
#if defined(__SANITIZE_THREAD__)
#define DRG_TSAN 1
#elif defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define DRG_TSAN 1
#endif
#endif
#ifndef DRG_TSAN
#define DRG_TSAN 0
#endif

/* For a function that reads more bytes than it uses: ThreadSanitizer does not watch it. The function shows
 * the bytes that it uses to ThreadSanitizer by DRG_TSAN_READ(). */
#if DRG_TSAN
#define DRG_UNSEEN_BY_TSAN __attribute__((no_sanitize("thread")))
#define DRG_TSAN_READ(p, n)                                                                                  \
	do {                                                                                                 \
		for (const volatile char *at_ = (p), *end_ = at_ + (n); at_ < end_; at_++)                   \
			(void)*at_;                                                                          \
	} while (0)
#else
#define DRG_UNSEEN_BY_TSAN
#define DRG_TSAN_READ(p, n) ((void)0)
#endif
