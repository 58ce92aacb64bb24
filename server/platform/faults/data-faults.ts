import { exitCodes } from "./exit-codes.ts";
import type { Fault } from "./fault.ts";

/** The data directory, the embedded database and the place of files. */
export const dataFaults = {
  "data-denied": {
    number: "P201",
    exit: exitCodes.denied,
    what: "The data directory, or the database in it, belongs to another user than the one who runs the program.",
    remedy: "`ls -ld DIR` shows whose it is. Run the command as that user, or as root.",
  },
  "data-not-a-directory": {
    number: "P202",
    exit: exitCodes.settings,
    what: "Where a directory is needed there is something else, such as a file.",
    remedy: "Move the file away, or name another directory in `PARLEY_DATA_DIR`.",
  },
  "data-open": {
    number: "P203",
    exit: exitCodes.denied,
    what: "Other users can write in the data directory, and it has files that are not Parley's. They could put a secret of theirs there.",
    remedy: "`chmod go-w DIR`, or name a directory in `PARLEY_DATA_DIR` that nothing else uses.",
  },
  "data-unusable": {
    number: "P204",
    exit: exitCodes.io,
    what: "The system refuses the data directory: its file system is read-only, or the disk has a fault.",
    remedy: "`findmnt -T DIR` shows how it is mounted, and `dmesg` says what the disk reported.",
  },
  "data-missing": {
    number: "P205",
    exit: exitCodes.noInput,
    what: "There is no installation at this place. Only `serve`, `demo`, `organization create` and `import` begin one.",
    remedy: "Set `PARLEY_DATA_DIR` or `DATABASE_URL` to the value that the server has.",
  },
  "data-in-use": {
    number: "P206",
    exit: exitCodes.later,
    what: "Another process uses the data directory or its database: a server, a command, or a database that was left behind.",
    remedy:
      "Wait for the command to end, or stop the process that the sentence names, as with `systemctl stop parley`.",
  },
  "database-lost": {
    number: "P207",
    exit: exitCodes.settings,
    what: "There are files of people, and no database that knows them. A new database would hide that the old one is missing.",
    remedy:
      "Restore all of it with `parley restore`, or set `DATABASE_URL` again if the database was elsewhere. For a new installation name an empty place.",
  },
  "restore-unfinished": {
    number: "P208",
    exit: exitCodes.settings,
    what: "A restore into the directory goes on, or was interrupted, so what is there is not whole.",
    remedy: "Wait for the restore. If none is running, empty the directory and run `parley restore` again.",
  },
  "database-damaged": {
    number: "P209",
    exit: exitCodes.data,
    what: "Files of the embedded database are missing or damaged, as after a fault of the disk or a copy that was made while the database ran.",
    remedy:
      "Keep a copy of the directory, then restore the newest backup into a new one: `parley restore TARGET --data-dir DIR`. Look at the disk with `dmesg` before you go on.",
  },
  "database-version": {
    number: "P210",
    exit: exitCodes.settings,
    what: "The database was made by another major version of PostgreSQL than the one that this program brings along.",
    remedy: "Run the release that made it, or restore a backup into a new data directory.",
  },
  "database-newer": {
    number: "P211",
    exit: exitCodes.settings,
    what: "A newer release has changed the database. This one would damage what it does not know.",
    remedy: "Run the newer release. Its schema is at least the number in the sentence.",
  },
  "database-foreign": {
    number: "P212",
    exit: exitCodes.settings,
    what: "The database was made by another program, or has another organization than the demo's.",
    remedy: "Name another database in `DATABASE_URL`, or another directory in `PARLEY_DATA_DIR`.",
  },
  "postgres-user": {
    number: "P213",
    exit: exitCodes.denied,
    what: "PostgreSQL does not run as root, nor as a user without a name, and no other user can run it here.",
    remedy: "Run Parley as an ordinary user with a name, such as `parley`, or set `DATABASE_URL`.",
  },
  "postgres-failed": {
    number: "P214",
    exit: exitCodes.system,
    what: "The embedded PostgreSQL could not be started, or ended before it was ready. The sentence has its own last words.",
    remedy: "Run `parley doctor`. With `PARLEY_LOG=debug` the log has all that PostgreSQL says.",
  },
  "socket-place": {
    number: "P215",
    exit: exitCodes.cantCreate,
    what: "There is no place for the socket of the embedded database. Its path may have about 100 characters, and its directory belongs to one user.",
    remedy: "Choose a data directory with a shorter path in `PARLEY_DATA_DIR`, or set `TMPDIR`.",
  },
  "disk-full": {
    number: "P216",
    exit: exitCodes.io,
    what: "A disk has no room left. What was acknowledged is kept.",
    remedy:
      "`df -h` shows the disks and `du -xh DIR | sort -h | tail` what is large. With room again the server goes on by itself.",
  },
  "no-memory": {
    number: "P217",
    exit: exitCodes.system,
    what: "The database could not get the memory that it needs.",
    remedy: "`free -m` shows what is left. Give the machine more, or stop what else uses it.",
  },
  "server-older": {
    number: "P218",
    exit: exitCodes.later,
    what: "The running server is of an older release than the command. The command would change the database under it.",
    remedy:
      "Use the release of the server for commands, or make a backup and restart the server with this release.",
  },
  "server-unseen": {
    number: "P219",
    exit: exitCodes.unavailable,
    what: "The server runs, and its database has a socket that this process can't see, as in a container or with a `/tmp` of its own.",
    remedy:
      "Run the command where the server runs. For the unit of systemd, `RuntimeDirectory=parley` gives the socket a place that both see.",
  },
  "server-elsewhere": {
    number: "P220",
    exit: exitCodes.settings,
    what: "The server on the data directory uses another database than the one in it.",
    remedy: "Set `DATABASE_URL` to the value that the server has.",
  },
  "files-unwritable": {
    number: "P221",
    exit: exitCodes.io,
    what: "The directory for files, or for those that are still arriving, can't be written.",
    remedy:
      "`ls -ld DIR` shows whose it is, and `findmnt -T DIR` whether its disk is mounted. `PARLEY_FILES` names the directory.",
  },
  "bucket-away": {
    number: "P222",
    exit: exitCodes.unavailable,
    what: "The storage with the bucket can't be reached, or answers that it is busy.",
    remedy:
      "`curl -I` on its address shows whether it answers. Check `AWS_ENDPOINT_URL`, `AWS_REGION` and the network.",
  },
  "bucket-refused": {
    number: "P223",
    exit: exitCodes.settings,
    what: "The storage answers, and refuses the bucket, the region or the key.",
    remedy:
      "Correct what the sentence names. [Files](files.md#in-an-s3-bucket) lists the rights that the key needs.",
  },
  "files-elsewhere": {
    number: "P224",
    exit: exitCodes.unavailable,
    what: "The place of the files has no mark of this installation, or another one's. It may be a disk that is not mounted.",
    remedy:
      "`findmnt -T DIR` shows whether the disk is mounted. If this is the files' new place, run `parley files adopt`. [Files](files.md#the-place-has-a-mark) says more.",
  },
  "migration-waits": {
    number: "P225",
    exit: exitCodes.later,
    what: "A migration needs a table for itself for a moment, and another session held it for a minute.",
    remedy:
      "`select pid, application_name, xact_start, query from pg_stat_activity where xact_start is not null order by xact_start` shows it. End it, then start Parley again.",
  },
  "servers-older": {
    number: "P226",
    exit: exitCodes.later,
    what: "This release changes the database to what a running server of an older release can't work on. The changelog names such releases.",
    remedy:
      "Stop all servers of the older release, then start this one. A server that vanished from the network is gone after half a minute.",
  },
  "secret-constant": {
    number: "P227",
    exit: exitCodes.settings,
    what: "The secret of development mode is a constant that everybody can read in the source, so there is nothing to replace.",
    remedy: "Use a server in production mode for what has to stay secret.",
  },
  "database-away": {
    number: "P301",
    exit: exitCodes.unavailable,
    what: "The database can't be reached. A server waits for it and goes on by itself.",
    remedy:
      "Look whether PostgreSQL runs, and whether this machine may connect: `psql \"$DATABASE_URL\" -c 'select 1'`.",
  },
  "database-unfit": {
    number: "P302",
    exit: exitCodes.settings,
    what: "The database in `DATABASE_URL` is too old, or can't keep every text.",
    remedy:
      "Make one in PostgreSQL 14 or newer with the encoding UTF8, by the statement in the sentence, and name it in `DATABASE_URL`.",
  },
  "database-read-only": {
    number: "P303",
    exit: exitCodes.unavailable,
    what: "The database takes no writes: it is a replica, or was made read-only, as some providers do when its disk is full.",
    remedy:
      "Set `DATABASE_URL` to the primary server. `show default_transaction_read_only` says whether it is set.",
  },
  "database-denied": {
    number: "P304",
    exit: exitCodes.denied,
    what: "The user in `DATABASE_URL` may not create tables in the database, or may not use those that are there.",
    remedy: "As administrator of the database run `ALTER DATABASE NAME OWNER TO USER;`.",
  },
  "database-connections": {
    number: "P305",
    exit: exitCodes.later,
    what: "The database takes no more connections.",
    remedy:
      "Raise `max_connections` of PostgreSQL, or the limit of the role. [Scaling](scaling.md) has the numbers.",
  },
  "database-late": {
    number: "P306",
    exit: exitCodes.failure,
    what: "The database is there, and does not answer a small question in time.",
    remedy:
      "Look at its processor, its disk and its log. `select * from pg_stat_activity` shows what it does.",
  },
  "database-old": {
    number: "P307",
    exit: exitCodes.failure,
    what: "The database went back to an older schema while the server ran, as when an older copy takes its place.",
    remedy: "Restart the server. It brings the schema up to date.",
  },
  "database-encoding": {
    number: "P308",
    exit: exitCodes.failure,
    what: "The database has another encoding than UTF8, so it can't keep every text that people write.",
    remedy: "Copy its contents with `pg_dump` into a database with the encoding UTF8.",
  },
  "database-pooler": {
    number: "P309",
    exit: exitCodes.failure,
    what: "A program such as PgBouncer gives the connections of a session to others. Locks and notices belong to a session.",
    remedy: "Set `DATABASE_URL` to PostgreSQL itself, or give the pooler `pool_mode=session`.",
  },
  "database-not-embedded": {
    number: "P310",
    exit: exitCodes.settings,
    what: "Parley backs up and restores its embedded database only. `DATABASE_URL` names another.",
    remedy:
      "Back up that PostgreSQL with its own tools, and with it `PARLEY_SECRET` and the files. For a restore run `env -u DATABASE_URL parley restore …`.",
  },
} as const satisfies Record<string, Fault>;
