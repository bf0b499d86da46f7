"""The store behind a data folder, as tests get at it past the program: in SQLite beside its data, or, with DRG_TEST_POSTGRES (the
URL of the database `postgres` of a server; tests/pg_cluster starts one), in a database of its own there."""
import contextlib
import fcntl
import functools
import glob
import hashlib
import os
import pathlib
import secrets
import shutil
import sqlite3
import subprocess

POSTGRES = os.environ.get("DRG_TEST_POSTGRES")
#: The locks of writers and of imports.
WRITERS = "LOCK TABLE dragoman.branch IN EXCLUSIVE MODE"
IMPORTS = "LOCK TABLE dragoman.migration IN SHARE UPDATE EXCLUSIVE MODE"
#: The database that others begin as.
MIGRATED = "api_migrated"
#: Debian's `psql` is a script of Perl that looks for the program, which takes longer than all else.
PSQL = next(reversed(sorted(glob.glob("/usr/lib/postgresql/*/bin/psql"))), "psql")
#: Database -> its data folder.
made = {}


def name_of(data):
    return "api_" + hashlib.sha256(os.path.abspath(data).encode()).hexdigest()[:24]


def url_of(name):
    return POSTGRES.rpartition("/")[0] + "/" + name


def psql(database, *statements):
    """Each statement for itself; the text of what they give."""
    command = [PSQL, "-X", "-q", "-A", "-t", "-v", "ON_ERROR_STOP=1", "-d", url_of(database)]
    for statement in statements:
        command += ["-c", statement]
    return subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout


def connect(url):
    import psycopg2  # pylint: disable=import-outside-toplevel # of those who have a server
    connected = psycopg2.connect(url)
    connected.autocommit = True
    return connected


@functools.cache
def manager():
    return connect(POSTGRES)


def manage(*statements):
    """Statements about databases; the rows of the last."""
    with manager().cursor() as cursor:
        for statement in statements:
            cursor.execute(statement)
        return cursor.fetchall() if cursor.description else []


def make_database(name, template=None):
    manage(f"CREATE DATABASE {name}" + (f" TEMPLATE {template} STRATEGY FILE_COPY" if template else ""))


def database_of(data, template=None):
    """The URL of the store of a folder; its database is made when it is first asked for."""
    name = name_of(data)
    if name not in made:
        made[name] = pathlib.Path(data).absolute()
        make_database(name, template)
    return url_of(name)


def is_new(data):
    """Has the folder no store yet?"""
    return not os.path.exists(os.path.join(data, "dragoman.db")) if POSTGRES is None else name_of(data) not in made


def begin_migrated(data, migrate, folder):
    """In PostgreSQL a store begins with the tables in it, which the first of the processes of tests makes: migrate(folder)."""
    if POSTGRES is None:
        return
    manage("SELECT pg_advisory_lock(1685219121)")
    if not manage(f"SELECT 1 FROM pg_database WHERE datname = '{MIGRATED}'"):
        migrate(folder / "migrated")
        manage(f"ALTER DATABASE {name_of(folder / 'migrated')} RENAME TO {MIGRATED}")
    manage("SELECT pg_advisory_unlock(1685219121)")
    database_of(data, MIGRATED)
    of_its_own(data)


def drop(folder):
    """The databases of what is in this folder are no longer needed."""
    for name in [name for name, data in made.items() if data.is_relative_to(folder)]:
        del made[name]
        manage(f"DROP DATABASE IF EXISTS {name} WITH (FORCE)", f"DROP DATABASE IF EXISTS {name}_backup WITH (FORCE)")


def size(data):
    """Bytes of a store in SQLite; those in PostgreSQL are copied whatever they have."""
    return os.path.getsize(os.path.join(data, "dragoman.db")) if POSTGRES is None else 0


def of_its_own(data):
    """A copy is another store: it gets an epoch that no other has."""
    epoch = f"UPDATE clock SET epoch = '{secrets.token_hex(16)}'"
    if POSTGRES is None:
        execute(data, epoch)
        return
    with contextlib.closing(connect(url_of(name_of(data)))) as db, db.cursor() as cursor:
        cursor.execute(f"SET search_path = dragoman; {epoch}")


def keep(data, kept):
    """A store that nobody has open is kept as it is."""
    if POSTGRES is not None:
        made[name_of(kept)] = kept
        make_database(name_of(kept), name_of(data))
    else:
        shutil.copy(os.path.join(data, "dragoman.db"), kept)


def copy(kept, data):
    """One that was kept becomes the store of a folder without one."""
    os.makedirs(data, mode=0o700, exist_ok=True)
    if POSTGRES is not None:
        database_of(data, name_of(kept))
    else:
        shutil.copy(kept, os.path.join(data, "dragoman.db"))
    of_its_own(data)


