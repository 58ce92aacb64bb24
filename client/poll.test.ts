import { afterEach, expect, test } from "vitest";
import { answer, type Received, startTestServer, type TestServer } from "../test/harness/small-server.ts";
import { Backoff } from "./backoff.ts";
import { CallError } from "./call-error.ts";
import { Connection } from "./connection.ts";
import type { QueuedEvent, Snapshot } from "./contract.ts";
import { type Follower, follow } from "./poll.ts";

let server: TestServer;
afterEach(() => server.close());

/** The server's reaction to the first, second, … poll. The last one also serves all later polls. */
type Polls = ((received: Received) => void)[];

interface Following {
  snapshots: Snapshot[];
  events: QueuedEvent[];
  troubles: (CallError | undefined)[];
  end: AbortController;
  done: Promise<void>;
}

async function start(
  polls: Polls,
  change: Partial<Follower> = {},
  register = registerNext,
): Promise<Following> {
  let registered = 0;
  let polled = 0;
  server = await startTestServer((received) => {
    if (received.path === "/api/v1/register") register(received, ++registered);
    else if (received.method === "DELETE") answer(received, {});
    else polls[Math.min(polled++, polls.length - 1)]?.(received);
  });
  const end = new AbortController();
  const following: Following = { snapshots: [], events: [], troubles: [], end, done: Promise.resolve() };
  following.done = follow(
    new Connection({ site: server.site }),
    { event_types: ["message"] },
    {
      onSnapshot: (snapshot) => void following.snapshots.push(snapshot),
      onEvents: (events) => void following.events.push(...events),
      onTrouble: (error) => void following.troubles.push(error),
      signal: end.signal,
      backoff: new Backoff({ firstMs: 1, longestMs: 5 }),
      ...change,
    },
  );
  return following;
}

/** Queues are named q1, q2, …; each begins at 100 times its number. */
function registerNext(received: Received, count: number): void {
  answer(received, { queue_id: `q${count}`, last_event_id: count * 100, realm_name: "Demo" });
}

const events =
  (...ids: number[]) =>
  (received: Received) =>
    answer(received, { events: ids.map((id) => ({ id, type: "message" })) });
const hold = () => {};
const broken = (received: Received) => received.response.destroy();
const refuse =
  (code: string, status = 400) =>
  (received: Received) =>
    answer(received, { code }, status);

function polls(): Record<string, string>[] {
  return server.received
    .filter(({ path, method }) => path.endsWith("/events") && method === "GET")
    .map(({ fields }) => fields);
}

async function until(condition: () => boolean): Promise<void> {
  await expect.poll(condition, { interval: 2 }).toBe(true);
}

test("events come in order after the snapshot, and each poll acknowledges the events before it", async () => {
  const following = await start([events(101, 102), events(107), hold]);
  await until(() => polls().length === 3);
  expect(following.snapshots.map((snapshot) => snapshot.realm_name)).toEqual(["Demo"]);
  expect(following.events.map(({ id }) => id)).toEqual([101, 102, 107]);
  expect(polls().map((fields) => fields.last_event_id)).toEqual(["100", "102", "107"]);
  following.end.abort();
  await following.done;
});

test("stopping it resolves and deletes the queue", async () => {
  const following = await start([hold]);
  await until(() => polls().length === 1);
  following.end.abort();
  await following.done;
  const last = server.received.at(-1);
  expect([last?.method, last?.fields.queue_id]).toEqual(["DELETE", "q1"]);
});

test("a heartbeat moves the position but does not reach the caller", async () => {
  const heartbeat = (received: Received) => answer(received, { events: [{ id: 101, type: "heartbeat" }] });
  const following = await start([heartbeat, hold]);
  await until(() => polls().length === 2);
  expect(polls()[1]?.last_event_id).toBe("101");
  expect(following.events).toEqual([]);
  following.end.abort();
  await following.done;
});

test("an event that is sent twice reaches the caller once", async () => {
  const following = await start([events(101, 102), events(101, 102, 103), hold]);
  await until(() => polls().length === 3);
  expect(following.events.map(({ id }) => id)).toEqual([101, 102, 103]);
  following.end.abort();
  await following.done;
});

test.each(["BAD_EVENT_QUEUE_ID", "BAD_REQUEST"])(
  "after %s it registers again and starts from a new snapshot",
  async (code) => {
    const following = await start([events(101), refuse(code), events(201), hold]);
    await until(() => polls().length === 4);
    expect(following.snapshots.map((snapshot) => snapshot.queue_id)).toEqual(["q1", "q2"]);
    expect(following.events.map(({ id }) => id)).toEqual([101, 201]);
    following.end.abort();
    await following.done;
  },
);

