/* Prints so many words, one a line, that fill one end of a table of 1 << BITS slots which is hashed with a
 * known seed: prepared COUNT BITS SEED. With BITS 0 any words: as many of the same length that are spread. */
#include <stdlib.h>

#include "../unit/prepared.h"

int main(int argc, char **argv)
{
	char word[PREPARED_WORD];
	if (argc != 4)
		return 2;
	const long bits = atol(argv[2]);
	uint64_t number = 0;
	for (long left = atol(argv[1]); left > 0; left--) {
		/* Of 16 slots the first sixteenth is one: spread by other bits than those of larger tables. */
		number = bits > 0
		                 ? prepared_word(number, strtoull(argv[3], NULL, 10), (size_t)1 << bits, word)
		                 : prepared_word(number, 1, 16, word);
		puts(word);
	}
	return 0;
}
