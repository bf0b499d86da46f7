/* Prints so many words, one a line, that fill one end of a table of 1 << BITS slots which is hashed without a
 * secret: prepared COUNT BITS. */
#include <stdlib.h>

#include "../unit/prepared.h"

int main(int argc, char **argv)
{
	char word[PREPARED_WORD];
	if (argc != 3)
		return 2;
	uint64_t number = 0;
	for (long left = atol(argv[1]); left > 0; left--) {
		number = prepared_word(number, 0, (size_t)1 << atol(argv[2]), word);
		puts(word);
	}
	return 0;
}
