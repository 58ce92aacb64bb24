/**
 * Watches which events the calls of tests cause, and compares them with what the endpoints declare (`emits`).
 * It sees what the server commits in the asynchronous context of a call, so not what a test changes by itself
 * meanwhile. Changes of several calls may share a commit. So events of calls that run at once are not counted
 * for any of them, and neither are those of a call beside which a browser changes something.
 */
import { AsyncLocalStorage } from "node:async_hooks";
import { appendFileSync } from "node:fs";
import type { FastifyInstance } from "fastify";
import type { Endpoint } from "../../api/endpoint.ts";
import { eventNameOf } from "../../api/event.ts";
import type { Database } from "../../server/platform/db/database.ts";
import type { LogEntry } from "../../server/platform/log/log-entry.ts";
import { OrganizationState } from "../../server/platform/log/organization-state.ts";

interface OpenCall {
  names: Set<string>;
  isAlone: boolean;
}

/** What runs on a server now. */
interface OpenCalls {
  watched: Set<OpenCall>;
  /** How many requests came over a connection that may change something: those of browsers. */
  fromOutside: number;
}

/** The call in whose context something happens. */
const current = new AsyncLocalStorage<OpenCall>();
const callsOnDatabase = new WeakMap<Database, OpenCalls>();
const callsOfServer = new WeakMap<FastifyInstance, OpenCalls>();
/** What this process has written to the file of the run. */
const written = new Set<string>();

const { committed } = OrganizationState.prototype;
OrganizationState.prototype.committed = function (base, entries, head) {
  const noted = () => {
    const list = entries();
    noteEntries(this.database, list);
    return list;
  };
  committed.call(this, base, noted, head);
};

function noteEntries(database: Database, entries: readonly LogEntry[]): void {
  const call = current.getStore();
  if (!call || !callsOnDatabase.get(database)?.watched.has(call)) return;
  for (const { payload } of entries) call.names.add(eventNameOf(payload));
}

/** Watches the calls of a server from now on. */
export function watchServer(app: FastifyInstance, database: Database): void {
  const calls: OpenCalls = { watched: new Set(), fromOutside: 0 };
  app.server.on("request", ({ method }, response) => {
    if (method === "GET" || method === "HEAD") return;
    calls.fromOutside++;
    for (const call of calls.watched) call.isAlone = false;
    response.once("close", () => calls.fromOutside--);
  });
  callsOnDatabase.set(database, calls);
  callsOfServer.set(app, calls);
}

/** Makes a call. Throws if it causes an event that its endpoint does not declare. */
export async function watchCall<T>(
  app: FastifyInstance,
  endpoint: Endpoint | undefined,
  make: () => Promise<T>,
): Promise<T> {
  const calls = callsOfServer.get(app);
  // A held poll waits while others make calls, and causes nothing itself.
  if (!calls || !endpoint || endpoint.streams) return make();
  const call: OpenCall = { names: new Set(), isAlone: calls.watched.size + calls.fromOutside === 0 };
  for (const other of calls.watched) other.isAlone = false;
  calls.watched.add(call);
  try {
    // Some calls begin only when they are awaited.
    return await current.run(call, async () => await make());
  } finally {
    calls.watched.delete(call);
    if (call.isAlone) checkEvents(endpoint, call.names);
  }
}

function checkEvents(endpoint: Endpoint, names: ReadonlySet<string>): void {
  for (const name of names) {
    // A change of the nodes' memory alone.
    if (name === "state") continue;
    remember(`${endpoint.name} ${name}`);
    if (endpoint.emits.includes(name)) continue;
    throw new Error(`${endpoint.name} caused the event ${name}, which is not in its emits`);
  }
}

/** For the comparison at the end of the run (`caused-events-setup.ts`). */
function remember(line: string): void {
  const file = process.env.PARLEY_CAUSED_EVENTS;
  if (file === undefined || written.has(line)) return;
  written.add(line);
  appendFileSync(file, `${line}\n`);
}
