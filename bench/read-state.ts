/**
 * Reading a channel of 100,000 messages by topic. Its 800 topics are mixed, and somebody has read every
 * second one: 50,000 messages of 400 topics are unread. Then one message is marked as read, a page begins at
 * the first unread message, and a client starts. For the last, the same without unread messages is
 * subtracted.
 */

import { median } from "./harness/figures.ts";
import type { Person } from "./harness/fixture.ts";
import { size } from "./harness/options.ts";
import { HEAP_FLAGS, startParley } from "./harness/processes.ts";
import { checkRest, printTable, save } from "./harness/report.ts";
import { authorization } from "./harness/requests.ts";
import { scenario } from "./harness/scenario.ts";

const MESSAGES = size(110_000, 2200);
const TOPICS = size(800, 20);
const TIMES = size(60, 5);

await scenario(async () => {
  checkRest();
  const parley = await startParley({
    people: 100,
    keys: 2,
    subscribers: 100,
    channels: 10,
    ownChannels: 5,
    history: { messages: MESSAGES, benchShare: 10, benchTopics: TOPICS, readStretches: 1, unreadShare: 1 },
  });
  const { channelId, port } = parley;
  const [reader, other] = parley.people as [Person, Person];
  const call = async (person: Person, method: string, path: string, parameters: Record<string, unknown>) => {
    const form = new URLSearchParams(
      Object.entries(parameters).map(([key, value]) => [
        key,
        typeof value === "string" ? value : JSON.stringify(value),
      ]),
    );
    const url = `http://127.0.0.1:${port}/api/v1${path}`;
    const headers = { authorization: authorization(person) };
    const startedAt = performance.now();
    const response =
      method === "GET"
        ? await fetch(`${url}?${form}`, { headers })
        : await fetch(url, { method, headers, body: form });
    const text = await response.text();
    const ms = performance.now() - startedAt;
    if (response.status !== 200) throw new Error(`${path}: ${text}`);
    return { ms, text };
  };
  const register = (person: Person, types: string[]) =>
    call(person, "POST", "/register", { event_types: types, fetch_event_types: types });

  interface Topic {
    stream_id: number;
    unread_message_ids: number[];
  }
  const unreadTopics = async (): Promise<Topic[]> =>
    JSON.parse((await register(reader, ["message", "update_message_flags"])).text).unread_msgs.streams;

  await call(other, "POST", "/mark_all_as_read", {});
  for (let number = 1; number <= TOPICS; number += 2) {
    await call(reader, "POST", "/mark_topic_as_read", {
      stream_id: channelId,
      topic_name: `topic ${number}`,
    });
  }
  for (const id of new Set((await unreadTopics()).map(({ stream_id }) => stream_id))) {
    if (id !== channelId) await call(reader, "POST", "/mark_stream_as_read", { stream_id: id });
  }
  const unread = (await unreadTopics()).flatMap(({ unread_message_ids }) => unread_message_ids);
  const narrow = [{ operator: "channel", operand: channelId }];

  const kinds: Record<string, (index: number) => Promise<{ ms: number }>> = {
    "mark one as read": (index) => {
      const id = unread[Math.floor((unread.length / TIMES) * index)];
      return call(reader, "POST", "/messages/flags", { messages: [id], op: "add", flag: "read" });
    },
    "first unread page": () =>
      call(reader, "GET", "/messages", { narrow, anchor: "first_unread", num_before: "50", num_after: "49" }),
    "start, with unread messages": () => register(reader, ["message", "update_message_flags"]),
    "start, nothing unread": () => register(other, ["message", "update_message_flags"]),
  };
  const times: Record<string, number[]> = {};
  for (let index = 0; index < TIMES; index++) {
    for (const [what, ask] of Object.entries(kinds)) {
      const { ms } = await ask(index);
      times[what] = [...(times[what] ?? []), ms];
    }
  }
  const rows = Object.entries(times).map(([what, list]) => ({
    what,
    "p50 ms": median(list),
    "max ms": Math.max(...list),
  }));
  printTable(`${unread.length} unread messages; ${HEAP_FLAGS.join(" ")}`, rows);
  save("read-state", { messages: MESSAGES, topics: TOPICS, unread: unread.length, rows });
});
