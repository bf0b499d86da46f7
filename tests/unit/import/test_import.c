#include "../importing.h"

#define ADAPTER "{\"type\":\"adapter\",\"id\":7,\"code\":\"coral\",\"name\":\"Coral\",\"domain\":\"tour\"}\n"
#define TURKEY                                                                                               \
	"{\"type\":\"dict\",\"kind\":\"country\",\"id\":1,\"name\":\"Turkey\",\"iso_alpha_2\":\"TR\"}\n"
#define CITY "{\"type\":\"dict\",\"kind\":\"city\",\"id\":5,\"name\":\"Belek\",\"country_id\":1}\n"
#define SOURCE                                                                                               \
	"{\"type\":\"source\",\"adapter_id\":7,\"kind\":\"country\",\"id\":\"90\",\"name\":\"TURKEY\","      \
	"\"dict_id\":1}\n"
#define HOTEL                                                                                                \
	"{\"type\":\"source\",\"adapter_id\":7,\"kind\":\"hotel\",\"id\":\"h1\",\"name\":\"Blue Bay\"}\n"
#define UNMAPPED_HOTEL                                                                                       \
	"{\"type\":\"source\",\"adapter_id\":7,\"kind\":\"hotel\",\"id\":\"h1\",\"name\":\"Blue "            \
	"Bay\",\"dict_id\":null}\n"
#define CONTENT "{\"type\":\"hotel_content\",\"adapter_id\":7,\"hotel_id\":\"h1\",\"room_count\":3}\n"
#define DEAD_TURKEY "{\"type\":\"dict\",\"kind\":\"country\",\"id\":1,\"deleted\":true}\n"
#define DEAD_ADAPTER "{\"type\":\"adapter\",\"id\":7,\"deleted\":true}\n"
#define DEAD_SOURCE                                                                                          \
	"{\"type\":\"source\",\"adapter_id\":7,\"kind\":\"country\",\"id\":\"90\",\"deleted\":true}\n"
#define DEAD_HOTEL                                                                                           \
	"{\"type\":\"source\",\"adapter_id\":7,\"kind\":\"hotel\",\"id\":\"h1\",\"deleted\":true}\n"
#define CONTENT_OF_TYPE_4                                                                                    \
	"{\"type\":\"hotel_content\",\"adapter_id\":7,\"hotel_id\":\"h1\","                                  \
	"\"descriptions\":[{\"type_id\":4,\"text\":\"x\"}]}"
#define PLACE(id)                                                                                            \
	"{\"type\":\"air_place\",\"source_id\":" id                                                          \
	",\"place\":\"apt\",\"code\":\"KBP\",\"name\":\"B\",\"country_code\":\"UA\"}\n"

static const struct drg_import_options plain = { .threads = 2 }, keep_going = { .keep_going = true };

/* ---- bad rows ------------------------------------------------------------------------------------------ */

