/* src/store/postgres/postgres_priv.h
 * What the files of the PostgreSQL engine share.
 *
 * A handle is a connection. What it sends goes in libpq's pipeline mode: statements that nobody waits for
 * (drg_pg_queue()) travel with the next one that somebody does (drg_pg_exec()). Results come in binary. */
#pragma once
#include "base/arena.h"
#include "store/postgres/pq.h"
#include "store/engine.h"
#include "store/side_priv.h"

/** Statements that exist once. */
enum pg_once {
	PG_BEGIN_READ,
	PG_BEGIN_WRITE,
	PG_COMMIT,
	PG_ROLLBACK,
	PG_SETTINGS,
	PG_LOCK_WRITERS,
	PG_BEGIN_CLOCK,
	PG_CLOCK,
	PG_SUGGEST,
	PG_SUGGEST_NEW,
	PG_SET_CLOCK,
	PG_NOTIFY,
	PG_WANTED,
	PG_HOLDER,
	PG_LOCK_IMPORTS,
	PG_XACT_STATUS,
	PG_BYTES,
	PG_NEWEST,
	PG_CLOSE_CURSOR,
	PG_NO_TIMEOUT,
	PG_ONCE_COUNT
};

/** Statements that exist for each type. */
enum pg_of_type {
	PG_FIND, /**< the row of an identity, tombstones included */
	PG_FIND_FROM, /**< rows from an identity on, in its order */
	/** the rows of many identities that differ in the last field only, which is given as an array */
	PG_FIND_ALL,
	PG_UPDATE, /**< all but row and identity, by identity */
	PG_UPDATE_ALL, /**< likewise many, each column as an array; no identity twice */
	PG_SIBLINGS,
	PG_SIBLINGS_FROM,
	PG_FEED, /**< rows behind (seq, row), in their order */
	PG_TYPE_COUNT
};

/** The advisory locks, all with the first number 0x64726731 ("drg1"). */
enum { PG_LOCK_OF_WRITERS = 1, PG_LOCK_OF_IMPORTS = 2, PG_LOCK_OF_SCHEMA = 3 };
#define PG_LOCK_CLASS "1685219121"

/** Parameters of a statement, from $1 on. Texts are borrowed until it is sent. */
enum { PG_MAX_PARAMS = 48 };
struct pg_params {
	int n;
	Oid types[PG_MAX_PARAMS];
	const char *values[PG_MAX_PARAMS];
	int lengths[PG_MAX_PARAMS];
	int formats[PG_MAX_PARAMS];
	uint64_t numbers[PG_MAX_PARAMS]; /* in the order of the network */
};

/** A statement and, where it was prepared, its name. */
struct pg_statement {
	char *text;
	char name[16];
	bool prepared;
};

/** Where the reading of a type's feed stands. */
struct pg_feed {
	PGresult *rows; /**< NULL: none */
	int at; /**< -1: before the first */
	int64_t seq, row; /**< behind which the next rows are asked for */
	int page; /**< how many rows to ask for */
	bool last; /**< no rows are behind these */
};

/** Suggestions that were not sent: the elements of an array for each column. */
enum { PG_SUGGESTION_COLUMNS = 10 };
struct pg_suggested {
	struct drg_buf columns[PG_SUGGESTION_COLUMNS];
	uint32_t n;
	bool replace; /**< what is there of these sources */
};

struct pg_rows; /* rows.c: what is known of rows in a transaction */

/** For what a server is waited for; await.c has how long. */
enum pg_patience {
	PG_FOR_READS,
	PG_FOR_LOOKS, /**< at what costs a server nothing */
	PG_FOR_LOCKS,
	PG_FOR_COMMITS,
	PG_FOR_LONG, /**< what reads all there is */
	PG_FOR_EVER /**< what cannot be done twice: a schema that is brought up to date */
};

/** A server behind a connection, as it was when that was made. */
struct pg_server {
	bool pooled; /**< a pooler stands between: nothing may rest on the session */
	bool standby;
	int64_t system, timeline; /**< timeline 0: a standby's */
};

