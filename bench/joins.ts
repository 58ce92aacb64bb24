/**
 * A class that joins at nine: 100 people a second join or leave a channel, while others use every verb that
 * changes or reads content. Beside it, the verbs without the joins and the joins without the verbs. No answer
 * may be a server error.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { AwaitedConnection } from "./harness/awaited-connection.ts";
import { type Spread, spreadOf } from "./harness/figures.ts";
import type { Person } from "./harness/fixture.ts";
import { size } from "./harness/options.ts";
import { HEAP_FLAGS, startParley } from "./harness/processes.ts";
import { checkRest, measureFsync, printGoal, printTable, save } from "./harness/report.ts";
import { del, get, patch, post } from "./harness/requests.ts";
import { scenario } from "./harness/scenario.ts";

const PER_SECOND = 100;
const SECONDS = size(10, 1);
const JOINING = 100;
/** Connections for the joins: more than are ever under way, so that the pace holds. */
const LINES = 50;
/** People think between two actions. */
const PAUSE_MS = 20;
const CALLERS = 20;

interface Outcome {
  status: number;
  ms: number;
}

/** What one person does again and again. */
type Verb = (person: Person, turn: number, messageId: number) => string;

await scenario(async () => {
  checkRest();
  const fsync = measureFsync();
  const parley = await startParley({
    people: CALLERS + JOINING,
    keys: CALLERS + JOINING,
    subscribers: CALLERS,
    channels: 1,
  });
  const { port, channelId, people } = parley;
  const callers = people.slice(0, CALLERS);
  const joining = people.slice(CALLERS);
  const all = verbs(channelId);

  const alone = { ...(await run(all, false)), ...(await run({}, true)) };
  const beside = await run(all, true);

  printTable(
    `each verb by one person, ${PAUSE_MS} ms between two; ${PER_SECOND} joins/s; ${HEAP_FLAGS.join(" ")}; fdatasync ${fsync}/s`,
    Object.keys(beside).map((what) => row(what, alone[what] ?? [], beside[what] as Outcome[])),
  );
  const everything = Object.values(beside).flat();
  const failed = everything.filter(({ status }) => status >= 500).length;
  const refused = everything.filter(({ status }) => status >= 400 && status < 500).length;
  const slowest = Math.max(...Object.values(beside).map((outcomes) => spread(outcomes).p99Ms));
  console.log(`\nrefused (4xx), beside the joins: ${refused}`);
  printGoal("server errors (5xx), beside the joins", failed, { most: 0 });
  printGoal("p99 of the slowest verb, ms", slowest, { most: 500 });
  save("joins", {
    fsync,
    perSecond: PER_SECOND,
    failed,
    slowest,
    alone: summary(alone),
    beside: summary(beside),
  });

  async function run(used: Record<string, Verb>, withJoins: boolean): Promise<Record<string, Outcome[]>> {
    const outcomes: Record<string, Outcome[]> = {};
    const endsAt = performance.now() + SECONDS * 1000;
    const loops = Object.entries(used).map(([what, verb], index) => {
      outcomes[what] = [];
      const person = callers[index % callers.length] as Person;
      return repeat(port, person, verb, channelId, endsAt, outcomes[what]);
    });
    if (withJoins) {
      outcomes["join or leave"] = [];
      loops.push(join(port, joining, outcomes["join or leave"], endsAt));
    }
    await Promise.all(loops);
    return outcomes;
  }
});

