import { EventEmitter, once } from "node:events";
import pino from "pino";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Position } from "../../../api/ids.ts";
import { createHarness, type Harness, HOST } from "../../../test/harness/harness.ts";
import { queueOptions } from "../../../test/harness/queue.ts";
import { createServer, openServices } from "../../app.ts";
import { dispatcherOfModules } from "../../modules.ts";
import { type Sql, sql } from "../db/sql.ts";
import type { Delivery } from "../log/log-entry.ts";
import type { OrganizationState } from "../log/organization-state.ts";
import { advanceHeads } from "../log/store.ts";
import { queuesOf, removeQueue } from "./organization-queues.ts";
import { MAX_PENDING, MAX_PENDING_CHARS, type Queue } from "./queue.ts";
import { Queues } from "./queues.ts";
import { register } from "./register.ts";
import { updateQueues } from "./store.ts";

let harness: Harness;
beforeAll(async () => {
  harness = await createHarness();
  await harness.channel("kitchen", ["ada", "dev"]);
});
afterAll(() => harness?.close());

const say = async (content = "x") =>
  (await harness.as("ada").post("/messages", { type: "channel", to: "kitchen", topic: "t", content })).body
    .id as number;

async function open(params: Record<string, unknown> = {}) {
  const { body } = await harness
    .as("dev")
    .post("/register", { event_types: ["message"], fetch_event_types: [], ...params });
  return { id: body.queue_id as string, last: body.last_event_id as number };
}

const poll = (queueId: string | undefined, last: number | undefined, params: Record<string, unknown> = {}) =>
  harness.as("dev").get("/events", { queue_id: queueId, last_event_id: last, ...params });

const now = (queueId: string, last: number) => poll(queueId, last, { dont_block: true });
const idsOf = (answer: { body: { events: { id: number }[] } }) => answer.body.events.map(({ id }) => id);

async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await new Promise((resolve) => setImmediate(resolve));
}

const isHeld = (queueId: string) => queuesOf(harness.state).byId.get(queueId)?.held !== undefined;

describe("a poll", () => {
  test("gets all pending events, again and again until a later poll acknowledges them", async () => {
    const queue = await open();
    const ids = [await say(), await say(), await say()];
    expect(idsOf(await poll(queue.id, queue.last))).toEqual(ids);
    expect(idsOf(await poll(queue.id, queue.last))).toEqual(ids);
    expect(idsOf(await poll(queue.id, ids[1] as number))).toEqual([ids[2]]);
  });

  test("may send -1 for the id that registering returned", async () => {
    const queue = await open();
    const id = await say();
    expect(idsOf(await poll(queue.id, -1))).toEqual([id]);
  });

  test("with an id older than an acknowledged one is refused", async () => {
    const queue = await open();
    const [first, second] = [await say(), await say()];
    await now(queue.id, second);
    const { status, body } = await now(queue.id, first);
    expect([status, body.code, body.msg]).toEqual([
      400,
      "BAD_REQUEST",
      `An event newer than ${first} has already been pruned!`,
    ]);
    expect((await now(queue.id, -1)).status).toBe(400);
  });

  test("may have an id that this node has not read yet, even while the node reads earlier entries", async () => {
    const queue = await open();
    const { database } = harness.state;
    const query = database.query.bind(database);
    const gate = new EventEmitter();
    database.query = async <Row>(statement: Sql) => {
      const rows = await query<Row>(statement);
      gate.emit("read");
      await once(gate, "open");
      return rows;
    };
    const early = harness.state.catchUp();
    await once(gate, "read");
    database.query = query;
    const { organizationId } = harness.state;
    const head = (await advanceHeads(database, [organizationId])).get(organizationId) as Position;
    const polling = now(queue.id, head);
    await new Promise((resolve) => setTimeout(resolve, 50));
    gate.emit("open");
    await early;
    expect((await polling).status).toBe(200);
  });

  test("with an id of the future is refused", async () => {
    const queue = await open();
    const { status, body } = await now(queue.id, queue.last + 1000);
    expect([status, body.code]).toEqual([400, "BAD_REQUEST"]);
    expect(idsOf(await now(queue.id, queue.last))).toEqual([]);
  });

  test("with dont_block is answered at once, without events", async () => {
    const queue = await open();
    expect((await now(queue.id, queue.last)).body).toMatchObject({ events: [], queue_id: queue.id });
  });

  test("is held until an event arrives", async () => {
    const queue = await open();
    const held = poll(queue.id, queue.last);
    await until(() => isHeld(queue.id));
    const id = await say();
    expect(idsOf(await held)).toEqual([id]);
  });

  test("ends an earlier poll of the same queue without events", async () => {
    const queue = await open();
    const first = poll(queue.id, queue.last);
    await until(() => isHeld(queue.id));
    const second = poll(queue.id, queue.last);
    expect(idsOf(await first)).toEqual([]);
    await until(() => isHeld(queue.id));
    const id = await say();
    expect(idsOf(await second)).toEqual([id]);
  });

  test("without a queue creates one with dont_block, and is refused otherwise", async () => {
    const { body } = await poll(undefined, undefined, { dont_block: true, event_types: ["message"] });
    expect(body.events).toEqual([]);
    const id = await say();
    expect(idsOf(await poll(body.queue_id, -1))).toEqual([id]);
    expect((await poll(undefined, undefined)).body).toMatchObject({
      code: "REQUEST_VARIABLE_MISSING",
      var_name: "queue_id",
    });
  });

  test("of a queue without last_event_id is refused", async () => {
    const { id } = await open();
    expect((await poll(id, undefined)).body).toMatchObject({
      code: "REQUEST_VARIABLE_MISSING",
      var_name: "last_event_id",
    });
  });

  test("gets only the types of events that were asked for", async () => {
    const queue = await open({ event_types: ["typing"] });
    await say();
    await harness.as("ada").post("/typing", { op: "start", to: [harness.user("dev").id] });
    expect((await now(queue.id, queue.last)).body.events).toMatchObject([{ type: "typing" }]);
  });
});