static const struct {
	const char *name, *row, *said; /* said: in the report, after the line number */
} bad_rows[] = {
	{ "cut line", "{\"type\":\"adapter\",\"id\":7", "ends too early" },
	{ "not an object", "[1]", "expected an object" },
	{ "bad UTF-8", "{\"type\":\"adapter\",\"id\":1,\"code\":\"\xff\",\"name\":\"x\",\"domain\":\"air\"}",
	  "UTF-8" },
	{ "duplicate member", "{\"type\":\"adapter\",\"id\":1,\"id\":1}", "id: expected one member" },
	{ "number out of int64", "{\"type\":\"adapter\",\"id\":99999999999999999999}", "beyond 64 bits" },
	{ "number out of range",
	  "{\"type\":\"adapter\",\"id\":0,\"code\":\"x\",\"name\":\"x\",\"domain\":\"air\"}", "id: " },
	{ "latitude out of range",
	  "{\"type\":\"dict\",\"kind\":\"city\",\"id\":1,\"name\":\"x\",\"country_id\":1,\"lat\":90.1}",
	  "lat: " },
	{ "unknown type", "{\"type\":\"hotel\"}", "type: expected one of adapter" },
	{ "unknown kind", "{\"type\":\"dict\",\"kind\":\"planet\",\"id\":1,\"name\":\"x\"}",
	  "kind: expected one of country" },
	{ "keys cannot be imported", "{\"type\":\"api_key\",\"id\":1}", "type: expected one of" },
	{ "missing identity",
	  "{\"type\":\"dict\",\"kind\":\"country\",\"name\":\"x\",\"iso_alpha_2\":\"XX\"}", "id: " },
	{ "missing field", "{\"type\":\"dict\",\"kind\":\"country\",\"id\":9,\"name\":\"x\"}",
	  "iso_alpha_2: " },
	{ "dangling adapter",
	  "{\"type\":\"source\",\"adapter_id\":8,\"kind\":\"meal\",\"id\":\"1\",\"name\":\"x\"}",
	  "adapter_id: expected the id of an adapter that exists, found 8" },
	{ "dangling mapping",
	  "{\"type\":\"source\",\"adapter_id\":7,\"kind\":\"meal\",\"id\":\"1\",\"name\":\"x\",\"dict_id\":-"
	  "3}",
	  "dict_id: expected the id of a dict meal that exists, found -3" },
	{ "a mapping to another kind",
	  "{\"type\":\"source\",\"adapter_id\":7,\"kind\":\"meal\",\"id\":\"1\",\"name\":\"x\",\"dict_id\":"
	  "1}",
	  "dict_id: expected the id of a dict meal" },
	{ "dangling country",
	  "{\"type\":\"dict\",\"kind\":\"city\",\"id\":1,\"name\":\"x\",\"country_id\":2}",
	  "country_id: expected the id of a dict country that exists, found 2" },
	{ "content of an unknown hotel", "{\"type\":\"hotel_content\",\"adapter_id\":7,\"hotel_id\":\"no\"}",
	  "hotel_id: expected the id of a hotel of adapter 7 that exists, found \"no\"" },
	{ "content with an unknown type", CONTENT_OF_TYPE_4, "dict description_type" },
	{ "air data of an unknown place",
	  "{\"type\":\"air_source\",\"adapter_id\":7,\"source_id\":5,\"data\":{}}",
	  "source_id: expected the id of an air place" },
	{ "redirect to nowhere", "{\"type\":\"redirect\",\"kind\":\"country\",\"id\":8,\"to\":9}",
	  "to: expected the id" },
	{ "a code that another adapter has",
	  "{\"type\":\"adapter\",\"id\":8,\"code\":\"coral\",\"name\":\"x\",\"domain\":\"air\"}",
	  "code: expected a value that no other record has; adapter 7 has it" },
	{ "an ISO code that another country has",
	  "{\"type\":\"dict\",\"kind\":\"country\",\"id\":2,\"name\":\"x\",\"iso_alpha_2\":\"tr\"}",
	  "iso_alpha_2: expected a value that no other record has; dict country 1 has it" },
};

static const char good_rows[] = ADAPTER "\n" TURKEY CITY "   \n" SOURCE HOTEL CONTENT;

/* Bad rows in a first import, and over data that is there. */
static void a_bad_row_is_reported_and_nothing_is_applied(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof bad_rows / sizeof bad_rows[0]; i++) {
		for (int stored = 0; stored <= 1; stored++) {
			struct importing x;
			char text[4096], before[4096], after[4096];
			importing_begin(&x);
			if (stored)
				assert_int_equal(importing_text(&x, good_rows, plain), DRG_OK);
			importing_export(&x, before, sizeof before);
			snprintf(text, sizeof text, "%s%s\n", good_rows, bad_rows[i].row);
			int rc = importing_text(&x, text, plain);
			if (rc != DRG_EINVAL || x.bad_rows != 1 || strncmp(x.first_bad, "9: ", 3) != 0 ||
			    strstr(x.first_bad, bad_rows[i].said) == NULL)
				fail_msg("%s: %d, %d bad rows, %s", bad_rows[i].name, rc, x.bad_rows,
				         x.first_bad);
			assert_string_equal(importing_export(&x, after, sizeof after), before);
			importing_end(&x);
		}
	}
}

static void with_keep_going_the_good_rows_are_applied_and_the_bad_ones_kept(void **state)
{
	(void)state;
	char rejects[128], text[4096], kept[1024], expected[4096], found[4096];
	for (size_t i = 0; i < sizeof bad_rows / sizeof bad_rows[0]; i++) {
		struct importing x;
		struct drg_import_options o = keep_going;
		importing_begin(&x);
		assert_int_equal(importing_text(&x, good_rows, plain), DRG_OK);
		importing_export(&x, expected, sizeof expected);
		importing_end(&x);

		importing_begin(&x);
		o.rejects = folder_file(&x.dir, "rejects", rejects, sizeof rejects);
		snprintf(text, sizeof text, "%s%s\n", good_rows, bad_rows[i].row);
		assert_int_equal(importing_text(&x, text, o), DRG_OK);
		assert_int_equal(x.sums.bad, 1);
		assert_int_equal(x.sums.rows, 7);
		assert_int_equal(x.sums.created, 6);
		assert_string_equal(importing_export(&x, found, sizeof found), expected);

		FILE *f = fopen(rejects, "r");
		assert_non_null(fgets(kept, sizeof kept, f));
		fclose(f);
		kept[strcspn(kept, "\n")] = '\0';
		assert_string_equal(kept, bad_rows[i].row);
		importing_end(&x);
	}
}

