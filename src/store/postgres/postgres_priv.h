/* src/store/postgres/postgres_priv.h
 * Shared by the files of the PostgreSQL engine.
 *
 * A handle is a connection. It sends in libpq's pipeline mode: statements for which nobody waits
 * (drg_pg_queue()) travel with the next one for which somebody does (drg_pg_exec()). Results are binary. */
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
	/** rows of many identities that differ in the last field only; that field is an array */
	PG_FIND_ALL,
	PG_UPDATE, /**< by identity: all columns except row and identity */
	PG_UPDATE_ALL, /**< the same for many rows, each column as an array; no identity twice */
	PG_SIBLINGS,
	PG_SIBLINGS_FROM,
	PG_FEED, /**< rows behind (seq, row), in their order */
	PG_TYPE_COUNT
};

/** The locks of writers and of imports are table locks: a role that may only read can get neither, while
 * anybody can get an advisory lock. Both modes exclude themselves and let everybody read. */
#define PG_LOCK_OF_WRITERS "dragoman.branch", "ExclusiveLock"
#define PG_LOCK_OF_IMPORTS "dragoman.migration", "ShareUpdateExclusiveLock"
#define PG_TAKE_WRITERS "LOCK TABLE dragoman.branch IN EXCLUSIVE MODE"
#define PG_TAKE_IMPORTS "LOCK TABLE dragoman.migration IN SHARE UPDATE EXCLUSIVE MODE NOWAIT"
/** Two processes may begin a schema, which has no table yet. */
#define PG_TAKE_BEGINNING "SELECT pg_advisory_xact_lock(1685219121, 3)"

/** Parameters of a statement, from $1 on. Texts are borrowed until the statement is sent. */
enum { PG_MAX_PARAMS = 48 };
struct pg_params {
	int n;
	Oid types[PG_MAX_PARAMS];
	const char *values[PG_MAX_PARAMS];
	int lengths[PG_MAX_PARAMS];
	int formats[PG_MAX_PARAMS];
	uint64_t numbers[PG_MAX_PARAMS]; /* in network byte order */
};

/** A statement and, once it is prepared, its name. */
struct pg_statement {
	char *text;
	char name[16];
	bool prepared;
};

/** The position in the feed of a type. */
struct pg_feed {
	PGresult *rows; /**< NULL: no rows were read */
	int at; /**< the present row of `rows`; -1: before the first */
	int64_t seq, row; /**< the next rows are read behind this place */
	int page; /**< how many rows to ask for */
	bool last; /**< no rows follow these */
};

/** Suggestions that are not sent yet: the elements of an array for each column. */
enum { PG_SUGGESTION_COLUMNS = 10 };
struct pg_suggested {
	struct drg_buf columns[PG_SUGGESTION_COLUMNS];
	uint32_t n;
	bool replace; /**< replace suggestions that these sources have */
};

struct pg_rows; /* rows.c: the rows that a transaction knows */

/** Why the engine waits for a server; await.c has the durations. */
enum pg_patience {
	PG_FOR_READS,
	PG_FOR_LOOKS, /**< statements that cost a server nothing */
	PG_FOR_LOCKS,
	PG_FOR_COMMITS,
	PG_FOR_LONG, /**< statements that read everything */
	PG_FOR_EVER /**< work that must not be tried again: a schema is brought up to date */
};

/** The server behind a connection, as it was when the connection was made. */
struct pg_server {
	bool pooled; /**< through a pooler: nothing may rest on the session */
	bool standby;
	int64_t system, timeline; /**< timeline 0: a standby */
};

struct drg_txn {
	struct drg_txn_head head;
	struct drg_clock clock;
	bool wanted; /**< another process waits for the lock */
	int unheard_rc; /**< code of a failure that could not be reported yet; DRG_OK: none */
	struct drg_err unheard; /**< the message of that failure */
	int64_t looked_ns; /**< when the server was last asked for `wanted` */
};

