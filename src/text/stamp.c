#include "text/stamp.h"

#include <stdio.h>
#include <string.h>
#include <time.h>

#include "base/compiler.h"

enum { SECOND_US = 1000000, MS_US = 1000 };

/* Sticky reader: the first character that does not fit spoils the rest. */
struct stamp_reader {
	struct drg_str rest;
	bool bad;
};

static char next(struct stamp_reader *r)
{
	if (r->rest.n == 0) {
		r->bad = true;
		return '\0';
	}
	r->rest.n--;
	return *r->rest.p++;
}

static void stamp_expect(struct stamp_reader *r, char upper)
{
	char c = next(r);
	if (c != upper && !(c >= 'a' && c <= 'z' && c - ('a' - 'A') == upper))
		r->bad = true;
}

static int number(struct stamp_reader *r, int digits, int min, int max)
{
	int v = 0;
	for (int i = 0; i < digits; i++) {
		char c = next(r);
		if (c < '0' || c > '9')
			r->bad = true;
		v = v * 10 + (c - '0');
	}
	if (v < min || v > max)
		r->bad = true;
	return v;
}

static int fraction_us(struct stamp_reader *r)
{
	if (r->rest.n == 0 || r->rest.p[0] != '.')
		return 0;
	next(r);
	int us = 0;
	for (int unit = SECOND_US / 10;; unit /= 10) {
		us += unit * number(r, 1, 0, 9);
		if (r->rest.n == 0 || r->rest.p[0] < '0' || r->rest.p[0] > '9')
			return us;
	}
}

static int offset_minutes(struct stamp_reader *r)
{
	char sign = next(r);
	if (sign == 'Z' || sign == 'z')
		return 0;
	if (sign != '+' && sign != '-')
		r->bad = true;
	int minutes = number(r, 2, 0, 23) * 60;
	stamp_expect(r, ':');
	minutes += number(r, 2, 0, 59);
	return sign == '-' ? -minutes : minutes;
}

/* Seconds since 1970 of a day's start; a day that its month lacks spoils the reader. */
static int64_t day_start(struct stamp_reader *r)
{
	struct tm tm = { .tm_year = number(r, 4, 0, 9999) - 1900 };
	stamp_expect(r, '-');
	tm.tm_mon = number(r, 2, 1, 12) - 1;
	stamp_expect(r, '-');
	int day = tm.tm_mday = number(r, 2, 1, 31);
	int64_t s = r->bad ? 0 : timegm(&tm);
	if (tm.tm_mday != day)
		r->bad = true;
	return s;
}

bool drg_stamp_parse(struct drg_str text, int64_t *ret_us)
{
	struct stamp_reader r = { .rest = text };
	int64_t s = day_start(&r);
	stamp_expect(&r, 'T');
	s += number(&r, 2, 0, 23) * 3600;
	stamp_expect(&r, ':');
	s += number(&r, 2, 0, 59) * 60;
	stamp_expect(&r, ':');
	s += number(&r, 2, 0, 60); /* 60: a leap second is the first of the next minute */
	int us = fraction_us(&r);
	s -= offset_minutes(&r) * 60;
	/* The offset or the leap second may lead out of the years that can be written. */
	if (r.bad || r.rest.n > 0 || s < INT64_C(-62167219200) || s > INT64_C(253402300799))
		return false;
	*ret_us = s * SECOND_US + us;
	return true;
}

static const char no_time[] = "is not a time: expected 2026-11-20 (UTC) or 2026-11-20T12:00:00Z";

const char *drg_stamp_read(struct drg_str text, int64_t *ret_us)
{
	enum { DATE = 10, TIME = 19, MAX = 40 };
	char full[MAX + sizeof "T00:00:00Z"];
	if (drg_stamp_parse(text, ret_us))
		return NULL;
	if (text.n == 0 || text.n > MAX)
		return no_time;
	int n = snprintf(full, sizeof full, "%.*s%s", DRG_STR_ARG(text), text.n == DATE ? "T00:00:00Z" : "Z");
	if (drg_stamp_parse(drg_str(full, (size_t)n), ret_us))
		return text.n == DATE ? NULL : "has no zone: write Z (UTC) or +02:00 behind it";
	full[text.n] = '\0';
	if (text.n > TIME && strchr(full, ' ') != NULL)
		return "has a blank in it: the plus sign of a zone is %2B in a URL";
	return no_time;
}