static void what_dangles_because_of_a_rejected_row_is_rejected_too(void **state)
{
	(void)state;
	struct importing x;
	char found[4096];
	importing_begin(&x);
	/* Without its country no city, without the city no hotel, without the hotel no mapping to it. */
	assert_int_equal(
	        importing_text(
	                &x,
	                ADAPTER CITY
	                "{\"type\":\"dict\",\"kind\":\"hotel_category\",\"id\":4,\"name\":\"4*\"}\n"
	                "{\"type\":\"dict\",\"kind\":\"country\",\"id\":1,\"name\":\"no code\"}\n"
	                "{\"type\":\"dict\",\"kind\":\"country\",\"id\":2,\"name\":\"Greece\",\"iso_alpha_"
	                "2\":\"GR\"}\n"
	                "{\"type\":\"source\",\"adapter_id\":7,\"kind\":\"hotel\",\"id\":\"a\",\"name\":"
	                "\"A\",\"dict_id\":50}\n"
	                "{\"type\":\"hotel_content\",\"adapter_id\":7,\"hotel_id\":\"a\",\"room_count\":1}\n"
	                "{\"type\":\"dict\",\"kind\":\"hotel\",\"id\":50,\"name\":\"A\",\"country_id\":2,"
	                "\"city_id\":5,\"hotel_category_id\":4}\n",
	                keep_going),
	        DRG_OK);
	assert_int_equal(x.sums.bad, 5);
	assert_int_equal(x.sums.created, 3);
	assert_null(strstr(importing_export(&x, found, sizeof found), "source"));
	importing_end(&x);
}

static void a_row_over_the_limit_is_not_held_in_memory(void **state)
{
	(void)state;
	static const struct {
		size_t over;
		int rc;
	} cases[] = { { 0, DRG_OK }, { 1, DRG_EINVAL } };
	const size_t max = (size_t)8 << 20;
	for (size_t i = 0; i < 2; i++) {
		static const char head[] =
		        "{\"type\":\"adapter\",\"id\":7,\"code\":\"c\",\"name\":\"C\",\"domain\":\"air\"";
		struct importing x;
		char path[128];
		size_t n = max + cases[i].over;
		char *text = malloc(n + 1);
		memset(text, ' ', n);
		memcpy(text, head, sizeof head - 1);
		text[n - 1] = '}';
		text[n] = '\n';
		importing_begin(&x);
		folder_write(&x.dir, "long", text, n + 1);
		const char *files[] = { folder_file(&x.dir, "long", path, sizeof path) };
		struct drg_import_options o = { .files = files, .n_files = 1 };
		assert_int_equal(importing_files(&x, o), cases[i].rc);
		if (cases[i].rc != DRG_OK)
			assert_non_null(strstr(x.first_bad, "1: : expected a line of at most 8388608 bytes"));
		free(text);
		importing_end(&x);
	}
}

static void no_more_than_a_hundred_bad_rows_are_told(void **state)
{
	(void)state;
	struct importing x;
	static char text[20000];
	text[0] = '\0';
	for (int i = 0; i < 500; i++)
		strcat(text, "{\"type\":\"no\"}\n");
	importing_begin(&x);
	assert_int_equal(importing_text(&x, text, plain), DRG_EINVAL);
	assert_int_equal(x.bad_rows, DRG_IMPORT_SHOWN);
	assert_int_equal(x.sums.bad, 500);
	assert_non_null(strstr(x.err.message, "500 of 500"));
	importing_end(&x);
}

/* ---- order, identity, repetition ----------------------------------------------------------------------- */

static void order_does_not_matter(void **state)
{
	(void)state;
	struct importing x;
	importing_begin(&x);
	assert_int_equal(importing_text(&x, CONTENT HOTEL SOURCE CITY TURKEY ADAPTER, plain), DRG_OK);
	assert_int_equal(x.sums.created, 6);
	importing_end(&x);
}

static void the_same_again_changes_nothing(void **state)
{
	(void)state;
	struct importing x;
	importing_begin(&x);
	assert_int_equal(importing_text(&x, good_rows, plain), DRG_OK);
	assert_int_equal(importing_text(&x, good_rows, plain), DRG_OK);
	assert_int_equal(x.sums.same, 6);
	assert_int_equal(x.sums.created + x.sums.changed + x.sums.deleted, 0);
	importing_end(&x);
}