struct drg_store {
	struct drg_store_head head;
	PGconn *conn;
	char *place; /**< the URL without secrets, for messages */
	char *url;
	bool writes; /**< opened for writing */
	bool incomplete; /**< an interrupted filling from another store left it incomplete */
	/** while it is filled: names of indexes, and their statements; else NULL */
	PGresult *dropped_indexes;
	struct pg_server is; /**< the server that it is connected to */
	PGconn *imports; /**< connection that holds the right to import; NULL: none */
	int queued; /**< statements sent whose answers are not read yet */
	enum pg_patience patience;
	unsigned gave_up_ms; /**< given up after so many milliseconds without an answer; 0: not given up */
	const struct drg_type *copying; /**< the type whose rows the open COPY takes; NULL: none is open */
	bool numbered; /**< rows come with their row numbers */
	struct drg_buf gathered[DRG_TYPE_COUNT]; /**< new rows that are not sent yet */
	unsigned long gathering[DRG_TYPE_COUNT]; /**< number of their contents; it grows when they are sent */
	struct drg_buf changed[DRG_TYPE_COUNT]; /**< struct pg_changed: rows to overwrite */
	size_t changed_bytes[DRG_TYPE_COUNT];
	unsigned long changing[DRG_TYPE_COUNT]; /**< number of their contents; it grows when they are sent */
	struct pg_suggested suggested;
	struct drg_txn txn;
	bool in_snapshot;
	struct drg_clock snapshot;
	int64_t newest[DRG_TYPE_COUNT]; /**< seq of the newest row in the snapshot; -1: not asked yet */
	int64_t server; /**< hash of the server and its timeline at the last transaction; 0: none yet */
	struct pg_rows *rows;
	PGresult *loaded[DRG_TYPE_COUNT];
	struct pg_feed feed[DRG_TYPE_COUNT];
	struct drg_rows *ahead; /**< the scan whose next rows are on their way */
	struct pg_statement once[PG_ONCE_COUNT];
	struct pg_statement of_type[DRG_TYPE_COUNT][PG_TYPE_COUNT];
	struct pg_statement of_side[DRG_SIDE_STATEMENTS];
};

extern const struct drg_sql_dialect drg_pg_dialect;

/* ---- url.c ---------------------------------------------------------------------------------------------- */

/** The URL for messages, without parts that could be secret. The caller frees it; NULL: no memory. */
char *drg_pg_place(const char *url);

/** Is it a URL that libpq understands, and without a password? @return DRG_OK, DRG_EINVAL. */
DRG_MUSTCHECK
int drg_pg_check_url(const char *url, const char *place, struct drg_err *reterr);

/** A host of a URL. */
struct pg_host {
	char host[256], hostaddr[64], port[16]; /**< "": libpq's default */
};
enum { PG_MAX_HOSTS = 16 };

/** The hosts of a URL and how to connect, as dragoman reads them. */
struct pg_target {
	struct pg_host hosts[PG_MAX_HOSTS];
	unsigned n; /**< at least 1; 1: libpq takes the hosts from the URL, however many it has */
	unsigned connect_ms;
	bool prefers_standby;
};
void drg_pg_target(const char *url, struct pg_target *ret);

/* ---- connect.c ------------------------------------------------------------------------------------------ */

/**
 * Connect to all hosts at the same time. When one is ready, the others have half a second more; then the
 * first ready host in the order of the URL is taken. A server on a timeline that is over is refused.
 * @return DRG_OK; DRG_EIO ...
 */
DRG_MUSTCHECK
int drg_pg_connect(const char *url, const char *place, bool writes, PGconn **ret, struct pg_server *ret_is,
                   struct drg_err *reterr);

/* ---- timeline.c ----------------------------------------------------------------------------------------- */

/** Has another server taken over from this one, as far as this process knows? */
bool drg_pg_timeline_is_over(const struct pg_server *v);
/** Note the timeline of a server. A server that has taken over is logged. @return false: another server has
 * taken over from it. */
bool drg_pg_timeline_note(const struct pg_server *v, const PGconn *conn);
/** The timeline in the name of a WAL file. */
int64_t drg_pg_timeline_of(struct drg_str wal_file);

/* ---- await.c -------------------------------------------------------------------------------------------- */

/** The longest wait in milliseconds; 0: without an end. It may change during a wait. */
unsigned drg_pg_patience_ms(enum pg_patience patience);

