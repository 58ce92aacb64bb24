import pino from "pino";
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import type { Position } from "../../api/ids.ts";
import { openServices } from "../../server/app.ts";
import type { Channel } from "../../server/channels/channel.ts";
import { subscribe, unsubscribe } from "../../server/channels/subscriptions/subscribe.ts";
import { subscribers } from "../../server/channels/subscriptions/subscribers.ts";
import { sendMessage } from "../../server/messages/send/send.ts";
import { dispatcherOfModules } from "../../server/modules.ts";
import { type User, users } from "../../server/people/user.ts";
import { sql } from "../../server/platform/db/sql.ts";
import { runStateChange } from "../../server/platform/log/change.ts";
import { LogFollower } from "../../server/platform/log/log-follower.ts";
import { queuesOf } from "../../server/platform/queues/organization-queues.ts";
import { Queues } from "../../server/platform/queues/queues.ts";
import { createHarness, type Harness, serverConnections } from "../harness/harness.ts";
import { Node, type Received } from "../harness/node.ts";

const ada = "ada@demo.test";
const dev = "dev@demo.test";
const elin = "elin@demo.test";

let harness: Harness;
let one: Node;
let two: Node;
let channel: Channel;
let channels = 0;

beforeAll(async () => {
  harness = await createHarness({}, serverConnections);
  one = await startNode();
  two = await startNode();
});

beforeEach(async () => {
  channels++;
  channel = await harness.channel(`private ${channels}`, ["ada", "dev", "elin"], { isPrivate: true });
  await Promise.all([one.state.catchUp(), two.state.catchUp()]);
});

afterAll(async () => {
  await one.stop();
  await two.stop();
  await harness.close();
});

function startNode(): Promise<Node> {
  return Node.start(harness.services.config, harness.services.database.connection, {
    organizationId: harness.state.organizationId,
  });
}

const contents = (received: Received[]) => received.map((each) => each.content);
const isHeld = (node: Node, queueId: string) => queuesOf(node.state).byId.get(queueId)?.held !== undefined;

/**
 * Begins a poll and waits until it is held. The promise is in an object, because a bare one would be awaited.
 */
async function hold(node: Node, email: string, queueId: string, lastEventId: number) {
  const answer = node.poll(email, queueId, lastEventId);
  await expect.poll(() => isHeld(node, queueId)).toBe(true);
  return { answer };
}

