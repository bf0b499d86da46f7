#include "sheet/harmless.h"

/* "-5", "+12.75": a number is what it says. */
static bool harmless_number(struct drg_str s)
{
	size_t digits = 0, points = 0;
	for (size_t i = 1; i < s.n; i++) {
		digits += s.p[i] >= '0' && s.p[i] <= '9';
		points += s.p[i] == '.';
	}
	return digits > 0 && points <= 1 && digits + points == s.n - 1 && (s.p[0] == '-' || s.p[0] == '+');
}

static size_t harmless_apostrophes(struct drg_str s)
{
	size_t n = 0;
	while (n < s.n && s.p[n] == '\'')
		n++;
	return n;
}

bool drg_cell_is_harmful(struct drg_str cell)
{
	size_t n = harmless_apostrophes(cell);
	struct drg_str s = drg_str(cell.p + n, cell.n - n);
	return s.n > 1 && memchr("=+-@\t\r", s.p[0], 6) != NULL && !harmless_number(s);
}

struct drg_str drg_cell_as_it_was(struct drg_str cell)
{
	return cell.n > 0 && cell.p[0] == '\'' && drg_cell_is_harmful(cell) ? drg_str(cell.p + 1, cell.n - 1)
	                                                                    : cell;
}