/** Duration of a round of poll() while waiting. */
enum { PG_ROUND_MS = 50 };
struct pg_wait {
	int64_t began_ns;
	unsigned rounds;
};
void drg_pg_wait_begin(struct pg_wait *w);
/** Is the wait over? Call it at the end of a round in which nothing arrived. @param ms  0: never. */
bool drg_pg_wait_is_over(struct pg_wait *w, unsigned ms);

/** May connections be made? No, if the process stops and a server has not answered. */
bool drg_pg_may_connect(void);
/** Wait until PQgetResult() does not block. @return false: no answer; the connection is given up and counts
 * as broken. */
bool drg_pg_await(struct drg_store *s);
/** Wait until all data given to libpq are sent. @return DRG_OK; DRG_EIO. */
DRG_MUSTCHECK
int drg_pg_send_rest(struct drg_store *s, struct drg_err *reterr);
/** Run plain statements on a connection, up to a COPY. @return the last result; NULL: none. */
PGresult *drg_pg_ask(PGconn *conn, const char *sql, enum pg_patience patience, bool *ret_gave_up);

/* ---- conn.c --------------------------------------------------------------------------------------------- */

/** Report a failure in words. @param res  NULL: the connection failed. Returns enum drg_rc, not DRG_OK. */
int drg_pg_fail(const struct drg_store *s, const PGresult *res, struct drg_err *reterr);
/** A failure before it is put into words. */
struct pg_fault {
	size_t failure;
	char text[400];
};
void drg_pg_fault(const PGconn *conn, const PGresult *res, struct pg_fault *ret);
int drg_pg_fail_fault(const struct pg_fault *f, const char *place, struct drg_err *reterr);
/** Fail because the server did not answer. Returns DRG_EIO. */
int drg_pg_fail_silent(const char *place, unsigned ms, struct drg_err *reterr);
/** Report the failure of a connection that is not a handle's. */
int drg_pg_fail_conn(const PGconn *conn, const char *place, const PGresult *res, struct drg_err *reterr);
/** Fail because the store holds data that dragoman did not write. Returns DRG_ECORRUPT. */
int drg_pg_corrupt(const struct drg_store *s, struct drg_err *reterr);
/** Is the connection gone? */
bool drg_pg_broken(const struct drg_store *s);

/** Prepare a statement, if its sort is prepared and it is not yet. Waits for everything queued before it. */
DRG_MUSTCHECK
int drg_pg_prepare(struct drg_store *s, struct pg_statement *st, const struct pg_params *p,
                   struct drg_err *reterr);
/** Send a statement without waiting, except to prepare it at its first use. @param p  May be NULL. */
DRG_MUSTCHECK
int drg_pg_queue(struct drg_store *s, struct pg_statement *st, const struct pg_params *p,
                 struct drg_err *reterr);
/** Ask the server for the answers of everything that was sent. */
DRG_MUSTCHECK
int drg_pg_sync(struct drg_store *s, struct drg_err *reterr);
/** Read these answers. @param ret  The last one's result, to be cleared; may be NULL. */
DRG_MUSTCHECK
int drg_pg_answers(struct drg_store *s, PGresult **ret, struct drg_err *reterr);
/** Ask for the answers and read them, with @p patience. */
DRG_MUSTCHECK
int drg_pg_collect_for(struct drg_store *s, enum pg_patience patience, PGresult **ret,
                       struct drg_err *reterr);
/** Send a statement and read its answer. @param ret  As in drg_pg_answers(). */
DRG_MUSTCHECK
int drg_pg_exec(struct drg_store *s, struct pg_statement *st, const struct pg_params *p, PGresult **ret,
                struct drg_err *reterr);
/** Finish everything in progress: statements, a COPY, rows of a scan. */
DRG_MUSTCHECK
int drg_pg_idle(struct drg_store *s, struct drg_err *reterr);
/** Run plain statements, without parameters, outside the pipeline. */
DRG_MUSTCHECK
int drg_pg_script(struct drg_store *s, const char *sql, PGresult **ret, struct drg_err *reterr);

/* ---- values.c ------------------------------------------------------------------------------------------- */

