import pino from "pino";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { openServices } from "../../server/app.ts";
import type { Channel } from "../../server/channels/channel.ts";
import { subscribe, unsubscribe } from "../../server/channels/subscribe.ts";
import { subscribers } from "../../server/channels/subscribers.ts";
import type { Delivery } from "../../server/events/entry.ts";
import { Follower } from "../../server/events/follower.ts";
import type { Live } from "../../server/events/live.ts";
import type { Queue } from "../../server/events/queue.ts";
import { register } from "../../server/events/register.ts";
import { changeState } from "../../server/events/transaction.ts";
import { sendMessage } from "../../server/messages/send.ts";
import type { Services } from "../../server/services.ts";
import { users } from "../../server/users/user.ts";
import type { Viewer } from "../../server/viewer.ts";
import { type CastName, createWorld, type World } from "../world.ts";

/** One of several servers on the world's database. */
interface Node {
  services: Services;
  live: Live;
  as(name: CastName): Viewer;
  stop(): Promise<void>;
}

let w: World;
let one: Node;
let two: Node;
let channel: Channel;
let channels = 0;

beforeAll(async () => {
  w = await createWorld();
  one = await startNode();
  two = await startNode();
});

beforeEach(async () => {
  channels++;
  channel = await w.channel(`private ${channels}`, ["ada", "dev", "elin"], { isPrivate: true });
  await Promise.all([one.live.catchUp(), two.live.catchUp()]);
});

afterAll(async () => {
  await one.stop();
  await two.stop();
  await w.close();
});

async function startNode(): Promise<Node> {
  const services = await openServices(
    w.services.config,
    pino({ level: "silent" }),
    w.services.database.connection,
  );
  const live = await services.organizations.byId(w.live.organizationId);
  const follower = new Follower(
    services.database,
    () => services.organizations.loaded,
    () => {},
  );
  await follower.start();
  return {
    services,
    live,
    as: (name) => ({ live, user: live.get(users).find(w.user(name).id) as Viewer["user"], client: "test" }),
    async stop() {
      await follower.stop();
      await services.queues.stop();
      await services.database.close();
    },
  };
}

function say(node: Node, name: CastName, content: string) {
  return sendMessage(node.as(name), {
    to: { kind: "channel", channel: { id: channel.id }, topic: "nodes" },
    content,
    localEcho: null,
    readBySender: null,
  });
}

async function openQueue(node: Node, name: CastName): Promise<string> {
  const { queueId } = await register(node.live, node.services.queues, [], {
    viewer: node.as(name),
    options: {
      eventTypes: ["message"],
      narrow: [],
      allPublicStreams: false,
      applyMarkdown: false,
      clientGravatar: false,
      slimPresence: false,
      includeSubscribers: "false",
      capabilities: {},
    },
    fetchEventTypes: [],
    lifespanSeconds: 600,
    presenceHistoryLimitDays: 14,
    baseUrl: "http://demo.test",
  });
  return queueId as string;
}

interface Received {
  id: number;
  content: string;
}

/** Polls through a node until something comes. */
async function poll(node: Node, name: CastName, queueId: string, lastEventId: number): Promise<Received[]> {
  const deliveries = await new Promise<readonly Delivery[]>((resolve, reject) => {
    node.services.queues
      .poll(node.live, node.as(name).user.id, { queueId, lastEventId, dontBlock: false }, resolve)
      .catch(reject);
  });
  return deliveries.map((delivery) => {
    const event = JSON.parse(delivery.json);
    return { id: event.id, content: event.message.content };
  });
}

async function receive(node: Node, name: CastName, queueId: string, count: number): Promise<Received[]> {
  const received: Received[] = [];
  while (received.length < count)
    received.push(...(await poll(node, name, queueId, received.at(-1)?.id ?? -1)));
  return received;
}