struct drg_txn {
	struct drg_txn_head head;
	struct drg_clock clock;
	bool wanted; /**< has been found to be */
	int unheard_rc; /**< of a failure of which nobody could be told yet; DRG_OK: none */
	struct drg_err unheard; /**< its words */
	int64_t looked_ns; /**< when wanted was asked for */
};

struct drg_store {
	struct drg_store_head head;
	PGconn *conn;
	char *place; /**< the URL without anything secret, for messages */
	char *url;
	bool writes; /**< opened for writing */
	bool incomplete; /**< left by a filling from another store that was interrupted */
	PGresult *dropped_indexes; /**< while it is filled: names, and what makes them; NULL */
	struct pg_server is; /**< whom it is connected to */
	PGconn *imports; /**< holds the right to import; NULL */
	int queued; /**< statements sent whose answers were not read */
	enum pg_patience patience;
	unsigned
	        gave_up_ms; /**< so long there was no answer, and the connection was given up; 0: it was not */
	const struct drg_type *copying; /**< whose rows a COPY takes; NULL: none is open */
	bool numbered; /**< rows come with their numbers */
	struct drg_buf gathered[DRG_TYPE_COUNT]; /**< new rows that were not sent */
	unsigned long gathering[DRG_TYPE_COUNT]; /**< a number for what is in them */
	struct drg_buf changed[DRG_TYPE_COUNT]; /**< struct pg_changed: rows that are to be written over */
	size_t changed_bytes[DRG_TYPE_COUNT];
	unsigned long changing[DRG_TYPE_COUNT]; /**< a number for what is in them */
	struct pg_suggested suggested;
	struct drg_txn txn;
	bool in_snapshot;
	struct drg_clock snapshot;
	int64_t newest[DRG_TYPE_COUNT]; /**< seq of the newest row in the snapshot; -1: not asked yet */
	int64_t server; /**< a number for the server and its timeline, at the last transaction; 0: none yet */
	struct pg_rows *rows;
	PGresult *loaded[DRG_TYPE_COUNT];
	struct pg_feed feed[DRG_TYPE_COUNT];
	struct pg_scan *ahead; /**< the scan whose next rows are on their way */
	struct pg_statement once[PG_ONCE_COUNT];
	struct pg_statement of_type[DRG_TYPE_COUNT][PG_TYPE_COUNT];
	struct pg_statement of_side[DRG_SIDE_STATEMENTS];
};

extern const struct drg_sql_dialect drg_pg_dialect;

/* ---- url.c ---------------------------------------------------------------------------------------------- */

/** The URL for messages: without what could be secret. To be freed; NULL: no memory. */
char *drg_pg_place(const char *url);

/** Is it a URL that libpq understands, and without a password? @return DRG_OK, DRG_EINVAL. */
DRG_MUSTCHECK
int drg_pg_check_url(const char *url, const char *place, struct drg_err *reterr);

/** A host of a URL. */
struct pg_host {
	char host[256], hostaddr[64], port[16]; /**< "": as libpq has it */
};
enum { PG_MAX_HOSTS = 16 };

/** What dragoman itself makes of a URL. */
struct pg_target {
	struct pg_host hosts[PG_MAX_HOSTS];
	unsigned n; /**< at least 1; 1: the hosts are those of the URL, however many it has */
	unsigned connect_ms;
	bool prefers_standby;
};
void drg_pg_target(const char *url, struct pg_target *ret);

/* ---- connect.c ------------------------------------------------------------------------------------------ */

/**
 * Connect, to all hosts at the same time: the first one counts that is ready, or is so half a second after,
 * if it is not on a timeline that is over. @return DRG_OK; DRG_EIO ...
 */
DRG_MUSTCHECK
int drg_pg_connect(const char *url, const char *place, bool writes, PGconn **ret, struct pg_server *ret_is,
                   struct drg_err *reterr);

/* ---- timeline.c ----------------------------------------------------------------------------------------- */

/** Has another server taken over from this one, as far as is known? */
bool drg_pg_timeline_is_over(const struct pg_server *v);
/** Take notice of a server; one that has taken over is a line of the log. @return false: another has taken
 * over from it. */
bool drg_pg_timeline_note(const struct pg_server *v, const PGconn *conn);
/** The timeline in the name of a file of the log. */
int64_t drg_pg_timeline_of(struct drg_str wal_file);