static void of_two_rows_with_one_identity_the_last_wins(void **state)
{
	(void)state;
	struct importing x;
	char found[1024];
	importing_begin(&x);
	/* The code that the first row claims is free again. */
	assert_int_equal(
	        importing_text(
	                &x,
	                "{\"type\":\"adapter\",\"id\":7,\"code\":\"a\",\"name\":\"x\",\"domain\":\"air\"}\n"
	                "{\"type\":\"adapter\",\"id\":7,\"code\":\"b\",\"name\":\"y\",\"domain\":\"air\"}\n"
	                "{\"type\":\"adapter\",\"id\":8,\"code\":\"a\",\"name\":\"z\",\"domain\":\"air\"}\n",
	                plain),
	        DRG_OK);
	importing_export(&x, found, sizeof found);
	assert_non_null(strstr(found, "\"id\":7,\"code\":\"b\",\"name\":\"y\""));
	importing_end(&x);
}

static void two_records_can_swap_their_codes(void **state)
{
	(void)state;
	struct importing x;
	importing_begin(&x);
	assert_int_equal(
	        importing_text(
	                &x,
	                "{\"type\":\"adapter\",\"id\":7,\"code\":\"a\",\"name\":\"x\",\"domain\":\"air\"}\n"
	                "{\"type\":\"adapter\",\"id\":8,\"code\":\"b\",\"name\":\"y\",\"domain\":\"air\"}\n",
	                plain),
	        DRG_OK);
	assert_int_equal(
	        importing_text(
	                &x,
	                "{\"type\":\"adapter\",\"id\":7,\"code\":\"b\",\"name\":\"x\",\"domain\":\"air\"}\n"
	                "{\"type\":\"adapter\",\"id\":8,\"code\":\"a\",\"name\":\"y\",\"domain\":\"air\"}\n",
	                plain),
	        DRG_OK);
	assert_int_equal(x.sums.changed, 2);
	importing_end(&x);
}

static void several_files_are_one_import(void **state)
{
	(void)state;
	struct importing x;
	char a[128], b[128];
	importing_begin(&x);
	folder_write(&x.dir, "a", SOURCE, sizeof SOURCE - 1);
	folder_write(&x.dir, "b", ADAPTER TURKEY, sizeof(ADAPTER TURKEY) - 1);
	const char *files[] = { folder_file(&x.dir, "a", a, sizeof a),
		                folder_file(&x.dir, "b", b, sizeof b) };
	struct drg_import_options o = { .files = files, .n_files = 2 };
	assert_int_equal(importing_files(&x, o), DRG_OK);
	assert_int_equal(x.sums.created, 3);
	importing_end(&x);
}

/* ---- removals ------------------------------------------------------------------------------------------ */

