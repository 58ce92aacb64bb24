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
    throw new CommandError(`The database at ${place} in DATABASE_URL can't be reached: ${reason(error)}.`);
  } finally {
    await client.end().catch(() => {});
  }
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
