/* Backup files: whole ones of blocks whose hashes are right, as the input says, perhaps damaged afterwards; or
 * any other bytes. Only what is whole is taken, and its rows are packed again as they were. */
#include "list.h"

#include "admin/backup/blocks.h"
#include "admin/backup/head.h"
#include "admin/backup/restore.h"
#include "model/ndjson.h"

static struct drg_buf usual_head;

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
	(void)argc;
	(void)argv;
	static const struct drg_backup_head head = { .made = "2026-11-23T22:40:15.000Z",
		                                     .clock = { .seq = 7, .branch = -9, .epoch = "e" },
		                                     .matched = { 5, DRG_FEED_END, 11 } };
	drg_buf_init(&usual_head, SIZE_MAX);
	drg_backup_head_write(&head, &usual_head);
	return 0;
}

/* A record as a line of an export. @return its sort. */
static unsigned pack_line(struct drg_str line, struct drg_buf *out)
{
	static const struct drg_row_meta meta = { .row = 1, .seq = 2, .created_seq = 2 };
	struct drg_arena arena;
	struct drg_record r;
	unsigned sort = DRG_LAYOUT_SORTS;
	drg_arena_init(&arena, 1 << 24);
	if (drg_ndjson_read(line, &arena, &r, NULL) == DRG_OK) {
		sort = drg_layout_of_type(r.type);
		drg_layout_pack_row(&r, &meta, out);
	}
	drg_arena_done(&arena);
	return sort;
}

/* A block: '{' begins a record; another byte is a sort of rows, and the packed bytes follow. @return rows. */
static uint64_t put_block(struct drg_blocks_out *out, struct drg_str part)
{
	struct drg_buf row;
	uint64_t n = 0;
	drg_buf_init(&row, 1 << 24);
	if (part.p[0] != '{') {
		REQUIRE(drg_blocks_put(out, (uint8_t)part.p[0], drg_str(part.p + 1, part.n - 1), NULL) ==
		        DRG_OK);
		n = 1;
	} else {
		unsigned sort = pack_line(part, &row);
		if (sort < DRG_LAYOUT_SORTS && row.rc == DRG_OK) {
			REQUIRE(drg_blocks_put(out, sort, drg_buf_view(&row), NULL) == DRG_OK);
			n = 1;
		}
	}
	drg_buf_done(&row);
	return n;
}

/* Parts with a byte 0xff between: the head, or nothing for the usual one; then blocks. */
static void write_blocks(int fd, struct drg_str text)
{
	struct drg_blocks_out out;
	struct drg_err err = { 0 };
	struct drg_str part;
	uint64_t rows = 0;
	REQUIRE(drg_blocks_begin(fd, "fuzz", &out, &err) == DRG_OK);
	bool more = drg_str_split(&text, '\xff', &part);
	REQUIRE(drg_blocks_put(&out, DRG_BLOCK_HEAD, more && part.n > 0 ? part : drg_buf_view(&usual_head),
	                       &err) == DRG_OK);
	while (drg_str_split(&text, '\xff', &part))
		rows += part.n > 1 ? put_block(&out, part) : 0;
	REQUIRE(drg_blocks_end(&out, rows, &err) == DRG_OK);
	drg_buf_done(&out.packed);
}

/* @return Is it whole? */
static bool look(const char *path)
{
	struct drg_backup_info told;
	struct drg_err err = { 0 };
	int rc = drg_backup_verify(path, NULL, NULL, &told, &err);
	if (rc != DRG_OK)
		require_refusal(rc, &err);
	else
		REQUIRE(strlen(told.program) < sizeof told.program && strlen(told.made) < sizeof told.made);
	return rc == DRG_OK;
}

/* A bit at a place that the input names is another: it is whole no more. */
static void damage(int fd, const char *path, uint32_t place)
{
	off_t n = lseek(fd, 0, SEEK_END), at = (off_t)(place / 8 % (uint64_t)n);
	char byte;
	REQUIRE(pread(fd, &byte, 1, at) == 1);
	byte = (char)(byte ^ 1 << place % 8);
	REQUIRE(pwrite(fd, &byte, 1, at) == 1);
	REQUIRE(!look(path));
}

/* The first byte chooses: 'f' is a file as it is, another one of blocks, of which four bytes say what is
 * damaged. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
	char path[64];
	uint32_t place;
	if (n < 5)
		return 0;
	struct drg_str text = input_text(data + 5, n - 5);
	int fd = file_of("", 0, path);
	if (data[0] == 'f')
		REQUIRE(write(fd, text.p, text.n) == (ssize_t)text.n);
	else
		write_blocks(fd, text);
	if (look(path) && data[0] != 'f') {
		memcpy(&place, data + 1, sizeof place);
		damage(fd, path, place);
	}
	close(fd);
	return 0;
}