static const struct {
	const char *name, *stored, *removal, *said; /* said: NULL: goes through */
} removals[] = {
	{ "mapped country", ADAPTER TURKEY SOURCE, DEAD_TURKEY,
	  "1: deleted: cannot be removed, source 7 country 90" },
	{ "country of a city", TURKEY CITY, DEAD_TURKEY, "1: deleted: cannot be removed, dict city 5" },
	{ "country and its city", TURKEY CITY,
	  DEAD_TURKEY "{\"type\":\"dict\",\"kind\":\"city\",\"id\":5,\"deleted\":true}", NULL },
	{ "country and its source", ADAPTER TURKEY SOURCE, DEAD_TURKEY DEAD_SOURCE, NULL },
	{ "the source is unmapped", ADAPTER TURKEY SOURCE,
	  DEAD_TURKEY "{\"type\":\"source\",\"adapter_id\":7,\"kind\":\"country\",\"id\":\"90\",\"name\":"
	              "\"T\",\"dict_id\":null}",
	  NULL },
	{ "the source keeps its mapping", ADAPTER TURKEY SOURCE,
	  DEAD_TURKEY
	  "{\"type\":\"source\",\"adapter_id\":7,\"kind\":\"country\",\"id\":\"90\",\"name\":\"T\"}",
	  "1: deleted: cannot be removed" },
	{ "the import refers to it", ADAPTER TURKEY, DEAD_TURKEY SOURCE,
	  "2: dict_id: expected the id of a dict country that exists, found 1, which this import removes" },
	{ "removed and made again", ADAPTER TURKEY SOURCE, DEAD_TURKEY TURKEY, NULL },
	{ "made, removed and made again", ADAPTER, TURKEY DEAD_TURKEY TURKEY SOURCE, NULL },
	{ "likewise, and now it says that it is not mapped", ADAPTER, HOTEL DEAD_HOTEL UNMAPPED_HOTEL CONTENT,
	  NULL },
	{ "likewise, but at last it is removed", ADAPTER, UNMAPPED_HOTEL HOTEL DEAD_HOTEL CONTENT,
	  "4: hotel_id: expected the id of a hotel of adapter 7 that exists" },
	{ "nobody refers to it", ADAPTER TURKEY, DEAD_TURKEY, NULL },
	{ "it was never there", ADAPTER, DEAD_TURKEY, NULL },
	{ "adapter with records", ADAPTER TURKEY SOURCE, DEAD_ADAPTER,
	  "1: deleted: cannot be removed, source 7 country 90" },
	{ "adapter and its records", ADAPTER TURKEY SOURCE, DEAD_ADAPTER DEAD_SOURCE, NULL },
	{ "hotel with content", ADAPTER HOTEL CONTENT, DEAD_HOTEL,
	  "1: deleted: cannot be removed, hotel_content 7 h1" },
	{ "hotel and its content", ADAPTER HOTEL CONTENT,
	  "{\"type\":\"hotel_content\",\"adapter_id\":7,\"hotel_id\":\"h1\",\"deleted\":true}\n" DEAD_HOTEL,
	  NULL },
	{ "place with air data",
	  ADAPTER PLACE("5") "{\"type\":\"air_source\",\"adapter_id\":7,\"source_id\":5,\"data\":{}}",
	  "{\"type\":\"air_place\",\"source_id\":5,\"deleted\":true}",
	  "1: deleted: cannot be removed, air_source 7 5" },
	{ "type that content names",
	  ADAPTER HOTEL
	  "{\"type\":\"dict\",\"kind\":\"description_type\",\"id\":4,\"name\":\"x\"}\n" CONTENT_OF_TYPE_4,
	  "{\"type\":\"dict\",\"kind\":\"description_type\",\"id\":4,\"deleted\":true}",
	  "1: deleted: cannot be removed, hotel_content 7 h1" },
	{ "target of a redirect", TURKEY "{\"type\":\"redirect\",\"kind\":\"country\",\"id\":8,\"to\":1}",
	  DEAD_TURKEY, "1: deleted: cannot be removed, redirect country 8" },
	{ "a code is free after a removal", TURKEY,
	  DEAD_TURKEY
	  "{\"type\":\"dict\",\"kind\":\"country\",\"id\":2,\"name\":\"T\",\"iso_alpha_2\":\"TR\"}",
	  NULL },
	{ "though the row of the removal names it", TURKEY,
	  "{\"type\":\"dict\",\"kind\":\"country\",\"id\":1,\"deleted\":true,\"iso_alpha_2\":\"TR\"}\n"
	  "{\"type\":\"dict\",\"kind\":\"country\",\"id\":2,\"name\":\"T\",\"iso_alpha_2\":\"TR\"}",
	  NULL },
};

static void what_is_referred_to_cannot_be_removed(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof removals / sizeof removals[0]; i++) {
		struct importing x;
		importing_begin(&x);
		assert_int_equal(importing_text(&x, removals[i].stored, plain), DRG_OK);
		int rc = importing_text(&x, removals[i].removal, plain);
		const char *said = removals[i].said;
		bool as_expected =
		        said == NULL ? rc == DRG_OK : rc == DRG_EINVAL && strstr(x.first_bad, said) != NULL;
		if (!as_expected)
			fail_msg("%s: %d %s", removals[i].name, rc, x.first_bad);
		importing_end(&x);
	}
}

/* So many removals that the store is read through instead of being asked for each. */
static void many_removals_at_once(void **state)
{
	(void)state;
	struct importing x;
	static char stored[16384], removed[16384];
	char *s = stored, *r = removed;
	s += sprintf(s, ADAPTER);
	for (int i = 0; i < 100; i++) {
		s += sprintf(s, "{\"type\":\"dict\",\"kind\":\"meal\",\"id\":%d,\"name\":\"m\"}\n", i);
		r += sprintf(r, "{\"type\":\"dict\",\"kind\":\"meal\",\"id\":%d,\"deleted\":true}\n", i);
	}
	sprintf(s, "{\"type\":\"source\",\"adapter_id\":7,\"kind\":\"meal\",\"id\":\"a\",\"name\":\"m\","
	           "\"dict_id\":41}\n");
	importing_begin(&x);
	assert_int_equal(importing_text(&x, stored, plain), DRG_OK);
	assert_int_equal(importing_text(&x, removed, plain), DRG_EINVAL);
	assert_int_equal(x.bad_rows, 1);
	assert_string_equal(x.first_bad,
	                    "42: deleted: cannot be removed, source 7 meal a still refers to it");
	assert_int_equal(importing_text(&x, removed, keep_going), DRG_OK);
	assert_int_equal(x.sums.deleted, 99);
	importing_end(&x);
}