/* ---- await.c -------------------------------------------------------------------------------------------- */

/** How long is waited at most, in milliseconds; 0: without an end. May change while somebody waits. */
unsigned drg_pg_patience_ms(enum pg_patience patience);

/** Waiting in rounds of poll(). */
enum { PG_ROUND_MS = 50 };
struct pg_wait {
	int64_t began_ns;
	unsigned rounds;
};
void drg_pg_wait_begin(struct pg_wait *w);
/** At the end of a round in which nothing came. @param ms  0: never. */
bool drg_pg_wait_is_over(struct pg_wait *w, unsigned ms);

/** Not where the process stops and a server has not answered. */
bool drg_pg_may_connect(void);
/** Until PQgetResult() does not wait. @return false: in vain. The connection is given up and counts as
 * broken. */
bool drg_pg_await(struct drg_store *s);
/** Until all that was given to libpq is sent. @return DRG_OK; DRG_EIO. */
DRG_MUSTCHECK
int drg_pg_send_rest(struct drg_store *s, struct drg_err *reterr);
/** Run plain statements on a connection, up to a COPY. @return the last result; NULL. */
PGresult *drg_pg_ask(PGconn *conn, const char *sql, enum pg_patience patience, bool *ret_gave_up);

/* ---- conn.c --------------------------------------------------------------------------------------------- */

/** Put what went wrong into words. @param res  NULL: the connection itself. Returns enum drg_rc, not DRG_OK. */
int drg_pg_fail(const struct drg_store *s, const PGresult *res, struct drg_err *reterr);
/** What went wrong, before it is put into words. */
struct pg_fault {
	size_t failure;
	char text[400];
};
void drg_pg_fault(const PGconn *conn, const PGresult *res, struct pg_fault *ret);
int drg_pg_fail_fault(const struct pg_fault *f, const char *place, struct drg_err *reterr);
/** Nobody answered. Returns DRG_EIO. */
int drg_pg_fail_silent(const char *place, unsigned ms, struct drg_err *reterr);
/** Likewise for a connection that is not a handle's. */
int drg_pg_fail_conn(const PGconn *conn, const char *place, const PGresult *res, struct drg_err *reterr);
/** The store holds what nobody stored. Returns DRG_ECORRUPT. */
int drg_pg_corrupt(const struct drg_store *s, struct drg_err *reterr);
/** Is the connection gone? */
bool drg_pg_broken(const struct drg_store *s);

/** Prepare a statement, where that is done and was not done: waits for all that was queued before it. */
DRG_MUSTCHECK
int drg_pg_prepare(struct drg_store *s, struct pg_statement *st, const struct pg_params *p,
                   struct drg_err *reterr);
/** Send a statement and wait for nothing, but to prepare it at its first use. @param p  May be NULL. */
DRG_MUSTCHECK
int drg_pg_queue(struct drg_store *s, struct pg_statement *st, const struct pg_params *p,
                 struct drg_err *reterr);
/** Ask for the answers of everything that was sent. */
DRG_MUSTCHECK
int drg_pg_sync(struct drg_store *s, struct drg_err *reterr);
/** Read them. @param ret  The last one's, to be cleared; may be NULL. */
DRG_MUSTCHECK
int drg_pg_answers(struct drg_store *s, PGresult **ret, struct drg_err *reterr);
/** Both, with a patience of its own. */
DRG_MUSTCHECK
int drg_pg_collect_for(struct drg_store *s, enum pg_patience patience, PGresult **ret,
                       struct drg_err *reterr);
/** Send and collect. @param ret  As above. */
DRG_MUSTCHECK
int drg_pg_exec(struct drg_store *s, struct pg_statement *st, const struct pg_params *p, PGresult **ret,
                struct drg_err *reterr);
/** Nothing is under way any more: neither statements, nor a COPY, nor rows of a scan. */
DRG_MUSTCHECK
int drg_pg_idle(struct drg_store *s, struct drg_err *reterr);
/** Run plain statements, without parameters, outside of the pipeline. */
DRG_MUSTCHECK
int drg_pg_script(struct drg_store *s, const char *sql, PGresult **ret, struct drg_err *reterr);