/* Days from a day of the week to today, by its name or the first three letters of it; -1: it is not a day of
 * the week. */
static int days_since_weekday(struct drg_str text, int64_t today)
{
	static const char *const names[] = { "thursday", "friday",  "saturday", "sunday",
		                             "monday",   "tuesday", "wednesday" };
	for (int i = 0; i < 7; i++)
		if (drg_str_eq_nocase(text, drg_str_c(names[i])) ||
		    drg_str_eq_nocase(text, drg_str(names[i], 3)))
			return (int)((today % 7 - i + 7) % 7); /* 1970 began with a Thursday */
	return -1;
}

/* "7d" */
static bool distance_us(struct drg_str text, int64_t *ret)
{
	static const struct {
		char unit;
		int64_t seconds;
	} units[] = { { 'h', 3600 }, { 'd', 86400 }, { 'w', 7 * 86400 } };
	enum { MOST = 100000 };
	int64_t n;
	if (text.n < 2 || !drg_str_to_i64(drg_str(text.p, text.n - 1), &n) || n < 0 || n > MOST)
		return false;
	for (size_t i = 0; i < DRG_ARRAY_LEN(units); i++)
		if (text.p[text.n - 1] == units[i].unit)
			return *ret = n * units[i].seconds * SECOND_US, true;
	return false;
}

const char *drg_stamp_read_past(struct drg_str text, int64_t now_us, int64_t *ret_us)
{
	const int64_t day_us = 86400 * (int64_t)SECOND_US, today = now_us / day_us;
	int64_t distance;
	int days = drg_str_eq_nocase(text, DRG_STR("today"))       ? 0
	           : drg_str_eq_nocase(text, DRG_STR("yesterday")) ? 1
	                                                           : days_since_weekday(text, today);
	if (days >= 0)
		*ret_us = (today - days) * day_us;
	else if (distance_us(text, &distance))
		*ret_us = now_us - distance;
	else {
		const char *fault = drg_stamp_read(text, ret_us);
		return fault == no_time
		               ? "is not a time: expected yesterday, monday, 7d, 2026-11-20 (UTC) or "
		                 "2026-11-20T12:00:00Z"
		               : fault;
	}
	return NULL;
}

size_t drg_stamp_text(int64_t us, char *buf)
{
	int64_t fraction = us % SECOND_US;
	if (fraction < 0)
		fraction += SECOND_US;
	time_t s = (us - fraction) / SECOND_US;
	struct tm tm;
	gmtime_r(&s, &tm);
	bool fine = fraction % MS_US != 0;
	/* The moduli only tell the compiler that the text fits. */
	int n = snprintf(buf, DRG_STAMP_TEXT, "%04u-%02u-%02uT%02u:%02u:%02u.%0*uZ",
	                 (unsigned)(tm.tm_year + 1900) % 10000, (unsigned)(tm.tm_mon + 1) % 100,
	                 (unsigned)tm.tm_mday % 100, (unsigned)tm.tm_hour % 100, (unsigned)tm.tm_min % 100,
	                 (unsigned)tm.tm_sec % 100, fine ? 6 : 3,
	                 (unsigned)(fine ? fraction : fraction / MS_US));
	return (size_t)n;
}

bool drg_time_valid(struct drg_str text)
{
	struct stamp_reader r = { .rest = text };
	number(&r, 2, 0, 23);
	stamp_expect(&r, ':');
	number(&r, 2, 0, 59);
	stamp_expect(&r, ':');
	number(&r, 2, 0, 59);
	return !r.bad && r.rest.n == 0;
}
