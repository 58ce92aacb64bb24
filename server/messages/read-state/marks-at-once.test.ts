/**
 * People mark messages as read and unread at once on two nodes, while messages move and go. Whatever order
 * the log gives it, each message becomes read once and unread once in turns, callers are told what the events
 * say, and that is what a client starts with. Each run has a new seed, and PARLEY_SEED repeats it.
 */
import { afterAll, beforeAll, expect, test } from "vitest";
import { expectSuccess, sayIn } from "../../../test/harness/answers.ts";
import { type CastName, createHarness, type Harness } from "../../../test/harness/harness.ts";
import { type Listener, listen } from "../../../test/harness/listener.ts";
import { Node } from "../../../test/harness/node.ts";
import { Random } from "../../../test/harness/random.ts";
import { howToRepeat, seed } from "../../../test/harness/seed.ts";
import { type User, users } from "../../people/user.ts";
import type { Viewer } from "../../people/viewer/viewer.ts";
import { changeFlags } from "../flags/actions.ts";
import { term } from "../query/narrow/narrow.ts";
import { markMatchesRead } from "./mark-matches.ts";

const FILE = "server/messages/read-state/marks-at-once.test.ts";
const ROUNDS = 8;
const AT_ONCE = 40;
/** More than share a commit. */
const MANY = 70;
const people = ["ada", "cleo", "dev", "gus"] as const satisfies CastName[];
type Person = (typeof people)[number];
const topics = ["bread", "tea", "soup"];

console.log(howToRepeat(FILE));

let harness: Harness;
let node: Node;
const channelIds: number[] = [];
beforeAll(async () => {
  harness = await createHarness();
  node = await Node.start(harness.services.config, harness.state.database.connection);
  for (const name of ["kitchen", "garden"]) channelIds.push((await harness.channel(name, [...people])).id);
});
afterAll(async () => {
  await node?.stop();
  await harness?.close();
});

const say = sayIn(() => harness);

/** What a person has unread, by events. */
interface Known {
  listener: Listener;
  unread: Set<number>;
  /** What callers were told in a round: the operations and the messages. */
  told: string[];
}

function viewerOn(random: Random, name: Person): Viewer {
  const { viewer } = harness.user(name);
  if (random.upTo(2) === 0) return viewer;
  const user = node.state.get(users).byId.get(viewer.user.id) as User;
  return { ...viewer, state: node.state, user };
}

test(`each message becomes read and unread in turns (seed ${seed})`, { timeout: 180_000 }, async () => {
  const random = new Random(seed);
  const known = new Map<Person, Known>();
  for (const name of people) {
    const listener = await listen(harness.as(name), { event_types: ["update_message_flags"] });
    known.set(name, { listener, unread: new Set(), told: [] });
  }
  const of = (name: Person) => known.get(name) as Known;
  let ids: number[] = [];
  const gone = new Set<number>();
  const send = async () => {
    const sender = random.pick(people);
    const others = people.filter((name) => name !== sender);
    const to = random.upTo(5) === 0 ? [harness.user(random.pick(others)).id] : random.pick(channelIds);
    const place = Array.isArray(to) ? { type: "direct", topic: undefined } : { topic: random.pick(topics) };
    const id = await say(sender, to, { ...place, read_by_sender: true });
    ids.push(id);
    for (const name of others) {
      if (!Array.isArray(to) || to.includes(harness.user(name).id)) of(name).unread.add(id);
    }
  };
  const flag = async (op: "add" | "remove") => {
    const name = random.pick(people);
    const count = op === "add" && random.upTo(6) === 0 ? MANY : random.upTo(8);
    const newest = ids.slice(-random.upTo(ids.length) - 1);
    const messageIds = random.shuffle(newest).slice(0, count);
    if (op === "add") messageIds.push(random.upTo(1_000_000));
    const changed = await changeFlags(viewerOn(random, name), { op, flag: "read", messageIds });
    expect([...changed.messageIds]).toEqual([...changed.messageIds].sort((one, other) => one - other));
    of(name).told.push(...changed.messageIds.map((id) => `${op} ${id}`));
  };
  const place = async () => {
    const name = random.pick(people);
    await markMatchesRead(viewerOn(random, name), [term("topic", random.pick(topics))]);
  };
  const move = async () => {
    await harness.as("ada").patch(`/messages/${random.pick(ids)}`, {
      topic: random.pick(topics),
      ...(random.upTo(2) === 0 && { stream_id: random.pick(channelIds) }),
      propagate_mode: random.pick(["change_one", "change_later", "change_all"]),
      send_notification_to_old_thread: false,
      send_notification_to_new_thread: false,
    });
  };
  const remove = async () => {
    const id = random.pick(ids);
    if ((await harness.as("ada").delete(`/messages/${id}`)).status === 200) gone.add(id);
  };
  /** A direct message of others can't be marked as unread. */
  const unmark = async () => {
    await flag("remove").catch((error) => {
      if (error.message !== "Invalid message(s)") throw error;
    });
  };
  for (let round = 0; round < ROUNDS; round++) {
    for (let count = 0; count < 12; count++) await send();
    const calls: Promise<unknown>[] = [];
    for (let count = 0; count < AT_ONCE; count++) {
      const what = random.upTo(20);
      if (what < 13) calls.push(flag("add"));
      else if (what < 16) calls.push(unmark());
      else if (what < 17) calls.push(place());
      else if (what < 18) calls.push(remove());
      else calls.push(move());
    }
    await Promise.all(calls);
    await Promise.all([harness.state.catchUp(), node.state.catchUp()]);
    ids = ids.filter((id) => !gone.has(id));
    for (const name of people) {
      const { listener, unread, told } = of(name);
      const announced: string[] = [];
      for (const { op, messages } of await listener.heard()) {
        for (const id of messages) {
          const label = `${op} ${id} for ${name} in round ${round}`;
          if (op === "add") expect(unread.delete(id), label).toBe(true);
          else expect(unread.has(id), label).toBe(false);
          if (op === "remove") unread.add(id);
          announced.push(`${op} ${id}`);
        }
      }
      // Topics that were marked answer nobody what they changed.
      const untold = [...announced];
      for (const each of told) {
        expect(untold, `told ${name} in round ${round}`).toContain(each);
        untold.splice(untold.indexOf(each), 1);
      }
      told.length = 0;
      for (const id of gone) unread.delete(id);
      await compare(name, ids, unread);
    }
  }
});

async function compare(name: Person, ids: readonly number[], unread: ReadonlySet<number>): Promise<void> {
  const expected = [...unread].sort((one, other) => one - other);
  const { messages } = await expectSuccess(harness.as(name).get("/messages", { message_ids: ids }));
  const shown = messages.flatMap(({ id, flags }: { id: number; flags: string[] }) =>
    flags.includes("read") ? [] : [id],
  );
  expect(shown, `flags of ${name}`).toEqual(expected);
  const start = await listen(harness.as(name), { fetch_event_types: ["message", "update_message_flags"] });
  await expectSuccess(harness.as(name).delete("/events", { queue_id: start.queueId }));
  expect(start.snapshot.unread_msgs.count, `unread of ${name}`).toBe(expected.length);
}