describe("two servers on one database", () => {
  test("messages sent through one reach a queue of the other at once", async () => {
    const queueId = await two.open(elin);
    // The check of the heads would bring each of them, too, a second later.
    const check = vi.spyOn(LogFollower.prototype, "look").mockResolvedValue();
    let last = -1;
    for (let count = 0; count < 6; count++) {
      const waiting = two.poll(elin, queueId, last);
      await one.say(dev, channel, `number ${count}`);
      const received = await waiting;
      expect(contents(received)).toEqual([`number ${count}`]);
      last = received[0]?.id as number;
    }
    check.mockRestore();
  });

  test("messages sent through both at once have the same order for everyone", async () => {
    const queues = [await one.open(elin), await two.open(ada)];
    await Promise.all(
      Array.from({ length: 60 }, (_, index) => (index % 2 ? one : two).say(dev, channel, `at once ${index}`)),
    );
    const [heardByElin, heardByAda] = await Promise.all([
      one.receive(elin, queues[0] as string, 60),
      two.receive(ada, queues[1] as string, 60),
    ]);
    expect(heardByElin).toEqual(heardByAda);
    const ids = heardByElin.map((each) => each.id);
    expect(ids).toEqual([...ids].sort((a, b) => a - b));
  });

  test("a user unsubscribed through one can't send through the other before it gets the change", async () => {
    await expect(two.say(dev, channel, "still welcome")).resolves.toBeGreaterThan(0);
    // The second node does not follow now, so its memory still has dev in the channel.
    const deaf = await openServices(
      harness.services.config,
      pino({ level: "silent" }),
      harness.services.database.connection,
    );
    const state = await deaf.organizations.byId(harness.state.organizationId);
    const user = state.get(users).find(harness.user("dev").id) as User;
    await runStateChange(one.state, (tx) => unsubscribe(tx, [channel], [one.viewer(dev).user]));
    expect(state.get(subscribers).has(channel.id, user.id)).toBe(true);
    const sending = sendMessage(
      { state, user, client: "test" },
      {
        to: { kind: "channel", channel: { id: channel.id }, topic: "nodes" },
        content: "x",
        localEcho: null,
        readBySender: null,
      },
    );
    await expect(sending).rejects.toThrow("Not authorized to send");
    await deaf.database.close();
  });

  test("a user unsubscribed through one receives no later messages through the other", async () => {
    const queueId = await two.open(elin);
    const target = [one.viewer(elin).user];
    await one.say(dev, channel, "for elin too");
    await runStateChange(one.state, (tx) => unsubscribe(tx, [channel], target));
    await one.say(dev, channel, "for the others");
    await runStateChange(one.state, (tx) => subscribe(tx, [channel], target));
    await one.say(dev, channel, "for elin again");
    expect(contents(await two.receive(elin, queueId, 2))).toEqual(["for elin too", "for elin again"]);
  });

  test("a node that receives a head beyond the log soon stops looking for it", async () => {
    let count = 0;
    const catchUp = one.state.catchUp.bind(one.state);
    one.state.catchUp = () => {
      count++;
      return catchUp();
    };
    one.state.follow((one.state.position + 1000) as Position);
    const underWay = one.state.catchUp();
    one.state.follow((one.state.position + 1000) as Position);
    await underWay;
    // An endless loop would show here.
    for (let turn = 0; turn < 5; turn++) await one.services.database.query(sql`select 1`);
    expect(count).toBeLessThanOrEqual(3);
    one.state.catchUp = catchUp;
  });
});

