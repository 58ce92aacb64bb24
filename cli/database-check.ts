import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { CommandError } from "./command.ts";

const CONNECT_MS = 5000;
/** PostgreSQL 14. */
const OLDEST_VERSION = 140_000;

/** Throws a CommandError, without the password in it, if the database in DATABASE_URL can't be used. */
export async function checkDatabase(databaseUrl: string): Promise<void> {
  const place = describePlace(databaseUrl);
  const client = new pg.Client({ connectionString: databaseUrl, connectionTimeoutMillis: CONNECT_MS });
  // When the connection breaks, the query fails as well, and reports the reason.
  client.on("error", () => {});
  try {
    await client.connect();
    const { rows } = await client.query("select current_setting('server_version_num')::int as version");
    const [{ version }] = rows as [{ version: number }];
    if (version < OLDEST_VERSION) {
      const major = Math.floor(version / 10_000);
      throw new CommandError(
        `The database at ${place} is PostgreSQL ${major}, but Parley needs 14 or newer.`,
      );
    }
  } catch (error) {
    if (error instanceof CommandError) throw error;
    throw new CommandError(`The database at ${place} in DATABASE_URL can't be reached: ${reason(error)}.`, {
      cause: error,
    });
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
      return await checkDatabase(databaseUrl);
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

/** Host, port and database name: the parts of the address that are not secret. */
export function describePlace(databaseUrl: string): string {
  if (!URL.canParse(databaseUrl) || !/^postgres(ql)?:/.test(databaseUrl)) {
    throw new CommandError("DATABASE_URL has the form postgres://user:password@host:5432/database.");
  }
  const url = new URL(databaseUrl);
  const host = url.searchParams.get("host") ?? (url.hostname || "localhost");
  return `${host}${url.port && `:${url.port}`}${url.pathname}`;
}

function reason(error: unknown): string {
  const first = error instanceof AggregateError ? error.errors[0] : error;
  const { code, message } = first as Error & { code?: string };
  switch (code) {
    case "ECONNREFUSED":
      return "nothing listens there";
    case "ENOTFOUND":
    case "EAI_AGAIN":
      return "its host name is unknown";
    case "ENOENT":
      return "there is no such socket";
    default:
      return message.replace(/\.$/, "");
  }
}
