import { afterEach, expect, test, vi } from "vitest";
import { compare, type MessageClient, startMessageClient } from "../../test/harness/message-client.ts";
import { MessageServer } from "../../test/harness/message-server.ts";
import { Random } from "../../test/harness/random.ts";
import { channelNarrow, combinedFeed, directNarrow, type Narrow, topicNarrow } from "../narrow.ts";
import { checkInvariants } from "./message-window.ts";
import type { OpenWindow } from "./open-window.ts";

/** `SEED=123 RUNS=500` repeats one run, or makes more of them. */
const RUNS = Number(process.env.RUNS ?? 30);
const STEPS = 60;

afterEach(() => {
  vi.useRealTimers();
});

const is = (operand: string): Narrow => [{ operator: "is", operand }];
// 6 is public and not subscribed, 7 is private.
const narrows: readonly Narrow[] = [
  ...[combinedFeed, channelNarrow(4), channelNarrow(6), topicNarrow(4, "soup"), topicNarrow(5, "soup")],
  ...[topicNarrow(6, "soup"), topicNarrow(7, "bread"), directNarrow([3]), is("starred"), is("followed")],
  ...[is("mentioned"), is("dm"), is("resolved"), [{ operator: "search", operand: "a" }]],
  [{ operator: "channels", operand: "public" }],
  [
    { operator: "has", operand: "reaction" },
    { operator: "sender", operand: "me" },
  ],
];
const topics = ["soup", "bread", "✔ soup"];

function change(server: MessageServer, random: Random): void {
  const ids = [...server.messages.keys()];
  const some = () => random.shuffle(ids).slice(0, 1 + random.upTo(3));
  const channelId = random.pick([4, 5, 6, 7]);
  const actions = [
    () =>
      server.send({
        ...(random.upTo(5) > 0 && { channelId, topic: random.pick(topics) }),
        senderId: random.pick([2, 3]),
        content: random.pick(["<p>a</p>", "<p>b</p>"]),
        flags: random.pick([[], ["read"], ["mentioned"]]),
      }),
    () => server.delete(random.pick(ids)),
    () => server.edit(random.pick(ids), random.pick(["<p>a2</p>", "<p>b2</p>"])),
    () => server.move(some(), random.pick(topics)),
    () => server.flag(some(), random.pick(["add", "remove"]), "starred"),
    () => server.react(random.pick(ids)),
    () => server.follow(channelId, random.pick(topics)),
    () => server.unsubscribe(random.pick([5, 7])),
    () => server.subscribe(random.pick([5, 7])),
  ];
  random.pick(actions)();
}

async function runOnce(random: Random): Promise<void> {
  const server = new MessageServer();
  for (const id of [4, 5]) server.addChannel(id);
  server.addChannel(6, { isSubscribed: false });
  server.addChannel(7, { isPrivate: true });
  for (let at = 0; at < 250; at++)
    server.send({ channelId: random.pick([4, 4, 4, 5, 6, 7]), topic: random.pick(topics) });
  const client: MessageClient = await startMessageClient(server);
  const open: OpenWindow[] = [];
  const tops = new Map<OpenWindow, number>();
  const steps = [
    async () => {
      const one: OpenWindow = await client.open(random.pick(narrows), { topOfView: () => tops.get(one) });
      open.push(one);
    },
    async () => open.splice(random.upTo(open.length), 1)[0]?.close(),
    async () => void open[random.upTo(open.length)]?.loadOlder(),
    async () => void open[random.upTo(open.length)]?.jumpToNewest(),
    async () => {
      const one = open[random.upTo(open.length)];
      if (one && one.window.ids.length > 0) tops.set(one, random.pick(one.window.ids));
    },
    async () => server.release(random.upTo(server.held.length + 1)),
    async () => {
      server.isHolding = !server.isHolding;
    },
    async () => {
      server.isMute = true;
    },
    async () => server.speak(),
    async () => server.held.splice(0, 1)[0]?.fail(),
    async () => void (random.upTo(4) === 0 && server.loseQueue()),
    async () => client.pass(random.pick([10, 300, 3000])),
  ];
  for (let step = 0; step < STEPS; step++) {
    // What happens while answers are held has to reach the client before them.
    for (let at = random.upTo(6); at > 0; at--) change(server, random);
    await client.pass(2);
    await random.pick(steps)();
    await client.pass(1);
  }
  server.isHolding = false;
  server.speak();
  server.release();
  // The longest waits after failures are half a minute.
  await client.pass(100_000);
  for (const window of open) {
    const { shown, expected } = compare(server, client, window);
    expect(shown, window.window.key).toEqual(expected);
    checkInvariants(window.window);
  }
  await client.stop();
}

test("whatever happens while pages are on their way, a window shows in the end what a fresh start would", async () => {
  vi.useFakeTimers();
  const seed = Number(process.env.SEED ?? Math.floor(Math.random() * 2 ** 31));
  for (let run = 0; run < RUNS; run++) {
    try {
      await runOnce(new Random(seed + run));
    } catch (error) {
      throw new Error(`SEED=${seed + run}`, { cause: error });
    }
  }
}, 60_000);
