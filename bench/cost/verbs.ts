/**
 * The verbs of a working day whose costs the ledger has (docs/costs.md). The test of the ledger and the
 * benchmark `cost` both make these calls, each in a world of its own.
 */

export type Who = "caller" | "other" | "nobody";

export interface Call {
  as: Who;
  method: "GET" | "POST" | "PATCH" | "DELETE";
  path: string;
  params: Record<string, unknown>;
}

/** Where the calls are made: two members in one channel, and somebody without credentials. */
export interface World {
  channelId: number;
  /** The member who reads what the caller does. */
  otherId: number;
  /** What the caller signs in with. */
  login: { username: string; password: string };
  /** What the server calls for a bot with a program. */
  programUrl: string;
  /** Makes a call that is not measured. Returns the body of the answer; throws if it is not a success. */
  // biome-ignore lint/suspicious/noExplicitAny: the benchmark and the test both know what they ask.
  ask(call: Call): Promise<any>;
  /** The address of a picture that the caller has uploaded. */
  uploadPicture(): Promise<string>;
  /** Lets the followers of the log do what they have to do so far. */
  rest(): Promise<void>;
}

export interface Verb {
  /** As in the ledger and in its page. */
  name: string;
  /** Does what must be done before, and returns so many calls to measure, which are made one by one. */
  prepare(world: World, count: number): Promise<readonly Call[]>;
  /** Removes what would make later calls dearer. `answers`: the bodies of the measured calls. */
  // biome-ignore lint/suspicious/noExplicitAny: as above.
  finish?(world: World, calls: readonly Call[], answers: readonly any[]): Promise<void>;
}

const TEXT = "Is there **soup** at noon, or only what was left of yesterday's?";
const PAGE = 100;

export const verbs: readonly Verb[] = [
  { name: "send to a channel", prepare: async (world, count) => same(count, sendTo(world)) },
  {
    name: "direct message",
    prepare: async ({ otherId }, count) => same(count, direct(otherId)),
  },
  {
    name: "send with a picture",
    async prepare(world, count) {
      const urls = await many(count, () => world.uploadPicture());
      return urls.map((url) => sendTo(world, { content: `[soup.png](${url})` }));
    },
  },
  {
    name: "send to a bot with a program",
    async prepare(world, count) {
      return same(count, direct(await findBot(world)));
    },
  },
  {
    name: "edit",
    async prepare(world, count) {
      const ids = await sendMany(world, count, "caller");
      return ids.map((id) => caller("PATCH", `/messages/${id}`, { content: `${TEXT} (No.)` }));
    },
  },
  {
    name: "react",
    async prepare(world, count) {
      const ids = await sendMany(world, count, "other");
      return ids.map((id) => caller("POST", `/messages/${id}/reactions`, { emoji_name: "tada" }));
    },
  },
  { name: "mark one read", prepare: (world, count) => flag(world, count, "read") },
  { name: "star", prepare: (world, count) => flag(world, count, "starred") },
  {
    name: "typing",
    prepare: async ({ channelId }, count) =>
      same(
        count,
        caller("POST", "/typing", { op: "start", type: "channel", stream_id: channelId, topic: "lunch" }),
      ),
  },
  {
    name: "presence",
    prepare: async (_world, count) =>
      same(count, caller("POST", "/users/me/presence", { status: "active", last_update_id: -1 })),
  },
  {
    // What is not acknowledged is answered again, so each of the polls gets the same event.
    name: "poll for events",
    async prepare(world, count) {
      const { queue_id, last_event_id } = await world.ask(
        caller("POST", "/register", { event_types: ["message"], fetch_event_types: [] }),
      );
      await world.ask(sendTo(world, {}, "other"));
      return same(count, caller("GET", "/events", { queue_id, last_event_id, dont_block: true }));
    },
    async finish(world, [poll]) {
      if (poll) await endQueue(world, poll.params.queue_id);
    },
  },
  {
    name: "register",
    prepare: async (_world, count) => same(count, caller("POST", "/register", {})),
    async finish(world, _calls, answers) {
      for (const { queue_id } of answers) await endQueue(world, queue_id);
    },
  },
  {
    name: "a page of history",
    async prepare(world, count) {
      await once(world, "page", () => sendMany(world, PAGE, "other"));
      const narrow = [{ operator: "channel", operand: world.channelId }];
      const page = { anchor: "newest", num_before: PAGE, num_after: 0, narrow };
      return same(count, caller("GET", "/messages", page));
    },
  },
  {
    name: "search",
    async prepare(world, count) {
      await once(world, "word", async () => {
        await world.ask(sendTo(world, { content: "Who has the key of the greenhouse?" }, "other"));
        await world.rest();
      });
      const narrow = [{ operator: "search", operand: "greenhouse" }];
      return same(
        count,
        caller("GET", "/messages", { anchor: "newest", num_before: PAGE, num_after: 0, narrow }),
      );
    },
  },
  {
    name: "join",
    async prepare(world, count) {
      const first = ++channelsMade;
      channelsMade += count;
      const names = Array.from({ length: count }, (_, index) => `joined ${first + index}`);
      for (const name of names) await world.ask({ ...joining(name), as: "other" });
      return names.map(joining);
    },
  },
  {
    name: "sign-in",
    prepare: async ({ login }, count) =>
      same(count, { as: "nobody", method: "POST", path: "/session", params: login }),
  },
];

let channelsMade = 0;

function caller(method: Call["method"], path: string, params: Call["params"]): Call {
  return { as: "caller", method, path, params };
}

function sendTo({ channelId }: World, more: { content?: string } = {}, as: Who = "caller"): Call {
  const params = { type: "channel", to: channelId, topic: "lunch", content: TEXT, ...more };
  return { as, method: "POST", path: "/messages", params };
}

function direct(userId: number): Call {
  return caller("POST", "/messages", { type: "direct", to: [userId], content: TEXT });
}

function joining(name: string): Call {
  return caller("POST", "/users/me/subscriptions", { subscriptions: [{ name }] });
}

async function flag(world: World, count: number, name: string): Promise<Call[]> {
  const ids = await sendMany(world, count, "other");
  return ids.map((id) => caller("POST", "/messages/flags", { op: "add", flag: name, messages: [id] }));
}

async function sendMany(world: World, count: number, as: Who): Promise<number[]> {
  const sent = await many(count, () => world.ask(sendTo(world, {}, as)));
  return sent.map(({ id }) => id);
}

/** The bot of the world, which is made by the first who asks. */
async function findBot({ ask, programUrl }: World): Promise<number> {
  const { bots } = await ask(caller("GET", "/bots", {}));
  const [known] = bots as { user_id: number }[];
  if (known) return known.user_id;
  const bot = { full_name: "Kitchen Bot", short_name: "kitchen", bot_type: 3, payload_url: programUrl };
  return (await ask(caller("POST", "/bots", bot))).user_id;
}

const done = new WeakMap<World, Set<string>>();

/** Does something that must be done once in a world. */
async function once(world: World, what: string, work: () => Promise<unknown>): Promise<void> {
  const known = done.get(world) ?? new Set();
  if (known.has(what)) return;
  done.set(world, known.add(what));
  await work();
}

async function endQueue({ ask }: World, queueId: unknown): Promise<void> {
  await ask(caller("DELETE", "/events", { queue_id: queueId }));
}

async function many<T>(count: number, make: () => Promise<T>): Promise<T[]> {
  const made: T[] = [];
  while (made.length < count) made.push(await make());
  return made;
}

function same(count: number, call: Call): Call[] {
  return Array.from({ length: count }, () => call);
}