test("after a broken connection or a restart of the server, polling goes on with the old queue", async () => {
  const following = await start([events(101), broken, refuse("SERVER_NOT_READY", 503), events(102), hold]);
  await until(() => polls().length === 5);
  expect(following.events.map(({ id }) => id)).toEqual([101, 102]);
  expect(following.snapshots).toHaveLength(1);
  expect(polls().map((fields) => fields.last_event_id)).toEqual(["100", "101", "101", "101", "102"]);
  // A held poll would not say for a minute that the server is back.
  const isHeld = polls().map((fields) => fields.dont_block === undefined);
  expect(isHeld).toEqual([true, true, false, false, true]);
  expect(following.troubles.map((error) => error?.failure.kind)).toEqual(["network", "api", undefined]);
  following.end.abort();
  await following.done;
});

test("the first poll after a failure returns at once, so that everybody knows that the server is back", async () => {
  const following = await start([broken, events(), hold]);
  await until(() => polls().length === 3);
  expect(polls().map((fields) => fields.dont_block)).toEqual([undefined, "true", undefined]);
  expect(following.troubles.map((error) => error?.failure.kind)).toEqual(["network", undefined]);
  following.end.abort();
  await following.done;
});

test("that the server is back is said when what happened meanwhile was handled", async () => {
  const order: string[] = [];
  const following = await start([broken, events(101, 102), hold], {
    onTrouble: (error) => void order.push(error ? "away" : "back"),
    onEvents: (batch) => void order.push(...batch.map(({ id }) => String(id))),
  });
  await until(() => order.length === 4);
  expect(order).toEqual(["away", "101", "102", "back"]);
  following.end.abort();
  await following.done;
});

test("a wait ends when the network is said to be back", async () => {
  const backoff = new Backoff({ firstMs: 600_000, longestMs: 600_000 });
  const following = await start([broken, events(101), hold], { backoff });
  await until(() => following.troubles.length === 1);
  backoff.wakeUp();
  await until(() => following.events.length === 1);
  following.end.abort();
  await following.done;
});

test("a registration that fails temporarily is retried", async () => {
  const following = await start([hold], {}, (received, count) => {
    if (count < 3) received.response.writeHead(502).end("bad gateway");
    else registerNext(received, count);
  });
  await until(() => polls().length === 1);
  expect(following.snapshots).toHaveLength(1);
  following.end.abort();
  await following.done;
});

test("a refused registration stops it", async () => {
  const following = await start([hold], {}, (received) => answer(received, { code: "UNAUTHORIZED" }, 401));
  await expect(following.done).rejects.toThrow(CallError);
  expect(server.received).toHaveLength(1);
});

test("credentials that are refused later stop it", async () => {
  const following = await start([events(101), refuse("UNAUTHORIZED", 401)]);
  await expect(following.done).rejects.toThrow(CallError);
  expect(polls()).toHaveLength(2);
});

test("without an account it stops after the snapshot", async () => {
  const following = await start([hold], {}, (received) =>
    answer(received, { queue_id: null, last_event_id: 5 }),
  );
  await following.done;
  expect(following.snapshots).toHaveLength(1);
  expect(polls()).toEqual([]);
});

test("an error thrown by a callback stops it and deletes the queue", async () => {
  const failed = new Error("the model is broken");
  const following = await start([events(101), hold], {
    onEvents: () => {
      throw failed;
    },
  });
  await expect(following.done).rejects.toBe(failed);
  expect(server.received.at(-1)?.method).toBe("DELETE");
});

test("the next poll waits for a slow callback", async () => {
  let finish: (() => void) | undefined;
  const onEvents = () => new Promise<void>((resolve) => (finish = resolve));
  const following = await start([events(101), hold], { onEvents });
  await until(() => finish !== undefined);
  await fetch(`${server.site}/a-request-that-would-come-after-a-poll`, { method: "DELETE" });
  expect(polls()).toHaveLength(1);
  finish?.();
  await until(() => polls().length === 2);
  following.end.abort();
  await following.done;
});

test("a server that returns nothing at once is polled at a limited rate", async () => {
  const following = await start([events()], { backoff: new Backoff({ firstMs: 40, longestMs: 400 }) });
  await until(() => polls().length === 3);
  const before = performance.now();
  await until(() => polls().length === 4);
  expect(performance.now() - before).toBeGreaterThan(40);
  following.end.abort();
  await following.done;
});