void drg_pg_param_i(struct pg_params *p, int64_t v);
void drg_pg_param_s(struct pg_params *p, struct drg_str v);
/** Add the values of a field of many records; @p f NULL: integers. @param v  From drg_pg_array(). */
void drg_pg_param_array(struct pg_params *p, const struct drg_field_def *f, struct drg_str v);
/** Add the value of a field as a parameter, NULL if the record lacks it. */
void drg_pg_param_field(struct pg_params *p, const struct drg_field_def *f, const struct drg_record *r);
/** Add the identity fields as parameters. */
void drg_pg_param_identity(struct pg_params *p, const struct drg_record *r);

/** Append a field's value to an array. @param f  NULL: integers. @param v  NULL: an SQL NULL. */
void drg_pg_array_element(struct drg_buf *b, const struct drg_field_def *f, const union drg_value *v);
/** Write the array of @p n elements. */
void drg_pg_array(struct drg_buf *b, const struct drg_field_def *f, uint32_t n,
                  const struct drg_buf *elements);

/** A value of a result; an SQL NULL is 0, or an empty text. */
int64_t drg_pg_i(const PGresult *res, int row, int col);
struct drg_str drg_pg_s(const PGresult *res, int row, int col);

/** Read row @p at of @p res into a record. Texts belong to the result. */
DRG_MUSTCHECK
int drg_pg_read_row(const struct drg_store *s, const PGresult *res, int at, const struct drg_type *t,
                    struct drg_record *ret, struct drg_row_meta *ret_meta, struct drg_err *reterr);

/* ---- stmt.c --------------------------------------------------------------------------------------------- */

struct pg_statement *drg_pg_once(struct drg_store *s, enum pg_once which);
/** @return NULL: no memory. */
struct pg_statement *drg_pg_of_type(struct drg_store *s, const struct drg_type *t, enum pg_of_type which);
/** The same for a side table. */
struct pg_statement *drg_pg_of_side(struct drg_store *s, unsigned statement);
void drg_pg_free_statements(struct drg_store *s);
/** Run a statement of enum pg_once. */
DRG_MUSTCHECK
int drg_pg_run(struct drg_store *s, enum pg_once which, const struct pg_params *p, PGresult **ret,
               struct drg_err *reterr);

/* ---- schema.c ------------------------------------------------------------------------------------------- */

/** Can dragoman use this server? Call it before any other statement. */
DRG_MUSTCHECK
int drg_pg_check_server(const struct drg_store *s, struct drg_err *reterr);
/** Is the schema ours, and of this version? @param mode  DRG_STORE_CREATE creates and migrates it. */
DRG_MUSTCHECK
int drg_pg_check_schema(struct drg_store *s, enum drg_store_mode mode, struct drg_err *reterr);

/* ---- rows.c: rows that a transaction knows, and rows not sent yet ------------------------------- */

/** @return NULL: no memory. */
struct pg_rows *drg_pg_rows_new(void);
/** Forget everything, at the beginning and the end of a transaction. */
void drg_pg_rows_clear(struct drg_store *s);
void drg_pg_rows_free(struct drg_store *s);
/** Send the rows that wait. */
DRG_MUSTCHECK
int drg_pg_rows_flush(struct drg_store *s, struct drg_err *reterr);

/**
 * Answer drg_rows_siblings() within a transaction from rows that were read ahead, so a caller that asks in
 * the order of identities waits for few answers.
 * @param ret_known  False: the reading has not been opened; the server must be asked.
 */
DRG_MUSTCHECK
int drg_pg_known_siblings(struct drg_rows *q, const struct drg_record *key, bool *ret_known,
                          struct drg_err *reterr);
/** End such a reading. */
void drg_pg_range_return(struct drg_store *s, const struct drg_type *t, PGresult *rows);

/* ---- key.c ---------------------------------------------------------------------------------------------- */

/** Write the identity of a record as bytes into @p key. */
void drg_pg_key_build(struct drg_buf *key, const struct drg_record *r);
/** Sort keys so that those that differ in the last field only are together. @param n  At least 1. */
void drg_pg_key_sort(const struct drg_type *t, struct drg_str *keys, size_t n);
/** How many of the first keys differ in the last field only. @param n  At least 1. */
size_t drg_pg_key_run(const struct drg_type *t, const struct drg_str *keys, size_t n);
/** Look up the rows of such keys. */
DRG_MUSTCHECK
int drg_pg_find_run(struct drg_store *s, const struct drg_type *t, const struct drg_str *keys, size_t n,
                    PGresult **ret, struct drg_err *reterr);