describe("a queue is unknown", () => {
  test.each(["", "x", "00000000-0000-4000-8000-000000000000", "'; --"])("by the name '%s'", async (id) => {
    expect((await now(id, 0)).body).toMatchObject({ code: "BAD_EVENT_QUEUE_ID", queue_id: id });
  });

  test("to other users, who can't delete it either", async () => {
    const queue = await open();
    const ask = { queue_id: queue.id, last_event_id: queue.last, dont_block: true };
    for (const name of ["ada", "zed"] as const) {
      expect((await harness.as(name).get("/events", ask)).body.code).toBe("BAD_EVENT_QUEUE_ID");
      expect((await harness.as(name).delete("/events", { queue_id: queue.id })).body.code).toBe(
        "BAD_EVENT_QUEUE_ID",
      );
    }
    expect((await now(queue.id, queue.last)).status).toBe(200);
  });

  test("once it is deleted, and its held poll is answered", async () => {
    const queue = await open();
    const held = poll(queue.id, queue.last);
    await until(() => isHeld(queue.id));
    expect((await harness.as("dev").delete("/events", { queue_id: queue.id })).status).toBe(200);
    expect(idsOf(await held)).toEqual([]);
    expect((await now(queue.id, queue.last)).body.code).toBe("BAD_EVENT_QUEUE_ID");
  });
});

describe("a poll that would be held is refused at once", () => {
  test("for a queue that is unknown, deleted, or another user's", async () => {
    const deleted = await open();
    await harness.as("dev").delete("/events", { queue_id: deleted.id });
    const { body: foreign } = await harness.as("ada").post("/register", { fetch_event_types: [] });
    for (const id of ["x", "00000000-0000-4000-8000-000000000000", deleted.id, foreign.queue_id]) {
      expect((await poll(id, -1)).body).toMatchObject({ code: "BAD_EVENT_QUEUE_ID", queue_id: id });
    }
  });

  test.each(["x", "", "1.5", "-2", "99999999999999999999", "[1]"])("for the id '%s'", async (last) => {
    const queue = await open();
    expect((await poll(queue.id, undefined, { last_event_id: last })).status).toBe(400);
    expect(isHeld(queue.id)).toBe(false);
  });
});

