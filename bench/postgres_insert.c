/* The bare way to keep what tour/sourceAdd brings in PostgreSQL: one table, its key, a statement and a commit
 * for each batch, so many connections at once. postgres_insert URL CONNECTIONS BATCH SECONDS prints rows per
 * second. The rows are those of bench/source_add.lua. */
#include <libpq-fe.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static const char insert[] =
        "INSERT INTO bare (adapter_id, kind, id, name, lang, category_id, category_name, country_id, "
        "country_name,"
        " city_id, city_name) SELECT 101, 6, * , '5', 'HV-1/5*', '90', 'TURKEY', '17', 'City of 17'"
        " FROM (SELECT unnest($1::text[]), unnest($2::text[]), 'en') AS rows ON CONFLICT DO NOTHING";

static const char *url;
static long batch;
static double until;
static atomic_long rows, numbers;

static double now(void)
{
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

static void must(PGconn *c, PGresult *res)
{
	ExecStatusType status = PQresultStatus(res);
	if (status != PGRES_COMMAND_OK && status != PGRES_TUPLES_OK) {
		fprintf(stderr, "%s\n", PQerrorMessage(c));
		exit(1);
	}
	PQclear(res);
}

static void *client(void *unused)
{
	size_t room = (size_t)batch * 64 + 8;
	char *ids = malloc(room), *names = malloc(room);
	PGconn *c = PQconnectdb(url);
	must(c, PQprepare(c, "insert", insert, 2, NULL));
	while (now() < until) {
		size_t n_ids = 0, n_names = 0;
		for (long i = 0; i < batch; i++) {
			long number = atomic_fetch_add(&numbers, 1);
			n_ids += (size_t)sprintf(ids + n_ids, "%cb-0-%ld", i == 0 ? '{' : ',',
			                         number * 40503 % 16777216);
			n_names += (size_t)sprintf(names + n_names, "%c\"Hotel Number %ld Resort & Spa\"",
			                           i == 0 ? '{' : ',', number);
		}
		strcpy(ids + n_ids, "}");
		strcpy(names + n_names, "}");
		const char *values[] = { ids, names };
		must(c, PQexecPrepared(c, "insert", 2, values, NULL, NULL, 0));
		atomic_fetch_add(&rows, batch);
	}
	PQfinish(c);
	free(ids);
	free(names);
	return unused;
}

int main(int argc, char **argv)
{
	enum { MAX = 256 };
	pthread_t threads[MAX];
	if (argc != 5 || atoi(argv[2]) > MAX)
		return 2;
	url = argv[1];
	int n = atoi(argv[2]);
	batch = atol(argv[3]);
	PGconn *c = PQconnectdb(url);
	must(c,
	     PQexec(c,
	            "DROP TABLE IF EXISTS bare; CREATE TABLE bare (adapter_id bigint, kind smallint, id text,"
	            " name text, lang text, category_id text, category_name text, country_id text,"
	            " country_name text, city_id text, city_name text, PRIMARY KEY (adapter_id, kind, id))"));
	PQfinish(c);
	double began = now();
	until = began + atof(argv[4]);
	for (int i = 0; i < n; i++)
		if (pthread_create(&threads[i], NULL, client, NULL) != 0)
			return 1;
	for (int i = 0; i < n; i++)
		pthread_join(threads[i], NULL);
	printf("%.0f\n", (double)rows / (now() - began));
	return 0;
}
