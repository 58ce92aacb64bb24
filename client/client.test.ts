import { afterEach, expect, test } from "vitest";
import { answer, type Received, startTestServer, type TestServer } from "../test/harness/small-server.ts";
import { type Client, createClient } from "./client.ts";
import type { QueuedEvent, Snapshot } from "./contract.ts";
import { startModel } from "./model/live-model.ts";

let server: TestServer;
afterEach(() => server.close());

/** A server whose polls are answered in turn. Each queue q1, q2, … begins at 100 times its number. */
async function connect(polls: ((received: Received) => void)[] = []): Promise<Client> {
  let [registered, polled] = [0, 0];
  server = await startTestServer((received) => {
    if (received.path === "/api/v1/register") {
      registered++;
      answer(received, { queue_id: `q${registered}`, last_event_id: registered * 100, alert_words: [] });
    } else if (received.method === "DELETE") answer(received, {});
    else if (received.path === "/api/v1/events") polls[polled++]?.(received);
    else answer(received, { id: 7 });
  });
  return createClient({ site: server.site, email: "ada@demo.test", apiKey: "k".repeat(32) });
}

const wordEvents =
  (...ids: number[]) =>
  (received: Received) =>
    answer(received, {
      events: ids.map((id) => ({ id, type: "alert_words", alert_words: [`word ${id}`] })),
    });
const loseQueue = (received: Received) => answer(received, { code: "BAD_EVENT_QUEUE_ID" }, 400);

function lastRequest(): [string | undefined, string | undefined] {
  const last = server.received.at(-1);
  return [last?.method, last?.fields.queue_id];
}

test("an endpoint is a function of its name, called with the account's credentials", async () => {
  const client = await connect();
  const parameters = { type: "channel", to: "general", topic: "lunch", content: "Soup?" };
  expect(await client.sendMessage?.(parameters)).toEqual({ id: 7 });
  expect(server.received[0]).toMatchObject({ method: "POST", path: "/api/v1/messages", fields: parameters });
  expect(server.received[0]?.request.headers.authorization).toMatch(/^Basic /);
});

test("half an account is refused before any call", async () => {
  await connect();
  expect(() => createClient({ site: server.site, email: "ada@demo.test" })).toThrow("belong together");
});

test("leaving the loop over the events deletes the queue", async () => {
  const client = await connect([wordEvents(101, 102)]);
  const received: number[] = [];
  for await (const event of client.events({ event_types: ["alert_words"] })) {
    received.push(event.id);
    if (received.length === 2) break;
  }
  expect(received).toEqual([101, 102]);
  expect(lastRequest()).toEqual(["DELETE", "q1"]);
});

test("an aborted signal ends the loop and deletes the queue", async () => {
  const controller = new AbortController();
  const client = await connect([wordEvents(101), () => controller.abort()]);
  const received: QueuedEvent[] = [];
  for await (const event of client.events({}, { signal: controller.signal })) received.push(event);
  expect(received).toHaveLength(1);
  expect(lastRequest()).toEqual(["DELETE", "q1"]);
});

test("a lost queue gives a new snapshot between the events before and after it", async () => {
  const client = await connect([wordEvents(101), loseQueue, wordEvents(201)]);
  const order: (string | number | null)[] = [];
  const onSnapshot = (snapshot: Snapshot) => void order.push(snapshot.queue_id);
  for await (const { id } of client.events({}, { onSnapshot })) {
    order.push(id);
    if (id === 201) break;
  }
  expect(order).toEqual(["q1", 101, "q2", 201]);
});

test("a live model follows the events, and says when it starts from another snapshot", async () => {
  let release = () => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  const client = await connect([
    (received) => void held.then(() => wordEvents(101)(received)),
    loseQueue,
    wordEvents(201),
    () => {},
  ]);
  const live = await startModel(client);
  const first = live.model;
  const changes: string[] = [];
  const isDone = new Promise<void>((resolve) => {
    live.subscribe((change) => {
      const words = [...live.model.alertWords.words].join();
      changes.push(`${change.kind}: ${words}`);
      if (changes.length === 3) resolve();
    });
  });
  release();
  await isDone;
  expect(changes).toEqual(["event: word 101", "snapshot: ", "event: word 201"]);
  expect(live.model).not.toBe(first);
  await live.stop();
  expect(lastRequest()).toEqual(["DELETE", "q2"]);
  await live.ended;
});

test("a live model of refused credentials can't start", async () => {
  server = await startTestServer((received) => answer(received, { code: "UNAUTHORIZED" }, 401));
  await expect(startModel(createClient({ site: server.site }))).rejects.toThrow("No.");
});