describe("with a clock that is set by hand", () => {
  let time = Date.now();
  let queues: Queues;
  beforeAll(() => {
    queues = new Queues(
      harness.state.database,
      () => [harness.state],
      dispatcherOfModules({ keyring: harness.services.keyring, siteOf: () => "" }),
      (error) => {
        throw error;
      },
      () => time,
    );
  });

  async function openHere(lifespanSeconds = 600): Promise<Queue> {
    const request = {
      options: queueOptions({ eventTypes: ["message"], clientGravatar: true }),
      fetchEventTypes: [],
      lifespanSeconds,
      presenceHistoryLimitDays: 14,
      baseUrl: "http://demo.test",
    };
    const { queueId } = await register(harness.state, queues, [], {
      ...request,
      viewer: harness.user("dev").viewer,
    });
    const queue = queuesOf(harness.state).byId.get(queueId as string) as Queue;
    queues.touch(harness.state, queue);
    return queue;
  }

  const ask = (queue: Queue, lastEventId: number, answer: (deliveries: readonly Delivery[]) => void) =>
    queues.poll(
      harness.state,
      harness.user("dev").user.id,
      { queueId: queue.id, lastEventId, dontBlock: false },
      answer,
    );

  test("a poll without events gets a heartbeat after 45 to 55 seconds, with an id of its own", async () => {
    const queue = await openHere();
    const answers: Delivery[][] = [];
    await ask(queue, -1, (deliveries) => answers.push([...deliveries]));
    expect(queue.heartbeatAt - time).toBeGreaterThanOrEqual(45_000);
    expect(queue.heartbeatAt - time).toBeLessThanOrEqual(55_000);
    time += 44_000;
    queues.sendHeartbeats();
    expect(answers).toEqual([]);
    time += 12_000;
    queues.sendHeartbeats();
    await until(() => answers.length > 0);
    const [beat] = answers[0] as Delivery[];
    expect(JSON.parse((beat as Delivery).json)).toEqual({ type: "heartbeat", id: beat?.position });
    expect(beat?.position).toBeGreaterThan(queue.startedAt);
    const id = await say();
    expect(id).toBeGreaterThan(beat?.position as number);
    await ask(queue, beat?.position as number, (deliveries) => answers.push([...deliveries]));
    expect(answers[1]?.map(({ position }) => position)).toEqual([id]);
  });

  test("a queue that is not polled is discarded after its lifespan, one with a held poll is not", async () => {
    const [idle, patient, held] = [await openHere(), await openHere(3600), await openHere()];
    await ask(held, -1, () => {});
    time += 599_000;
    await queues.collect();
    expect(queuesOf(harness.state).byId.has(idle.id)).toBe(true);
    time += 2000;
    await queues.collect();
    const left = [idle, patient, held].map(({ id }) => queuesOf(harness.state).byId.has(id));
    expect(left).toEqual([false, true, true]);
    time += 3600_000;
    await queues.collect();
    expect(queuesOf(harness.state).byId.has(patient.id)).toBe(false);
    expect(queuesOf(harness.state).byId.has(held.id)).toBe(true);
    held.release();
  });

  test("a queue is unknown once its row is as old as its lifespan, by the database's clock", async () => {
    const queue = await openHere();
    await queues.save();
    removeQueue(harness.state, queue);
    const age = (seconds: number) =>
      harness.state.database.query(sql`
        update event_queues set last_seen_at = now() - make_interval(secs => ${seconds}) where id = ${queue.id}`);
    await age(590);
    await queues.collect();
    expect((await queues.access(harness.state, harness.user("dev").viewer.user.id, queue.id)).id).toBe(
      queue.id,
    );
    removeQueue(harness.state, queuesOf(harness.state).byId.get(queue.id) as Queue);
    await age(601);
    await queues.collect();
    await expect(ask(queue, -1, () => {})).rejects.toThrow("Bad event queue ID");
  });
});

test("a queue that falls far behind is read from the log again, each event once and in order", async () => {
  const queue = await open();
  const ids: number[] = [];
  const count = MAX_PENDING + 250;
  for (let sent = 0; sent < count; sent += 250) {
    const batch = await Promise.all(Array.from({ length: Math.min(250, count - sent) }, () => say()));
    ids.push(...batch.sort((a, b) => a - b));
  }
  expect(queuesOf(harness.state).byId.get(queue.id)).toMatchObject({ isCold: true, pending: [] });
  const got: number[] = [];
  for (let last = queue.last; got.length < ids.length; last = got.at(-1) as number) {
    const answer = idsOf(await now(queue.id, last));
    expect(answer.length).toBeGreaterThan(0);
    got.push(...answer);
  }
  expect(got).toEqual(ids);
  const next = await say();
  expect(idsOf(await now(queue.id, got.at(-1) as number))).toEqual([next]);
});