/* ---- around it ----------------------------------------------------------------------------------------- */

static void a_dry_run_applies_nothing_and_makes_no_store(void **state)
{
	(void)state;
	struct importing x;
	char found[4096];
	const struct drg_import_options dry = { .dry_run = true };
	importing_begin(&x);
	assert_int_equal(importing_text(&x, good_rows, dry), DRG_OK);
	assert_int_equal(x.sums.rows, 6);
	assert_int_equal(folder_count(&x.dir), 1); /* the file that was read */
	assert_int_equal(importing_text(&x, SOURCE, dry), DRG_EINVAL);
	assert_int_equal(importing_text(&x, good_rows, plain), DRG_OK);
	assert_int_equal(importing_text(&x, SOURCE DEAD_HOTEL, dry), DRG_EINVAL);
	assert_non_null(strstr(importing_export(&x, found, sizeof found), "h1"));
	importing_end(&x);
}

static void one_import_at_a_time(void **state)
{
	(void)state;
	struct importing x;
	struct drg_store *other;
	importing_begin(&x);
	assert_int_equal(drg_store_open(x.store_url, DRG_STORE_CREATE, &other, NULL), DRG_OK);
	assert_int_equal(drg_store_lock_imports(other, NULL), DRG_OK);
	assert_int_equal(importing_text(&x, ADAPTER, plain), DRG_EBUSY);
	assert_non_null(strstr(x.err.message, "is held by process "));
	drg_store_close(other);
	assert_int_equal(importing_text(&x, ADAPTER, plain), DRG_OK);
	importing_end(&x);
}

static void files_that_cannot_be_read_are_named(void **state)
{
	(void)state;
	struct importing x;
	importing_begin(&x);
	static const struct {
		const char *files[2];
		int rc;
		const char *said;
	} cases[] = {
		{ { "/nonexistent" }, DRG_ENOENT, "/nonexistent" },
		{ { "/" }, DRG_EIO, "folder" },
		{ { "-", "-" }, DRG_EUSAGE, "twice" },
	};
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		struct drg_import_options o = { .files = cases[i].files,
			                        .n_files = cases[i].files[1] != NULL ? 2 : 1 };
		assert_int_equal(importing_files(&x, o), cases[i].rc);
		assert_non_null(strstr(x.err.message, cases[i].said));
	}
	assert_int_equal(folder_count(&x.dir), 0);
	importing_end(&x);
}

static void csv_with_its_own_columns(void **state)
{
	(void)state;
	struct importing x;
	char found[2048];
	const char *const map[] = { "id=HotelCode", "name=HotelName", NULL };
	const struct drg_csv_options csv = {
		.target = "source:hotel", .adapter = 7, .map = map, .separator = ';', .lang = "de"
	};
	const struct drg_import_options o = { .csv = &csv };
	importing_begin(&x);
	assert_int_equal(importing_text(&x, ADAPTER, plain), DRG_OK);
	assert_int_equal(importing_text(&x,
	                                "HotelCode;HotelName;address;Rubbish\n"
	                                "001;Haus \"Meer\";\"Strand 1;\n\nHinterhof\";x\n"
	                                "002;\"Zum \"\"Anker\"\"\";;\n",
	                                o),
	                 DRG_OK);
	importing_export(&x, found, sizeof found);
	assert_non_null(strstr(found,
	                       "\"id\":\"001\",\"name\":\"Haus "
	                       "\\\"Meer\\\"\",\"lang\":\"de\",\"address\":\"Strand 1;\\n\\nHinterhof\""));
	assert_non_null(strstr(found, "\"id\":\"002\",\"name\":\"Zum \\\"Anker\\\"\",\"lang\":\"de\"}"));
	assert_int_equal(importing_text(&x, "HotelCode;HotelName\n1;a\n2;\"open\n3;b\n", o), DRG_EINVAL);
	assert_non_null(strstr(x.first_bad, "3: "));
	assert_int_equal(importing_text(&x, "Code;Name\n1;a\n", o), DRG_EINVAL);
	assert_non_null(strstr(x.err.message, "HotelCode"));
	importing_end(&x);
}

