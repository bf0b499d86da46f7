/* Prints COUNT words, one on each line, that collide at one end of a table of 1 << BITS slots whose hash
 * seed is known: prepared COUNT BITS SEED. With BITS 0, it prints words of the same length that are spread
 * evenly. */
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
		/* With 16 slots, the first sixteenth is one slot, chosen by other bits than in larger
		 * tables. */
		number = bits > 0
		                 ? prepared_word(number, strtoull(argv[3], NULL, 10), (size_t)1 << bits, word)
		                 : prepared_word(number, 1, 16, word);
		puts(word);
	}
	return 0;
}