test("a queue that has missed much text is read from the log again in parts, each event once and in order", async () => {
  const queue = await open();
  const long = "x".repeat(10_000);
  const ids: number[] = [];
  while (ids.length < 500) {
    ids.push(...(await Promise.all(Array.from({ length: 100 }, () => say(long)))).sort((a, b) => a - b));
  }
  expect(queuesOf(harness.state).byId.get(queue.id)).toMatchObject({ isCold: true, pending: [] });
  const got: number[] = [];
  for (let last = queue.last; got.length < ids.length; last = got.at(-1) as number) {
    const answer = await now(queue.id, last);
    expect(JSON.stringify(answer.body).length).toBeLessThan(1.01 * MAX_PENDING_CHARS);
    got.push(...idsOf(answer));
  }
  expect(got).toEqual(ids);
});

test("a queue outlives its node: another node goes on where the client was", async () => {
  const queue = await open();
  const ids = [await say("a"), await say("b")];
  await now(queue.id, ids[0] as number);
  await harness.services.queues.save();
  const services = await openServices(
    harness.services.config,
    pino({ level: "silent" }),
    harness.state.database.connection,
  );
  const app = await createServer(services);
  const state = (await services.organizations.byId(harness.state.organizationId)) as OrganizationState;
  const { email, apiKey } = harness.user("dev");
  const authorization = `Basic ${Buffer.from(`${email}:${apiKey}`).toString("base64")}`;
  const there = async (last: number) => {
    const url = `/api/v1/events?queue_id=${queue.id}&last_event_id=${last}&dont_block=true`;
    return { body: (await app.inject({ url, headers: { host: HOST, authorization } })).json() };
  };
  expect(queuesOf(state).byId.size).toBe(0);
  expect(idsOf(await there(ids[0] as number))).toEqual([ids[1]]);
  const later = await say("c");
  await state.catchUp();
  expect(idsOf(await there(ids[1] as number))).toEqual([later]);
  const whole = (await there(later)).body;
  expect(whole).toMatchObject({ events: [], queue_id: queue.id });
  await services.queues.stop();
  await app.close();
  await services.database.close();
});

test("a queue that is read again from the log gets the same events as one that stayed in memory", async () => {
  const [fed, read] = [await open({ event_types: null }), await open({ event_types: null })];
  const id = await say("@**Dev Rao**");
  await harness.as("dev").post("/messages/flags", { messages: [id], op: "add", flag: "starred" });
  await harness
    .as("dev")
    .post("/messages", { type: "direct", to: [harness.user("ada").id], content: "x", read_by_sender: true });
  await harness
    .as("ada")
    .post("/messages", { type: "direct", to: [harness.user("ben").id], content: "not for dev" });
  await harness.channel("attic", ["ada"], { isPrivate: true });
  await harness.channel("porch", ["ada", "dev"]);
  const cold = queuesOf(harness.state).byId.get(read.id) as Queue;
  cold.isCold = true;
  cold.pending = [];
  const [a, b] = [await now(fed.id, fed.last), await now(read.id, read.last)];
  expect(b.body.events).toEqual(a.body.events);
  expect(a.body.events.length).toBeGreaterThan(3);
});

test("saving cursors writes no index, however often", async () => {
  const queue = await open();
  const { database, organizationId } = harness.state;
  const hot = await database.transaction(async (tx) => {
    const row = { id: queue.id, cursor: (queue.last + 1) as Position, lastSeenAt: Date.now() };
    await updateQueues(tx, organizationId, [row], Date.now());
    const [counted] = await tx.query<{ all: number; hot: number }>(sql`
      select pg_stat_get_xact_tuples_updated(oid) as all, pg_stat_get_xact_tuples_hot_updated(oid) as hot
      from pg_class where oid = 'event_queues'::regclass`);
    return counted;
  });
  expect(hot).toEqual({ all: 1, hot: 1 });
});