static void rejected_csv_has_its_header(void **state)
{
	(void)state;
	struct importing x;
	char rejects[128], kept[256];
	const struct drg_csv_options csv = { .target = "source:meal", .adapter = 7 };
	struct drg_import_options o = { .csv = &csv, .keep_going = true };
	importing_begin(&x);
	o.rejects = folder_file(&x.dir, "rejects", rejects, sizeof rejects);
	assert_int_equal(importing_text(&x, ADAPTER, plain), DRG_OK);
	assert_int_equal(importing_text(&x, "id,name,dict_id\n1,a,\n2,,\n3,c,99\n", o), DRG_OK);
	FILE *f = fopen(rejects, "r");
	kept[fread(kept, 1, sizeof kept - 1, f)] = '\0';
	fclose(f);
	assert_string_equal(kept, "id,name,dict_id\n2,,\n3,c,99\n");
	importing_end(&x);
}

/* ---- the order in which it is applied ------------------------------------------------------------------ */

enum { MANY = 6000 };

/* Line number i of a supplier with MANY hotels, each twice: the second time with another name. */
static void many_line(struct drg_buf *out, unsigned i)
{
	unsigned hotel = i % MANY, again = i / MANY;
	drg_buf_printf(out,
	               "{\"type\":\"source\",\"adapter_id\":7,\"kind\":\"%s\",\"id\":\"%08x\",\"name\":\"%s "
	               "%u\"%s}\n",
	               hotel % 4 == 0 ? "city" : "hotel", hotel * 2654435761U, again ? "last" : "first",
	               hotel, hotel % 3 == 0 && again ? ",\"deleted\":true" : "");
}

/* Import them in the order of @p step, which shares no divisor with MANY: 1 is that of the numbers. */
static void import_many(struct importing *x, unsigned step, char *ret, size_t n)
{
	struct drg_buf text;
	drg_buf_init(&text, SIZE_MAX);
	drg_buf_lit(&text, ADAPTER);
	for (unsigned again = 0; again < 2; again++)
		for (unsigned i = 0; i < MANY; i++)
			many_line(&text, again * MANY + (unsigned)((uint64_t)i * step % MANY));
	drg_buf_char(&text, '\0');
	assert_int_equal(text.rc, DRG_OK);
	importing_begin(x);
	assert_int_equal(importing_text(x, text.p, plain), DRG_OK);
	importing_export(x, ret, n);
	drg_buf_done(&text);
}

static void ids_in_random_order_make_the_same_store(void **state)
{
	(void)state;
	enum { ROOM = 4 << 20 };
	static const unsigned steps[] = { 1, MANY - 1, 3457 };
	char *first = malloc(ROOM), *other = malloc(ROOM);
	struct importing x, y;
	import_many(&x, steps[0], first, ROOM);
	assert_int_equal(x.sums.created, 1 + MANY);
	assert_int_equal(x.sums.changed, MANY - MANY / 3);
	assert_int_equal(x.sums.deleted, MANY / 3);
	assert_null(strstr(first, "\"first "));
	for (unsigned i = 1; i < DRG_ARRAY_LEN(steps); i++) {
		import_many(&y, steps[i], other, ROOM);
		assert_string_equal(first, other);
		assert_memory_equal(y.sums.by_type, x.sums.by_type, sizeof x.sums.by_type);
		assert_int_equal(y.sums.created, x.sums.created);
		assert_int_equal(y.sums.changed, x.sums.changed);
		assert_int_equal(y.sums.deleted, x.sums.deleted);
		importing_end(&y);
	}
	importing_end(&x);
	free(first);
	free(other);
}

/* ---- what is looked up in the store -------------------------------------------------------------------- */

static void content_of_stored_hotels_and_of_none(void **state)
{
	(void)state;
	struct importing x;
	struct drg_buf text;
	char *found = malloc(1 << 20);
	drg_buf_init(&text, SIZE_MAX);
	import_many(&x, 3457, found, 1 << 20);
	/* Hotels that live, in no order; then one that never was, and one that was removed. */
	for (unsigned i = 1; i < MANY; i++)
		if (i * 7 % MANY % 3 != 0 && i * 7 % MANY % 4 != 0)
			drg_buf_printf(
			        &text,
			        "{\"type\":\"hotel_content\",\"adapter_id\":7,\"hotel_id\":\"%08x\"}\n",
			        i * 7 % MANY * 2654435761U);
	size_t good = text.n;
	drg_buf_lit(&text, "{\"type\":\"hotel_content\",\"adapter_id\":7,\"hotel_id\":\"never\"}\n");
	drg_buf_printf(&text, "{\"type\":\"hotel_content\",\"adapter_id\":7,\"hotel_id\":\"%08x\"}\n",
	               3 * 2654435761U);
	drg_buf_char(&text, '\0');
	assert_int_equal(importing_text(&x, text.p, plain), DRG_EINVAL);
	assert_int_equal(x.bad_rows, 2);
	assert_non_null(
	        strstr(x.first_bad,
	               ": hotel_id: expected the id of a hotel of adapter 7 that exists, found \"never\""));
	text.p[good] = '\0';
	assert_int_equal(importing_text(&x, text.p, plain), DRG_OK);
	assert_int_equal(x.sums.created, x.sums.rows);
	drg_buf_done(&text);
	importing_end(&x);
	free(found);
}