describe("a queue on two servers", () => {
  test("is served by both, each event once and in order", async () => {
    const queueId = await one.open(elin);
    const said = Array.from({ length: 40 }, (_, index) => `message ${index}`);
    const sending = (async () => {
      for (const [index, content] of said.entries()) await (index % 2 ? one : two).say(dev, channel, content);
    })();
    const received: Received[] = [];
    for (let turn = 0; received.length < said.length; turn++) {
      const node = turn % 2 ? one : two;
      received.push(...(await node.poll(elin, queueId, received.at(-1)?.id ?? -1)));
    }
    await sending;
    expect(contents(received)).toEqual(said);
  });

  test("goes on at the other when one crashes", async () => {
    const third = await startNode();
    const queueId = await third.open(elin);
    await third.say(dev, channel, "before");
    const before = await third.receive(elin, queueId, 1);
    await third.crash();
    await one.say(dev, channel, "after");
    const after = await two.poll(elin, queueId, before[0]?.id as number);
    expect(contents(after)).toEqual(["after"]);
  });

  test("is released by one when it is polled at the other, and the older poll ends empty", async () => {
    const queueId = await one.open(elin);
    const { answer: older } = await hold(one, elin, queueId, -1);
    const { answer: newer } = await hold(two, elin, queueId, -1);
    expect(await older).toEqual([]);
    await one.say(dev, channel, "for the newer poll");
    expect(contents(await newer)).toEqual(["for the newer poll"]);
    expect(queuesOf(one.state).byId.get(queueId)).toMatchObject({
      isCold: true,
      pending: [],
      held: undefined,
    });
  });

  test("keeps the newer poll when a notice of an older one comes late", async () => {
    const queueId = await one.open(elin);
    await one.say(dev, channel, "the first");
    const [first] = (await one.receive(elin, queueId, 1)) as [Received];
    const { answer } = await hold(one, elin, queueId, first.id);
    const told = vi.spyOn(one.services.bus, "publishQueues");
    one.services.queues.receive(one.state, [{ queueId, cursor: (first.id - 1) as Position }]);
    expect(isHeld(one, queueId)).toBe(true);
    // The node that sent the notice gets a newer one.
    await expect.poll(() => told).toHaveBeenCalled();
    expect(told.mock.calls[0]?.[1]).toEqual([{ queueId, cursor: first.id }]);
    told.mockRestore();
    await one.say(dev, channel, "the second");
    expect(contents(await answer)).toEqual(["the second"]);
  });

  test("is released within a minute even if no notice says that it is polled at the other", async () => {
    const queueId = await one.open(elin);
    await one.say(dev, channel, "x");
    const { answer: older } = await hold(
      one,
      elin,
      queueId,
      (await one.receive(elin, queueId, 1))[0]?.id as number,
    );
    const silence = vi.spyOn(two.services.bus, "publishQueues").mockImplementation(() => {});
    const deafness = vi.spyOn(one.state, "follow").mockImplementation(() => {});
    await two.say(dev, channel, "y");
    const [, second] = (await two.receive(elin, queueId, 2)) as [Received, Received];
    const { answer: newer } = await hold(two, elin, queueId, second.id);
    await two.services.queues.save();
    expect(isHeld(one, queueId)).toBe(true);
    await one.services.queues.collect();
    expect(await older).toEqual([]);
    silence.mockRestore();
    deafness.mockRestore();
    await two.say(dev, channel, "z");
    expect(contents(await newer)).toEqual(["z"]);
  });

  test("that is deleted through one disappears from the other, and its poll ends", async () => {
    const queueId = await one.open(elin);
    const { answer } = await hold(two, elin, queueId, -1);
    await one.services.queues.remove(one.state, one.viewer(elin).user.id, queueId);
    expect(await answer).toEqual([]);
    await expect(two.poll(elin, queueId, -1)).rejects.toThrow("Bad event queue ID");
  });

  test("that is deleted without a notice disappears from the other within a second", async () => {
    const queueId = await one.open(elin);
    const silence = vi.spyOn(one.services.bus, "publishQueues").mockImplementation(() => {});
    const { answer } = await hold(two, elin, queueId, -1);
    await one.services.queues.remove(one.state, one.viewer(elin).user.id, queueId);
    await two.services.queues.save();
    expect(await answer).toEqual([]);
    await expect(two.poll(elin, queueId, -1)).rejects.toThrow("Bad event queue ID");
    silence.mockRestore();
  });

  test("takes no memory at the first once the second has served it for a while", async () => {
    let time = Date.now();
    const queues = new Queues(
      one.state.database,
      () => [one.state],
      dispatcherOfModules({ keyring: one.services.keyring, siteOf: () => "" }),
      () => {},
      () => time,
    );
    const queueId = await one.open(elin);
    const { answer } = await hold(two, elin, queueId, -1);
    await expect.poll(() => queuesOf(one.state).byId.get(queueId)?.isOurs).toBe(false);
    time += 61_000;
    await queues.collect();
    expect(queuesOf(one.state).byId.has(queueId)).toBe(false);
    await one.say(dev, channel, "still there");
    expect(contents(await answer)).toEqual(["still there"]);
  });

  test("survives when it is saved by a server whose clock is an hour slow", async () => {
    const hourAgo = Date.now() - 3600_000;
    const queueId = await one.open(elin);
    const slow = new Queues(
      one.state.database,
      () => [],
      dispatcherOfModules({ keyring: one.services.keyring, siteOf: () => "" }),
      () => {},
      () => hourAgo,
    );
    await one.services.database.query(
      sql`update event_queues set last_seen_at = now() - interval '9 minutes' where id = ${queueId}`,
    );
    const queue = await slow.access(one.state, one.viewer(elin).user.id, queueId);
    slow.touch(one.state, queue);
    await slow.save();
    const [row] = await one.services.database.query<{ age: number }>(
      sql`select extract(epoch from now() - last_seen_at)::float8 as age from event_queues where id = ${queueId}`,
    );
    expect(row?.age).toBeLessThan(10);
  });
});
