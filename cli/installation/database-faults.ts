import type pg from "pg";
import type { FaultName, FoundFault } from "../../server/platform/faults/catalogue.ts";

/** PostgreSQL 14. */
const OLDEST_VERSION = 140_000;

/** What a database is, and what its user may do. */
export interface DatabaseState {
  /** Such as 150004. */
  version: number;
  encoding: string;
  isReplica: boolean;
  isReadOnly: boolean;
  /** Whether a Parley has made its tables. */
  hasTables: boolean;
  /** Whether the user may create tables and schemas. */
  mayCreate: boolean;
  /** Both names as SQL needs them, in quotation marks where they must be. */
  user: string;
  database: string;
  /** Whether another program, such as PgBouncer, answers in place of PostgreSQL. */
  isPooled: boolean;
  /** How many connections the server, the database and the role let this user have. */
  connections: number;
}

/** What one process opens at most (docs/scaling.md). */
const CONNECTIONS_NEEDED = 31;

export async function readDatabaseState(client: pg.Client): Promise<DatabaseState> {
  const { rows } = await client.query<Omit<DatabaseState, "isPooled"> & { session: number }>(`
    select pg_backend_pid() as session, current_setting('server_version_num')::int as version, current_setting('server_encoding') as encoding,
      pg_is_in_recovery() as "isReplica", current_setting('transaction_read_only') = 'on' as "isReadOnly",
      to_regclass('migrations') is not null as "hasTables",
      has_database_privilege(current_database(), 'create')
        and coalesce(has_schema_privilege(current_schema(), 'create'), false) as "mayCreate",
      (select least(nullif(rolconnlimit, -1), nullif(datconnlimit, -1), current_setting('max_connections')::int
         - current_setting('superuser_reserved_connections')::int)
       from pg_roles, pg_database where rolname = current_user and datname = current_database()) as connections,
      quote_ident(current_user) as "user", quote_ident(current_database()) as database`);
  const [row] = rows as [(typeof rows)[number]];
  const { session, ...state } = row;
  // Each session tells its own number first. A pooler tells another, since it changes sessions.
  return { ...state, isPooled: (client as unknown as { processID: number }).processID !== session };
}

/** Why Parley can't use the database at `place`, in a sentence with the way out; undefined if it can. */
export function findDatabaseFault(state: DatabaseState, place: string): FoundFault | undefined {
  const { version, encoding, user, database, hasTables } = state;
  if (version < OLDEST_VERSION)
    return [
      "database-unfit",
      `The database at ${place} is PostgreSQL ${Math.floor(version / 10_000)}, but Parley needs 14 or newer.`,
    ];
  if (state.isReplica)
    return [
      "database-read-only",
      `The database at ${place} is a replica, which takes no writes. Set DATABASE_URL to the primary server.`,
    ];
  if (state.isReadOnly)
    return [
      "database-read-only",
      `The database at ${place} takes no writes: default_transaction_read_only is on for ${database}, for the user ${user} or for the server. Some providers set it when their disk is full. With room again, as its administrator run: ALTER DATABASE ${database} RESET default_transaction_read_only; or the same with ALTER ROLE ${user}.`,
    ];
  // A database that is in use goes on. Only its contents could be moved into another one.
  if (!hasTables && encoding !== "UTF8") return ["database-unfit", explainEncoding(state, place)];
  if (!hasTables && !state.mayCreate)
    return [
      "database-denied",
      `The user ${user} may not create tables and schemas in the database at ${place}. As its administrator run: ALTER DATABASE ${database} OWNER TO ${user};`,
    ];
  return undefined;
}

/** `text` is what it is, and `advice` what to do. */
export interface Doubt {
  fault: FaultName;
  text: string;
  advice: string;
}

/** Doubts that keep no server from starting, each with what to do. */
export function findDatabaseDoubts(state: DatabaseState): Doubt[] {
  const { encoding, isPooled, connections, user } = state;
  return [
    ...(connections >= CONNECTIONS_NEEDED
      ? []
      : [
          {
            fault: "database-connections" as const,
            text: `The database lets ${user} have ${connections} connections, and each process of a server opens up to ${CONNECTIONS_NEEDED}.`,
            advice: `Raise the limit: ALTER ROLE ${user} CONNECTION LIMIT, ALTER DATABASE … CONNECTION LIMIT, or max_connections of PostgreSQL.`,
          },
        ]),
    ...(encoding === "UTF8"
      ? []
      : [
          {
            fault: "database-encoding" as const,
            text: `The database has the encoding ${encoding}, which can't keep every text.`,
            advice: "Copy its contents into a database with the encoding UTF8.",
          },
        ]),
    ...(isPooled
      ? [
          {
            fault: "database-pooler" as const,
            text: "A pooler of connections, such as PgBouncer, is between Parley and PostgreSQL.",
            advice:
              "Set DATABASE_URL to PostgreSQL itself, or let the pooler keep a session for each connection (pool_mode=session). Locks and notices belong to a session.",
          },
        ]
      : []),
  ];
}

function explainEncoding({ encoding, user }: DatabaseState, place: string): string {
  return `The database at ${place} has the encoding ${encoding}, but Parley needs UTF8. Make another one, and name it in DATABASE_URL: CREATE DATABASE parley_utf8 OWNER ${user} ENCODING 'UTF8' TEMPLATE template0;`;
}