describe("two servers on one database", () => {
  test("a message that one takes reaches a queue of the other at once", async () => {
    const queueId = await openQueue(two, "elin");
    const startedAt = performance.now();
    const waiting = poll(two, "elin", queueId, -1);
    await say(one, "dev", "through the other one");
    expect((await waiting).map((each) => each.content)).toEqual(["through the other one"]);
    // Without the wake-up it would be found by the look that comes once a second.
    expect(performance.now() - startedAt).toBeLessThan(900);
  });

  test("either serves a queue that the other made, each event once and in order", async () => {
    const queueId = await openQueue(one, "elin");
    const contents = Array.from({ length: 40 }, (_, index) => `message ${index}`);
    const sending = (async () => {
      for (const [index, content] of contents.entries()) await say(index % 2 ? one : two, "dev", content);
    })();
    const received: Received[] = [];
    for (let turn = 0; received.length < contents.length; turn++) {
      const node = turn % 2 ? one : two;
      received.push(...(await poll(node, "elin", queueId, received.at(-1)?.id ?? -1)));
    }
    await sending;
    expect(received.map((each) => each.content)).toEqual(contents);
  });

  test("a queue goes on through the other when one is gone without a word", async () => {
    const third = await startNode();
    const queueId = await openQueue(third, "elin");
    await say(third, "dev", "before");
    const before = await receive(third, "elin", queueId, 1);
    // Ends its connections and saves nothing, as a crash does.
    await third.services.database.close();
    await say(one, "dev", "after");
    const after = await poll(two, "elin", queueId, before[0]?.id as number);
    expect(after.map((each) => each.content)).toEqual(["after"]);
  });

  test("messages that both take at once have one order for everyone", async () => {
    const queues = [await openQueue(one, "elin"), await openQueue(two, "ada")];
    await Promise.all(
      Array.from({ length: 60 }, (_, index) => say(index % 2 ? one : two, "dev", `at once ${index}`)),
    );
    const [elin, ada] = await Promise.all([
      receive(one, "elin", queues[0] as string, 60),
      receive(two, "ada", queues[1] as string, 60),
    ]);
    expect(elin).toEqual(ada);
    expect(elin.map((each) => each.id)).toEqual([...elin.map((each) => each.id)].sort((a, b) => a - b));
  });

  test("who was unsubscribed through one can't send through the other, even before it has heard of it", async () => {
    await expect(say(two, "dev", "still welcome")).resolves.toBeGreaterThan(0);
    // The second node does not follow now, so its memory still has dev in the channel.
    const deaf = await openServices(
      w.services.config,
      pino({ level: "silent" }),
      w.services.database.connection,
    );
    const live = await deaf.organizations.byId(w.live.organizationId);
    const dev = live.get(users).find(w.user("dev").id) as Viewer["user"];
    await changeState(one.live, (tx) => unsubscribe(tx, one.as("ada"), [channel], [one.as("dev").user]));
    expect(live.get(subscribers).has(channel.id, dev.id)).toBe(true);
    const sending = sendMessage(
      { live, user: dev, client: "test" },
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

  test("who was unsubscribed through one hears nothing more through the other", async () => {
    const queueId = await openQueue(two, "elin");
    await say(one, "dev", "for elin too");
    await changeState(one.live, (tx) => unsubscribe(tx, one.as("ada"), [channel], [one.as("elin").user]));
    await say(one, "dev", "for the others");
    await changeState(one.live, (tx) => subscribe(tx, one.as("ada"), [channel], [one.as("elin").user]));
    await say(one, "dev", "for elin again");
    const received = await receive(two, "elin", queueId, 2);
    expect(received.map((each) => each.content)).toEqual(["for elin too", "for elin again"]);
  });

  test("a queue that is deleted through one is gone from the other within a second", async () => {
    const queueId = await openQueue(one, "elin");
    await say(one, "dev", "to have something to poll for");
    await poll(two, "elin", queueId, -1);
    expect([...two.live.queues.keys()]).toContain(queueId);
    await one.services.queues.remove(one.live, one.as("elin").user.id, queueId);
    const queue = two.live.queues.get(queueId) as Queue;
    two.services.queues.touch(two.live, queue);
    await two.services.queues.save();
    await expect(poll(two, "elin", queueId, -1)).rejects.toThrow("Bad event queue ID");
  });
});