def arguments(args):
    """The arguments of a command, with the store that its data folder has."""
    args = [str(arg) for arg in args]
    end = args.index("--") if "--" in args else len(args)
    if POSTGRES is None or "--store" in args:
        return args
    for i, arg in enumerate(args[:end]):
        data = arg.partition("=")[2] if arg.startswith("--data=") else args[i + 1] if arg == "--data" and i + 1 < end else ""
        if os.path.isdir(data) or data and "--create" in args:
            return [*args[:i], "--store", database_of(data), *args[i:]]
    return args


def execute(data, *statements):
    """In one transaction, under the writers' lock. Tables are those of the schema; the results of the last one, as texts."""
    if POSTGRES is not None:
        begin = ("SET search_path = dragoman", "BEGIN", WRITERS)
        out = psql(name_of(data), *begin, *statements, "COMMIT")
        return [line.split("|") for line in out.splitlines() if line]
    with contextlib.closing(sqlite3.connect(os.path.join(data, "dragoman.db"), isolation_level=None, timeout=10)) as db:
        db.execute("BEGIN IMMEDIATE")
        rows = []
        for statement in statements:
            rows = db.execute(statement).fetchall()
        db.execute("COMMIT")
    return [[str(cell) for cell in row] for row in rows]


def note_written(data, table):
    """From now on written() counts the rows of the table that are inserted or changed, though it be to what they were."""
    if POSTGRES is not None:
        execute(data, "CREATE TABLE written (n int)", "CREATE FUNCTION note_written() RETURNS trigger LANGUAGE plpgsql AS "
                "'BEGIN INSERT INTO dragoman.written VALUES (1); RETURN NULL; END'", "CREATE TRIGGER note_written AFTER INSERT OR "
                f"UPDATE ON {table} FOR EACH ROW EXECUTE FUNCTION note_written()")
    else:
        execute(data, "CREATE TABLE written (n int)", *(f"CREATE TRIGGER note_{what} AFTER {what} ON {table} BEGIN INSERT INTO written "
                                                        "VALUES (1); END" for what in ("INSERT", "UPDATE")))


def written(data):
    return int(execute(data, "SELECT count(*) FROM written")[-1][0])


def content(data):
    """Every byte that is stored."""
    if POSTGRES is not None:
        return subprocess.run(["pg_dump", "-d", url_of(name_of(data))], check=True, stdout=subprocess.PIPE).stdout
    return b"".join(path.read_bytes() for path in data.rglob("*") if path.is_file())


class Held:
    """A lock that another process holds, until close()."""

    def __init__(self, data, file, lock):
        self.file = self.process = None
        if POSTGRES is None:
            self.file = open(data / file, "a+b")  # pylint: disable=consider-using-with
            fcntl.lockf(self.file, fcntl.LOCK_EX)  # every byte of it
            return
        command = [PSQL, "-X", "-q", "-A", "-t", "-d", database_of(data)]
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.process.stdin.write(f"BEGIN; {lock}; SELECT 'held';\n")
        self.process.stdin.flush()
        while self.process.stdout.readline().strip() != "held":
            assert self.process.poll() is None

    def close(self):
        if self.file is not None:
            self.file.close()
        if self.process is not None and self.process.poll() is None:
            # The database server continues for a moment after psql has ended.
            out, _ = self.process.communicate("COMMIT; SELECT 'free';\n")
            assert "free" in out
            self.process.stdout.close()


def hold(data):
    """Keep everybody else from writing."""
    return Held(data, "dragoman.db.lock", WRITERS)


def hold_imports(data):
    return Held(data, "import.lock", IMPORTS)


def backup(data):
    """Keep the state of a store that nobody has open."""
    if POSTGRES is not None:
        make_database(f"{name_of(data)}_backup", name_of(data))
    else:
        shutil.copy(data / "dragoman.db", data / "backup")


def restore(data):
    """Put it back, in place of what is there."""
    name = name_of(data)
    if POSTGRES is not None:
        manage(f"DROP DATABASE {name} WITH (FORCE)", f"ALTER DATABASE {name}_backup RENAME TO {name}")
        return
    for path in data.glob("dragoman.db*"):
        path.unlink()
    (data / "backup").rename(data / "dragoman.db")


def take_away(data):
    """The store cannot be reached, until put_back()."""
    name = name_of(data)
    if POSTGRES is not None:
        manage(f"ALTER DATABASE {name} ALLOW_CONNECTIONS false",
               f"SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '{name}'")
    else:
        (data / "dragoman.db").rename(data / "away.db")


def put_back(data):
    if POSTGRES is not None:
        manage(f"ALTER DATABASE {name_of(data)} ALLOW_CONNECTIONS true")
    else:
        (data / "away.db").rename(data / "dragoman.db")