/* A store that never should be: city 7 is a record and merged into 5. Who imports a redirect of city 6 is not
 * to blame. */
static void a_redirect_is_not_blamed_for_another(void **state)
{
	(void)state;
	static const char before[] = TURKEY
	        "{\"type\":\"dict\",\"kind\":\"country\",\"id\":7,\"iso_alpha_2\":\"AT\",\"name\":\"A\"}\n";
	struct importing x;
	struct drg_store *s;
	struct drg_txn *t;
	struct drg_record r;
	enum drg_put_result what;
	importing_begin(&x);
	assert_int_equal(importing_text(&x, before, plain), DRG_OK);
	assert_int_equal(drg_store_open(x.store_url, DRG_STORE_WRITE, &s, NULL), DRG_OK);
	assert_int_equal(drg_store_begin(s, &t, NULL), DRG_OK);
	drg_record_init(&r, &drg_types[DRG_TYPE_REDIRECT]);
	drg_record_set_i(&r, DRG_F_KIND, DRG_KIND_COUNTRY);
	drg_record_set_i(&r, DRG_F_ID, 7);
	drg_record_set_i(&r, DRG_F_TO, 1);
	assert_int_equal(drg_txn_put(t, &r, &what, NULL), DRG_OK);
	assert_int_equal(drg_txn_commit(t, NULL, NULL), DRG_OK);
	drg_store_close(s);
	assert_int_equal(
	        importing_text(
	                &x,
	                "{\"type\":\"redirect\",\"kind\":\"country\",\"id\":6,\"to\":1}\n"
	                "{\"type\":\"dict\",\"kind\":\"city\",\"id\":5,\"country_id\":7,\"name\":\"C\"}\n",
	                plain),
	        DRG_OK);
	importing_end(&x);
}

static void the_fixture_comes_out_as_it_went_in(void **state)
{
	(void)state;
	struct importing x, y;
	char path[256];
	static char first[1 << 16], second[1 << 16];
	importing_begin(&x);
	importing_begin(&y);
	const char *files[] = { fixture("mini.ndjson", path, sizeof path) };
	const struct drg_import_options o = { .files = files, .n_files = 1, .threads = 3 };
	assert_int_equal(importing_files(&x, o), DRG_OK);
	importing_export(&x, first, sizeof first);
	assert_int_equal(importing_text(&y, first, plain), DRG_OK);
	assert_string_equal(importing_export(&y, second, sizeof second), first);
	importing_end(&x);
	importing_end(&y);
}

GROUP(import)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_bad_row_is_reported_and_nothing_is_applied),
		cmocka_unit_test(with_keep_going_the_good_rows_are_applied_and_the_bad_ones_kept),
		cmocka_unit_test(what_dangles_because_of_a_rejected_row_is_rejected_too),
		cmocka_unit_test(a_row_over_the_limit_is_not_held_in_memory),
		cmocka_unit_test(no_more_than_a_hundred_bad_rows_are_told),
		cmocka_unit_test(order_does_not_matter),
		cmocka_unit_test(the_same_again_changes_nothing),
		cmocka_unit_test(of_two_rows_with_one_identity_the_last_wins),
		cmocka_unit_test(two_records_can_swap_their_codes),
		cmocka_unit_test(several_files_are_one_import),
		cmocka_unit_test(what_is_referred_to_cannot_be_removed),
		cmocka_unit_test(many_removals_at_once),
		cmocka_unit_test(a_dry_run_applies_nothing_and_makes_no_store),
		cmocka_unit_test(one_import_at_a_time),
		cmocka_unit_test(files_that_cannot_be_read_are_named),
		cmocka_unit_test(csv_with_its_own_columns),
		cmocka_unit_test(rejected_csv_has_its_header),
		cmocka_unit_test(ids_in_random_order_make_the_same_store),
		cmocka_unit_test(content_of_stored_hotels_and_of_none),
		cmocka_unit_test(a_redirect_is_not_blamed_for_another),
		cmocka_unit_test(the_fixture_comes_out_as_it_went_in),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