function verbs(channelId: number): Record<string, Verb> {
  const flag = (name: string): Verb => {
    return (person, turn, id) =>
      post(person, "/messages/flags", {
        op: turn % 2 ? "remove" : "add",
        flag: name,
        messages: JSON.stringify([id]),
      });
  };
  return {
    send: (person, turn) => message(person, channelId, `number ${turn}`),
    edit: (person, turn, id) => patch(person, `/messages/${id}`, { content: `again ${turn}` }),
    react: (person, turn, id) =>
      turn % 2
        ? del(person, `/messages/${id}/reactions`, { emoji_name: "tada" })
        : post(person, `/messages/${id}/reactions`, { emoji_name: "tada" }),
    star: flag("starred"),
    "mark as read": flag("read"),
    "mark the channel as read": (person) =>
      post(person, "/mark_stream_as_read", { stream_id: String(channelId) }),
    typing: (person, turn) =>
      post(person, "/typing", {
        op: turn % 2 ? "stop" : "start",
        type: "channel",
        stream_id: String(channelId),
        topic: "joins",
      }),
    "follow a topic": (person, turn) =>
      post(person, "/user_topics", {
        stream_id: String(channelId),
        topic: "joins",
        visibility_policy: turn % 2 ? "0" : "3",
      }),
    "color a channel": (person, turn) =>
      post(person, "/users/me/subscriptions/properties", {
        subscription_data: JSON.stringify([
          { stream_id: channelId, property: "color", value: turn % 2 ? "#c2c2c2" : "#76ce90" },
        ]),
      }),
    "send a poll": (person, turn) => message(person, channelId, `/poll Soup ${turn}?\nyes\nno`),
    register: (person) => post(person, "/register", { fetch_event_types: '["message"]' }),
    read: (person) =>
      get(person, "/messages", { anchor: "newest", num_before: "50", num_after: "0", narrow: "[]" }),
  };
}

function message(person: Person, channelId: number, content: string): string {
  return post(person, "/messages", { type: "channel", to: String(channelId), topic: "joins", content });
}

/** One person uses a verb on a message of their own until the time is over. */
async function repeat(
  port: number,
  person: Person,
  verb: Verb,
  channelId: number,
  endsAt: number,
  outcomes: Outcome[],
): Promise<void> {
  const line = new AwaitedConnection(port);
  const { body } = await line.ask(message(person, channelId, "to begin with"));
  const { id } = JSON.parse(body) as { id: number };
  for (let turn = 0; performance.now() < endsAt; turn++) {
    const startedAt = performance.now();
    const { status } = await line.ask(verb(person, turn, id));
    outcomes.push({ status, ms: performance.now() - startedAt });
    await sleep(PAUSE_MS);
  }
  line.close();
}

/** People join and leave by the clock. An answer's time counts from when its turn came. */
async function join(
  port: number,
  people: readonly Person[],
  outcomes: Outcome[],
  endsAt: number,
): Promise<void> {
  const free = Array.from({ length: LINES }, () => new AwaitedConnection(port));
  const all = [...free];
  const underWay: Promise<void>[] = [];
  const startedAt = performance.now();
  for (let count = 0; performance.now() < endsAt; count++) {
    const dueAt = startedAt + (count * 1000) / PER_SECOND;
    if (dueAt > performance.now()) await sleep(dueAt - performance.now());
    const person = people[count % people.length] as Person;
    const isLeaving = Math.floor(count / people.length) % 2 === 1;
    const line = free.pop() ?? (await nextFree(free));
    const request = isLeaving
      ? del(person, "/users/me/subscriptions", { subscriptions: '["bench"]' })
      : post(person, "/users/me/subscriptions", { subscriptions: '[{"name":"bench"}]' });
    underWay.push(
      line.ask(request).then(({ status }) => {
        outcomes.push({ status, ms: performance.now() - dueAt });
        free.push(line);
      }),
    );
  }
  await Promise.all(underWay);
  for (const line of all) line.close();
}

async function nextFree(free: AwaitedConnection[]): Promise<AwaitedConnection> {
  for (;;) {
    const line = free.pop();
    if (line) return line;
    await sleep(1);
  }
}

function spread(outcomes: readonly Outcome[]): Spread {
  return spreadOf(outcomes.map(({ ms }) => ms));
}

function row(what: string, alone: readonly Outcome[], beside: readonly Outcome[]) {
  const [before, after] = [spread(alone), spread(beside)];
  return {
    what,
    "alone: p50 ms": before.p50Ms,
    "p99 ms": before.p99Ms,
    "beside joins: calls": beside.length,
    p50: after.p50Ms,
    p99: after.p99Ms,
    "5xx": beside.filter(({ status }) => status >= 500).length,
    "4xx": beside.filter(({ status }) => status >= 400 && status < 500).length,
  };
}

function summary(outcomes: Record<string, Outcome[]>) {
  return Object.fromEntries(
    Object.entries(outcomes).map(([what, list]) => [
      what,
      { calls: list.length, failed: list.filter(({ status }) => status >= 500).length, ...spread(list) },
    ]),
  );
}
