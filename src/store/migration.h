/* src/store/migration.h
 * The schema of an engine as numbered steps: schema/ENGINE/NNNN_name.sql, made into a table at build time. */
#pragma once

struct drg_migration {
	int number; /**< from 1, without gaps */
	const char *name; /**< the file's name after its number */
	const char *sql;
};

extern const struct drg_migration drg_sqlite_migrations[];
extern const unsigned drg_sqlite_n_migrations;
extern const struct drg_migration drg_postgres_migrations[];
extern const unsigned drg_postgres_n_migrations;
