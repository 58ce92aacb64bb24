import { createHash } from "node:crypto";
import type { Logger } from "pino";
import type { Database } from "../db/database.ts";
import { sql } from "../db/sql.ts";
import type { Bus } from "./bus.ts";
import { NatsBus } from "./nats-bus.ts";
import { hasCredentials, readNatsUrl } from "./nats-url.ts";
import { PostgresBus } from "./postgres-bus.ts";

/** Opens the bus: NATS if an address is given, else PostgreSQL's notifications. Needs a migrated database. */
export async function openBus(natsUrl: string | undefined, database: Database, log: Logger): Promise<Bus> {
  const servers = natsUrl === undefined ? undefined : readNatsUrl(natsUrl);
  if (servers && !hasCredentials(servers)) log.warn(NATS_IS_OPEN);
  if (servers)
    return NatsBus.open(servers, { prefix: await subjectPrefix(database), node: database.node, log });
  return new PostgresBus(database, (error) => log.warn({ err: error }, "other nodes could not be notified"));
}

const NATS_IS_OPEN =
  "PARLEY_NATS_URL has no password. Anyone who reaches the NATS server can end event queues and slow the servers down.";

/** All nodes of a database have one prefix, and every database has a different one. */
async function subjectPrefix(database: Database): Promise<string> {
  const [row] = await database.query<{ identity: string }>(sql`
    select current_database() || extract(epoch from applied_at) as identity from migrations where id = 1`);
  const identity = (row as { identity: string }).identity;
  return `parley.${createHash("sha256").update(identity).digest("hex").slice(0, 16)}`;
}