/* ---- values.c ------------------------------------------------------------------------------------------- */

void drg_pg_param_i(struct pg_params *p, int64_t v);
void drg_pg_param_s(struct pg_params *p, struct drg_str v);
/** The values of a field of many records; @p f NULL: integers. @param v  From drg_pg_array(). */
void drg_pg_param_array(struct pg_params *p, const struct drg_field_def *f, struct drg_str v);
/** The value of a field, NULL where the record lacks it. */
void drg_pg_param_field(struct pg_params *p, const struct drg_field_def *f, const struct drg_record *r);
/** The identity. */
void drg_pg_param_identity(struct pg_params *p, const struct drg_record *r);

/** An element of an array of the values of a field. @param f  NULL: integers. @param v  NULL: none. */
void drg_pg_array_element(struct drg_buf *b, const struct drg_field_def *f, const union drg_value *v);
/** The array of @p n elements. */
void drg_pg_array(struct drg_buf *b, const struct drg_field_def *f, uint32_t n,
                  const struct drg_buf *elements);

/** A value of a result; NULL is 0, or an empty text. */
int64_t drg_pg_i(const PGresult *res, int row, int col);
struct drg_str drg_pg_s(const PGresult *res, int row, int col);

/** The row @p at of @p res. Texts are the result's. */
DRG_MUSTCHECK
int drg_pg_read_row(const struct drg_store *s, const PGresult *res, int at, const struct drg_type *t,
                    struct drg_record *ret, struct drg_row_meta *ret_meta, struct drg_err *reterr);

/* ---- stmt.c --------------------------------------------------------------------------------------------- */

struct pg_statement *drg_pg_once(struct drg_store *s, enum pg_once which);
/** @return NULL: no memory. */
struct pg_statement *drg_pg_of_type(struct drg_store *s, const struct drg_type *t, enum pg_of_type which);
/** Likewise of a side table. */
struct pg_statement *drg_pg_of_side(struct drg_store *s, unsigned statement);
void drg_pg_free_statements(struct drg_store *s);
/** Run one of those that exist once. */
DRG_MUSTCHECK
int drg_pg_run(struct drg_store *s, enum pg_once which, const struct pg_params *p, PGresult **ret,
               struct drg_err *reterr);

/* ---- schema.c ------------------------------------------------------------------------------------------- */

/** Is the server one that dragoman can use? Before anything is asked of it. */
DRG_MUSTCHECK
int drg_pg_check_server(const struct drg_store *s, struct drg_err *reterr);
/** Is it our schema, and of this version? @param mode  DRG_STORE_CREATE makes and migrates it. */
DRG_MUSTCHECK
int drg_pg_check_schema(struct drg_store *s, enum drg_store_mode mode, struct drg_err *reterr);

/* ---- rows.c: what a transaction knows and what it has not sent yet ------------------------------ */

/** @return NULL: no memory. */
struct pg_rows *drg_pg_rows_new(void);
/** Forget everything: the transaction is over, or begins. */
void drg_pg_rows_clear(struct drg_store *s);
void drg_pg_rows_free(struct drg_store *s);
/** Send the rows that are held back. */
DRG_MUSTCHECK
int drg_pg_rows_flush(struct drg_store *s, struct drg_err *reterr);

/**
 * As drg_store_siblings(), within a transaction, from what was read ahead: those who ask in the order of
 * identities wait for few answers.
 * @param ret_known  False: @p fn was not called, they have to be asked for.
 */
DRG_MUSTCHECK
int drg_pg_known_siblings(struct drg_store *s, const struct drg_record *key, bool *ret_known, drg_row_fn *fn,
                          void *ctx, struct drg_err *reterr);

/* ---- key.c ---------------------------------------------------------------------------------------------- */

