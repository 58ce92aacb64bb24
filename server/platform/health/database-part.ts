import { setTimeout as sleep } from "node:timers/promises";
import type { Database } from "../db/database.ts";
import { ownSchema } from "../db/migrate.ts";
import { shortageOf } from "../std/shortage.ts";
import { down, type Finding, ok, type Part, warning } from "./finding.ts";
import { findSchema } from "./store.ts";

/** A database that takes longer for one row stands still, for all that people notice. */
const ANSWER_MS = 800;
const LATE = Symbol("late");

/** Whether the database answers, and has the schema that this program knows. */
export function databasePart(database: Database): Part {
  return {
    name: "database",
    everySeconds: 5,
    async check() {
      try {
        const schema = await withinTime(askSchema(database));
        return schema === LATE ? late : judgeSchema(schema, ownSchema());
      } catch (error) {
        return shortageOf(error) === "connections" ? fullOfConnections : away;
      }
    },
  };
}

async function askSchema(database: Database): Promise<number> {
  // Fails at once, where the statement would wait for the database to come back.
  await database.ping();
  return findSchema(database);
}

/** Shared with `parley doctor`. */
export function judgeSchema(schema: number, known: number): Finding {
  if (schema < known) {
    return down(
      "database-old",
      `The database has schema ${schema}, and this program needs ${known}. It was probably replaced by an older copy: restart the server.`,
    );
  }
  if (schema > known) {
    return warning(
      "database-newer",
      `A newer Parley has brought the database to schema ${schema}, and this program knows ${known}. Restart it with the newer program.`,
    );
  }
  return ok("The database answers.");
}

const away = down(
  "database-away",
  "The database can't be reached. The server goes on as soon as it is back.",
);
const late = down(
  "database-late",
  `The database does not answer within ${ANSWER_MS} ms. Look at its processor, its disk and its log.`,
);
const fullOfConnections = down(
  "database-connections",
  "The database takes no more connections. Raise max_connections, or the limit of the role; docs/scaling.md has the numbers.",
);

async function withinTime<T>(work: Promise<T>): Promise<T | typeof LATE> {
  const end = new AbortController();
  const timer = sleep(ANSWER_MS, LATE, { signal: end.signal }).catch(() => LATE);
  try {
    return await Promise.race([work, timer as Promise<typeof LATE>]);
  } finally {
    end.abort();
    work.catch(() => {});
  }
}