/* ---- range.c -------------------------------------------------------------------------------------------- */

/** All rows of a type from one identity up to another, or to the end. */
struct pg_range {
	PGresult *rows; /* NULL: no range was read */
	struct drg_buf from; /* packed identity at which it begins */
	bool to_end;
	int hits; /* look-ups that it has answered */
};

/** Does the range cover an identity, so that it is known whether its row exists? */
bool drg_pg_range_covers(const struct pg_range *g, const struct drg_record *key);
/** Find the row of a covered identity; -1: there is none. */
int drg_pg_range_search(const struct pg_range *g, const struct drg_record *key);
/** Find the rows that agree with a covered identity except in the last field, whose value there is the
 * lowest. @return false: there may be more of them. */
bool drg_pg_range_siblings(const struct pg_range *g, const struct drg_record *first, int *ret_from,
                           int *ret_to);
/** Look up an identity and read on behind it: the more of the last rows read ahead were used, the further. */
DRG_MUSTCHECK
int drg_pg_range_read(struct drg_store *s, struct pg_range *g, const struct drg_record *key,
                      struct drg_err *reterr);

/* ---- copy.c --------------------------------------------------------------------------------------------- */

/** Gather a new row, to be sent later. */
DRG_MUSTCHECK
int drg_pg_copy_row(struct drg_store *s, const struct drg_record *r, const struct drg_row_meta *m,
                    struct drg_err *reterr);
/** Gather a row as it was in another store, with its row number. */
DRG_MUSTCHECK
int drg_pg_copy_restored(struct drg_store *s, const struct drg_record *r, const struct drg_row_meta *m,
                         struct drg_err *reterr);
/** Send all rows that are gathered, and read the server's answer. */
DRG_MUSTCHECK
int drg_pg_copy_flush(struct drg_store *s, struct drg_err *reterr);
/** End the open COPY, if there is one. */
DRG_MUSTCHECK
int drg_pg_copy_end(struct drg_store *s, struct drg_err *reterr);

/* ---- change.c ------------------------------------------------------------------------------------------- */

/** Gather a row to be overwritten; it must not be gathered already. @param packed  From drg_record_pack();
 * borrowed until it is sent. */
DRG_MUSTCHECK
int drg_pg_change_row(struct drg_store *s, const struct drg_type *t, struct drg_str packed,
                      const struct drg_row_meta *m, struct drg_err *reterr);
/** Send the gathered rows of a type, or of all types (NULL). */
DRG_MUSTCHECK
int drg_pg_change_flush(struct drg_store *s, const struct drg_type *t, struct drg_err *reterr);

/** Parameters that are arrays, one for each column. */
struct pg_arrays {
	const struct drg_field_def *const *fields; /**< the field of each column; NULL: integers */
	const struct drg_buf *columns; /**< the elements, `n` in each */
	unsigned n_columns;
	size_t n;
	const int64_t *numbers; /**< further parameters after the arrays */
	unsigned n_numbers;
};
/** Queue a statement with these arrays. @param a  Borrowed for the call. */
DRG_MUSTCHECK
int drg_pg_queue_arrays(struct drg_store *s, struct pg_statement *st, const struct pg_arrays *a,
                        struct drg_err *reterr);

/* ---- suggestions.c -------------------------------------------------------------------------------------- */

void drg_pg_suggested_init(struct pg_suggested *g);
void drg_pg_suggested_clear(struct pg_suggested *g);
void drg_pg_suggested_done(struct pg_suggested *g);
/** Gather a suggestion. @param replace  In place of that of its source; a new one then counts as asked. */
DRG_MUSTCHECK
int drg_pg_suggested_add(struct drg_store *s, const struct drg_side_values *row, bool replace,
                         struct drg_err *reterr);
/** Send the gathered suggestions. */
DRG_MUSTCHECK
int drg_pg_suggested_flush(struct drg_store *s, struct drg_err *reterr);
