/* The file of an index of names, which a disk may have damaged: of arrays that fit together, filled as the
 * input says, or with a head of the input's too. Whatever is in it, only what it has is found. */
#include "list.h"

#include "names/file_priv.h"

enum { MOST = 64 };

static struct drg_buf whole;

/* A usual file, whose head the inputs have. */
int LLVMFuzzerInitialize(int *argc, char ***argv)
{
	(void)argc;
	(void)argv;
	static const struct drg_named records[] = {
		{ .id = 55, .country = 1, .city = 2, .category = 3, .n_spelled = 1 },
		{ .id = 0, .adapter = 7, .n_spelled = 1, .kind = 4 }
	};
	static const char texts[] = "blue bay\0grand palace";
	static const struct drg_name_entry names[] = { { 0, 0 }, { 9, 1 } },
	                                   words[] = { { 5, 0 }, { 15, 1 } };
	static const struct drg_name_part part = { records, names, words, texts, 2, 2, 2, sizeof texts };
	static const struct drg_clock clock = { .seq = 5, .epoch = "epoch", .branch = 3 };
	char dir[] = "/tmp/dragoman-fuzz-XXXXXX", path[64], bytes[4096];
	REQUIRE(mkdtemp(dir) != NULL);
	snprintf(path, sizeof path, "%s/names", dir);
	drg_name_file_write(path, DRG_TYPE_DICT, &clock, &part);
	FILE *f = fopen(path, "re");
	REQUIRE(f != NULL);
	drg_buf_init(&whole, SIZE_MAX);
	drg_buf_add(&whole, bytes, fread(bytes, 1, sizeof bytes, f));
	fclose(f);
	unlink(path);
	rmdir(dir);
	return 0;
}

struct found {
	const struct drg_name_part *p;
	size_t n;
};

static int take(void *ctx, enum drg_name_fit fit, const struct drg_name_entry *e)
{
	struct found *x = ctx;
	REQUIRE(fit <= DRG_NAME_WORD_PREFIX && e->record < x->p->n_records && e->text < x->p->n_texts);
	struct drg_str id = drg_named_source_id(x->p, &x->p->records[e->record]);
	REQUIRE(id.n < x->p->n_texts);
	return ++x->n < MOST ? DRG_OK : DRG_ESTOPPED;
}

static void look_for(const struct drg_name_part *p, const char *folded)
{
	struct found x = { p, 0 };
	int rc = drg_name_part_find(p, drg_str_c(folded), take, &x);
	REQUIRE(rc == DRG_OK || rc == DRG_ESTOPPED);
}

/* Pieces of five bytes: what is changed, and the place; behind a 't' stands what is written behind the end. */
static void change(struct drg_buf *file, struct drg_str how)
{
	uint32_t at = 0;
	drg_buf_add(file, whole.p, whole.n);
	for (; how.n >= 5 && how.p[0] != 't'; how = drg_str(how.p + 5, how.n - 5)) {
		memcpy(&at, how.p + 1, sizeof at);
		file->p[at % file->n] = (char)(file->p[at % file->n] ^ how.p[0]);
	}
	if (how.n > 0 && how.p[0] == 't')
		drg_buf_add(file, how.p + 1, how.n - 1);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
	static const char *const texts[] = { "", "b", "bay", "blue bay", "grand palace", "zzz" };
	struct drg_name_file f;
	struct drg_buf bytes;
	char path[64];
	struct drg_str input = input_text(data, n);
	drg_buf_init(&bytes, SIZE_MAX);
	if (n > 0 && data[0] == 'f')
		drg_buf_add(&bytes, input.p + 1, input.n - 1);
	else
		change(&bytes, input);
	int fd = file_of(bytes.p, bytes.n, path), rc = drg_name_file_open(path, &f);
	REQUIRE(rc == DRG_OK || rc == DRG_ENOENT);
	for (size_t i = 0; rc == DRG_OK && i < DRG_ARRAY_LEN(texts); i++)
		look_for(&f.part, texts[i]);
	if (rc == DRG_OK)
		drg_name_file_close(&f);
	close(fd);
	drg_buf_done(&bytes);
	return 0;
}
