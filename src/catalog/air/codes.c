/* IATA and ICAO codes, and other texts that are indexed by a number. */
#include <assert.h>
#include <stdlib.h>

#include "catalog/air/index_priv.h"

enum { IATA = 3, ICAO = 4 };

/* The number of a code of @p n letters (in any case) or digits; DRG_AIR_NONE for any other text. */
static uint32_t codes_number_of(struct drg_str code, size_t n)
{
	uint32_t number = 0;
	if (code.n != n)
		return DRG_AIR_NONE;
	for (size_t i = 0; i < n; i++) {
		char c = code.p[i];
		int digit = c >= '0' && c <= '9'   ? c - '0'
		            : c >= 'a' && c <= 'z' ? c - 'a' + 10
		            : c >= 'A' && c <= 'Z' ? c - 'A' + 10
		                                   : -1;
		if (digit < 0)
			return DRG_AIR_NONE;
		number = number * 36 + (uint32_t)digit;
	}
	assert(n != IATA || number < DRG_AIR_CODES);
	return number;
}

static int codes_by_number(const void *a, const void *b)
{
	const struct drg_air_numbered *x = a, *y = b;
	if (x->number != y->number)
		return x->number < y->number ? -1 : 1;
	return x->place < y->place ? -1 : x->place > y->place;
}

void drg_air_numbered_sort(struct drg_air_numbered *v, size_t n)
{
	if (n > 0)
		qsort(v, n, sizeof *v, codes_by_number);
}

uint32_t drg_air_numbered_find(const struct drg_air_numbered *v, uint32_t n, uint64_t number)
{
	uint32_t lo = 0, hi = n;
	while (lo < hi) {
		uint32_t mid = lo + (hi - lo) / 2;
		if (v[mid].number < number)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo < n && v[lo].number == number ? lo : n;
}

static bool codes_link_airports(struct drg_air_index *ix)
{
	uint32_t *airport = drg_arena_alloc(&ix->arena, (ix->n + 1) * sizeof *airport);
	if (airport == NULL)
		return false;
	memset(airport, 0xff, (ix->n + 1) * sizeof *airport);
	for (uint32_t i = ix->n; i-- > 0;) {
		uint32_t city = drg_air_code_find(ix, drg_air_city_code(ix->rec[i]), DRG_PLACE_CITY);
		if (city == DRG_AIR_NONE)
			continue;
		airport[i] = airport[city];
		airport[city] = i;
	}
	ix->airport = airport;
	return true;
}

bool drg_air_codes_build(struct drg_air_index *ix)
{
	uint32_t *of_code = drg_arena_alloc(&ix->arena, DRG_AIR_CODES * sizeof *of_code);
	uint32_t *next = drg_arena_alloc(&ix->arena, (ix->n + 1) * sizeof *next);
	struct drg_air_numbered *icao = drg_arena_alloc(&ix->arena, (ix->n + 1) * sizeof *icao);
	if (of_code == NULL || next == NULL || icao == NULL)
		return false;
	memset(of_code, 0xff, DRG_AIR_CODES * sizeof *of_code);
	for (uint32_t i = ix->n; i-- > 0;) {
		const struct drg_air_rec *rec = ix->rec[i];
		uint32_t code = codes_number_of(drg_str(rec->code, sizeof rec->code), IATA);
		uint32_t long_code = codes_number_of(drg_str(rec->icao_code, sizeof rec->icao_code), ICAO);
		next[i] = DRG_AIR_NONE;
		if (long_code != DRG_AIR_NONE)
			icao[ix->n_icao++] = (struct drg_air_numbered){ long_code, i };
		if (code == DRG_AIR_NONE)
			continue;
		next[i] = of_code[code];
		of_code[code] = i;
	}
	drg_air_numbered_sort(icao, ix->n_icao);
	ix->of_code = of_code;
	ix->next_of_code = next;
	ix->icao = icao;
	return codes_link_airports(ix);
}

void drg_air_code_each(const struct drg_air_index *ix, struct drg_str code,
                       void (*fn)(void *ctx, uint32_t place), void *ctx)
{
	uint32_t number = codes_number_of(code, IATA);
	uint32_t i = number != DRG_AIR_NONE ? ix->of_code[number] : DRG_AIR_NONE;
	for (; i != DRG_AIR_NONE; i = ix->next_of_code[i])
		fn(ctx, i);
	number = codes_number_of(code, ICAO);
	if (number == DRG_AIR_NONE)
		return;
	i = drg_air_numbered_find(ix->icao, ix->n_icao, number);
	for (; i < ix->n_icao && ix->icao[i].number == number; i++)
		fn(ctx, ix->icao[i].place);
}

uint32_t drg_air_code_find(const struct drg_air_index *ix, struct drg_str code, enum drg_place place)
{
	uint32_t number = codes_number_of(code, IATA);
	uint32_t i = number != DRG_AIR_NONE ? ix->of_code[number] : DRG_AIR_NONE;
	while (i != DRG_AIR_NONE && ix->rec[i]->place != place)
		i = ix->next_of_code[i];
	return i;
}
