/**
 * A normal Parley server in its own process, on a data directory that the parent names, with the data of
 * a scenario. The parent gets the port and the credentials, and may ask for the server's resource usage.
 */

import { rmSync } from "node:fs";
import { type IntervalHistogram, monitorEventLoopDelay } from "node:perf_hooks";
import { createServer, startCore } from "../../server/app.ts";
import { readConfig } from "../../server/config.ts";
import { batcherOf } from "../../server/messages/send/send.ts";
import { users } from "../../server/people/user.ts";
import type { Database } from "../../server/platform/db/database.ts";
import { sql } from "../../server/platform/db/sql.ts";
import { listen } from "../../server/platform/http/app.ts";
import type { OrganizationState } from "../../server/platform/log/organization-state.ts";
import { queuesOf } from "../../server/platform/queues/organization-queues.ts";
import { presences } from "../../server/profiles/presence/presences.ts";
import { copyMessages, type Filled, type Fixture, fill } from "./fixture.ts";
import { HeldSnapshot } from "./held-snapshot.ts";
import { ProcessorTime } from "./processor-time.ts";
import { Profile } from "./profile.ts";
import { ScavengeMeter, type Scavenges } from "./scavenges.ts";

export type Ready = Omit<Filled, "organizationId"> & {
  port: number;
  /** How long it took to load the organization, and how long the event loop stood still at most. */
  loadMs: number;
  loadStallMs: number;
};

/** What a scenario may ask, and `memory`. */
export interface Used {
  messages: number;
  batches: number;
  /** Seconds of processor time so far; undefined if the system does not report it. */
  nodeSeconds: number;
  databaseSeconds: number | undefined;
  scavenges: Scavenges;
}

type Question =
  | { ask: "memory" | "used" | "stall" | "profile" | "profiled" | "unindexed" | "hold" | "release" }
  | { ask: "load"; messages: number }
  | { ask: "arrive"; everySeconds: number };

const dataDir = process.env.BENCH_DATA_DIR as string;
const starting = startCore(
  readConfig({
    PARLEY_DATA_DIR: dataDir,
    PARLEY_ENV: "development",
    PARLEY_RATE_LIMITS: "off",
    PARLEY_LOG: "error",
  }),
);
let closeHttp: (() => Promise<void>) | undefined;
let isStopping = false;
// Only the parent ends this process, so a signal to the whole group is ignored here.
for (const signal of ["SIGINT", "SIGTERM"]) process.on(signal, () => {});
process.on("disconnect", () => void stop());
process.on("exit", () => rmSync(dataDir, { recursive: true, force: true }));
serve().catch((error) => {
  // Errors caused by stopping the database are expected.
  if (isStopping) return;
  console.error(error);
  process.exitCode = 1;
  void stop();
});

async function serve(): Promise<void> {
  const core = await starting;
  await core.startJobs();
  const { services } = core;
  const { organizationId, ...filled } = await fill(
    services,
    JSON.parse(process.env.BENCH_FIXTURE as string) as Fixture,
  );
  const delays = monitorEventLoopDelay({ resolution: 1 });
  delays.enable();
  const startedAt = performance.now();
  const state = await services.organizations.byId(organizationId);
  const loadMs = performance.now() - startedAt;
  const loadStallMs = stallOf(delays);
  const app = await createServer(services);
  closeHttp = () => app.close();
  const url = await listen(app, "127.0.0.1", 0);
  const time = new ProcessorTime(dataDir);
  const profile = new Profile();
  const scavenges = new ScavengeMeter();
  const snapshot = new HeldSnapshot();

  process.on("message", async (question: Question) => {
    const { ask } = question;
    if (ask === "memory") {
      globalThis.gc?.();
      globalThis.gc?.();
      const { heapUsed, rss, external } = process.memoryUsage();
      const held = [...queuesOf(state).byId.values()].filter((queue) => queue.held).length;
      process.send?.({ heapUsed, rss, external, held });
    } else if (ask === "used") {
      process.send?.({
        ...batcherOf(state).counts,
        ...time.read(),
        scavenges: scavenges.read(),
      } satisfies Used);
    } else if (ask === "load") {
      await copyMessages(services.database, organizationId, question.messages);
      await state.catchUp();
      process.send?.({});
    } else if (ask === "unindexed") {
      process.send?.({ positions: await countUnindexed(services.database) });
    } else if (ask === "hold") {
      await snapshot.hold(services.database);
      process.send?.({});
    } else if (ask === "release") {
      await snapshot.release();
      process.send?.({});
    } else if (ask === "arrive") {
      arrive(state, question.everySeconds);
      process.send?.({});
    } else if (ask === "stall") {
      // How long the event loop stood still at most, since the last time that this was asked.
      process.send?.({ stallMs: stallOf(delays) });
      delays.reset();
      delays.enable();
    } else if (ask === "profile") {
      await profile.start();
      process.send?.({});
    } else {
      process.send?.(await profile.stop());
    }
  });
  process.send?.({ ...filled, port: Number(new URL(url).port), loadMs, loadStallMs } satisfies Ready);
}

/** The longest delay beyond the resolution. */
function stallOf(delays: IntervalHistogram): number {
  return Math.max(0, delays.max / 1e6 - 1);
}

/** How many positions of the log the word index is behind. */
async function countUnindexed(database: Database): Promise<number> {
  const [row] = await database.query<{ positions: number }>(sql`
    select coalesce(sum(greatest(l.head - coalesce(c.followed_to, 0), 0)
      + coalesce((select sum(upper(gap) - lower(gap)) from unnest(c.gaps) as gap), 0)), 0)::int as positions
    from organization_logs l left join search_cursors c on c.organization_id = l.organization_id`);
  return row?.positions ?? 0;
}

/**
 * Everybody has been there for a while. They report at even distances, the first one now. Every second report
 * of a person is written, and half of the people wrote theirs last.
 */
function arrive(state: OrganizationState, everySeconds: number): void {
  const people = [...state.get(users).all()];
  const now = Date.now();
  const rows = people.map(({ id: userId }, index) => {
    const rounds = index % 2 === 0 ? 1 : 2;
    const at = now - everySeconds * 1000 * (rounds - index / people.length);
    return { userId, activeAt: at, connectedAt: at, updateId: Math.ceil(at / 2000) * 2000 };
  });
  state.get(presences).add(rows.sort((one, other) => one.updateId - other.updateId));
}

async function stop(): Promise<void> {
  isStopping = true;
  // A start that is under way is completed first, since it may be in the middle of starting PostgreSQL.
  const core = await starting.catch(() => undefined);
  await closeHttp?.();
  await core?.stop();
  process.exit();
}