/** The identity of a record as bytes, into @p key. */
void drg_pg_key_build(struct drg_buf *key, const struct drg_record *r);
/** Bring those together that differ in the last field only. @param n  At least 1. */
void drg_pg_key_sort(const struct drg_type *t, struct drg_str *keys, size_t n);
/** How many of the first keys differ in the last field only. @param n  At least 1. */
size_t drg_pg_key_run(const struct drg_type *t, const struct drg_str *keys, size_t n);
/** The rows of such keys. */
DRG_MUSTCHECK
int drg_pg_find_run(struct drg_store *s, const struct drg_type *t, const struct drg_str *keys, size_t n,
                    PGresult **ret, struct drg_err *reterr);

/* ---- range.c -------------------------------------------------------------------------------------------- */

/** All rows of a type from one identity up to another, or to the end. */
struct pg_range {
	PGresult *rows; /* NULL: nothing is known */
	struct drg_buf from; /* packed */
	bool to_end;
	int hits; /* look-ups that it answered */
};

/** Is it known of an identity whether there is a row? */
bool drg_pg_range_covers(const struct pg_range *g, const struct drg_record *key);
/** Which of the rows it is; -1: there is none. Covered identities only. */
int drg_pg_range_search(const struct pg_range *g, const struct drg_record *key);
/** The rows that are like a covered identity but for the last field, which is as low as can be. @return false:
 * perhaps not all of them. */
bool drg_pg_range_siblings(const struct pg_range *g, const struct drg_record *first, int *ret_from,
                           int *ret_to);
/** Look an identity up, and read on behind it: the further, the more of the last reading was of use. */
DRG_MUSTCHECK
int drg_pg_range_read(struct drg_store *s, struct pg_range *g, const struct drg_record *key,
                      struct drg_err *reterr);

/* ---- copy.c --------------------------------------------------------------------------------------------- */

/** A new row, to be sent some time. */
DRG_MUSTCHECK
int drg_pg_copy_row(struct drg_store *s, const struct drg_record *r, const struct drg_row_meta *m,
                    struct drg_err *reterr);
/** A row as it was in another store, with its number. */
DRG_MUSTCHECK
int drg_pg_copy_restored(struct drg_store *s, const struct drg_record *r, const struct drg_row_meta *m,
                         struct drg_err *reterr);
/** Send all that was gathered, and hear what became of it. */
DRG_MUSTCHECK
int drg_pg_copy_flush(struct drg_store *s, struct drg_err *reterr);
/** End the COPY that is open, if one is. */
DRG_MUSTCHECK
int drg_pg_copy_end(struct drg_store *s, struct drg_err *reterr);

/* ---- change.c ------------------------------------------------------------------------------------------- */

/** A row as it is to be. Not one that waits already. @param packed  Of drg_record_pack(); borrowed until it is
 * sent. */
DRG_MUSTCHECK
int drg_pg_change_row(struct drg_store *s, const struct drg_type *t, struct drg_str packed,
                      const struct drg_row_meta *m, struct drg_err *reterr);
/** Send those of a type that wait, or of all: NULL. */
DRG_MUSTCHECK
int drg_pg_change_flush(struct drg_store *s, const struct drg_type *t, struct drg_err *reterr);

/** Parameters that are arrays, one for each column. */
struct pg_arrays {
	const struct drg_field_def *const *fields; /**< what each has the values of; NULL: integers */
	const struct drg_buf *columns; /**< the elements, `n` in each */
	unsigned n_columns;
	size_t n;
	const int64_t *numbers; /**< parameters behind them */
	unsigned n_numbers;
};
/** Queue a statement. @param a  Borrowed for the call. */
DRG_MUSTCHECK
int drg_pg_queue_arrays(struct drg_store *s, struct pg_statement *st, const struct pg_arrays *a,
                        struct drg_err *reterr);

/* ---- suggestions.c -------------------------------------------------------------------------------------- */

void drg_pg_suggested_init(struct pg_suggested *g);
void drg_pg_suggested_clear(struct pg_suggested *g);
void drg_pg_suggested_done(struct pg_suggested *g);
/** Keep one back. @param replace  What is there of its source; what is new then counts as asked. */
DRG_MUSTCHECK
int drg_pg_suggested_add(struct drg_store *s, const struct drg_side_values *row, bool replace,
                         struct drg_err *reterr);
/** Send those that wait. */
DRG_MUSTCHECK
int drg_pg_suggested_flush(struct drg_store *s, struct drg_err *reterr);
