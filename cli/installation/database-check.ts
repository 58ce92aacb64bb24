import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { CommandError } from "../command.ts";
import { type DatabaseState, findDatabaseFault, readDatabaseState } from "./database-faults.ts";

const CONNECT_MS = 5000;

/** Throws a CommandError, without the password in it, if the database in DATABASE_URL can't be used. */
export async function checkDatabase(databaseUrl: string): Promise<DatabaseState> {
  const place = describePlace(databaseUrl);
  const client = new pg.Client({ connectionString: databaseUrl, connectionTimeoutMillis: CONNECT_MS });
  // When the connection breaks, the query fails as well, and reports the reason.
  client.on("error", () => {});
  try {
    await client.connect();
    const state = await readDatabaseState(client);
    const fault = findDatabaseFault(state, place);
    if (fault) throw new CommandError(...fault);
    return state;
  } catch (error) {
    if (error instanceof CommandError) throw error;
    throw new CommandError(
      "database-away",
      `The database at ${place} in DATABASE_URL can't be reached: ${reason(error)}`,
      {
        cause: error,
      },
    );
  } finally {
    await client.end().catch(() => {});
  }
}

/** How long a start waits for a database that is not up yet, as after a power cut. */
const WAIT_MS = 60_000;
const AGAIN_MS = 500;
const TELL_MS = 10_000;

/**
 * Does the same for a server that starts: a database that does not answer yet has a minute. `tell` is called
 * with a sentence at once and then every ten seconds.
 */
export async function waitForDatabase(databaseUrl: string, tell: (sentence: string) => void): Promise<void> {
  const endsAt = Date.now() + WAIT_MS;
  let tellAt = Date.now();
  for (;;) {
    try {
      await checkDatabase(databaseUrl);
      return;
    } catch (error) {
      if (!isNotUpYet(error) || Date.now() > endsAt) throw error;
      if (Date.now() >= tellAt) {
        const seconds = Math.round((endsAt - Date.now()) / 1000);
        tell(`${(error as Error).message} Parley waits for it for another ${seconds} seconds.`);
        tellAt += TELL_MS;
      }
      await sleep(AGAIN_MS);
    }
  }
}

/** `cannot_connect_now`: PostgreSQL starts, recovers or stops. */
const CANNOT_CONNECT_NOW = "57P03";

function isNotUpYet(error: unknown): boolean {
  const { cause } = error as Error;
  const first = cause instanceof AggregateError ? cause.errors[0] : cause;
  const { code, message = "" } = (first ?? {}) as { code?: string; message?: string };
  const isSilent = code === undefined && /timeout|Connection terminated/i.test(message);
  return isSilent || ["ECONNREFUSED", "ECONNRESET", "ETIMEDOUT", CANNOT_CONNECT_NOW].includes(code ?? "");
}

const FORM =
  "DATABASE_URL has the form postgres://user:password@host:5432/database, or postgres://user@/database?host=/directory for a socket.";

/** Host, port and database name: the parts of the address that are not secret. */
export function describePlace(databaseUrl: string): string {
  if (!/^postgres(ql)?:\/\//.test(databaseUrl)) throw new CommandError("setting-wrong", FORM);
  const { host, port, database } = parseUrl(databaseUrl);
  if (host.startsWith("/")) return `${host}, database ${database}`;
  return `${host}${port === DEFAULT_PORT ? "" : `:${port}`}/${database}`;
}

const DEFAULT_PORT = 5432;

function parseUrl(databaseUrl: string): { host: string; port: number; database: string } {
  try {
    const { host, port, database = "" } = new pg.Client({ connectionString: databaseUrl });
    return { host, port, database };
  } catch (error) {
    throw new CommandError("setting-wrong", FORM, { cause: error });
  }
}

/** What is wrong, and what to do, as the rest of a sentence and the next one. */
function reason(error: unknown): string {
  const first = error instanceof AggregateError ? error.errors[0] : error;
  const { code, message } = first as Error & { code?: string };
  switch (code) {
    case "ECONNREFUSED":
      return "nothing listens there. Start PostgreSQL, or correct host and port in DATABASE_URL.";
    case "ENOTFOUND":
    case "EAI_AGAIN":
      return "its host name is unknown. Correct it in DATABASE_URL, or look at the name server.";
    case "ENOENT":
      return "there is no such socket. Start PostgreSQL, or correct the directory in DATABASE_URL.";
    case "3D000":
      return `${message}. As its administrator create one with CREATE DATABASE, or correct the name in DATABASE_URL.`;
    case "28P01":
    case "28000":
      return `${message}. Correct user and password in DATABASE_URL, or let pg_hba.conf of PostgreSQL admit them.`;
    default:
      return `${message.replace(/\.$/, "")}.`;
  }
}
