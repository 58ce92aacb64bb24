/**
 * Reactions, stars, marks as read, edits and joins of many people, as a share of the sends of the same run,
 * and the sends of 48 people while others star without a pause. All share the commits of one organization.
 */
import { median } from "./harness/figures.ts";
import type { Person } from "./harness/fixture.ts";
import type { LoadResult } from "./harness/load.ts";
import { size } from "./harness/options.ts";
import { HEAP_FLAGS, load, startParley } from "./harness/processes.ts";
import { checkRest, measureFsync, printTable, save } from "./harness/report.ts";
import { authorization, del, patch, post, sends } from "./harness/requests.ts";
import { scenario } from "./harness/scenario.ts";
import { each, type Spent, spending } from "./harness/used.ts";

const ROUNDS = size(3, 1);
const PEOPLE = 64;
const SENDERS = 48;
/** How many people star beside the senders. */
const BESIDE = [0, 4, 16];
const MESSAGES = 200;
/** How many messages everybody marks in a round: more than there is time for. */
const MARKED = size(900, 100);
/** How many texts a message that is edited has in turn. */
const VERSIONS = 20;
/** One a round, so that a reaction is never there already. */
const EMOJI = ["octopus", "tada", "rocket"];

interface Figures {
  what: string;
  perSecond: number;
  p50Ms: number;
  p99Ms: number;
  nodeMicroseconds: number | undefined;
  databaseMicroseconds: number | undefined;
}

await scenario(async () => {
  checkRest();
  const fsync = measureFsync();
  const parley = await startParley({ people: PEOPLE, keys: PEOPLE, subscribers: 10 });
  const { port, people } = parley;
  const messages = sends(parley.channelId, people);
  const time = { warmupSeconds: size(2, 0.2), seconds: size(5, 1) };
  const sending = { port, connections: PEOPLE, requests: messages, ...time };
  await load({ ...sending, seconds: size(2, 0.5) });
  const ids = await newest(port, people[0] as Person);
  await ask(port, people[0] as Person, "/users/me/subscriptions", { subscriptions: '[{"name":"joined"}]' });
  for (const person of people.slice(0, PEOPLE))
    await ask(port, person, "/users/me/subscriptions", { subscriptions: '[{"name":"marked"}]' });
  const own = await ownMessages(port, people, parley.channelId);

  const rounds: Figures[][] = [];
  const shares: (Record<"stars" | "reactions" | "marks" | "edits" | "joins", number> & {
    beside: number[];
  })[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const sent = await measure("sends", () => load(sending));
    const starred = await measure("stars", () => load({ ...sending, requests: stars(people, ids) }));
    const requests = reactions(people, ids, EMOJI[round] as string);
    const reacted = await measure("reactions", () => load({ ...sending, requests }));
    const unread = await sendUnread(port, people);
    const marked = await measure("marks as read", () =>
      load({ ...sending, requests: marks(people, unread) }),
    );
    const edited = await measure("edits", () => load({ ...sending, requests: edits(people, own) }));
    const joined = await measure("joins and leaves", () => load({ ...sending, requests: joins(people) }));
    const beside: Figures[] = [];
    for (const count of BESIDE) beside.push(...(await measureBeside(count)));
    rounds.push([sent, starred, reacted, marked, edited, joined, ...beside]);
    const sendsOnly = beside.filter(({ what }) => what.startsWith(`${SENDERS} senders`));
    shares.push({
      stars: starred.perSecond / sent.perSecond,
      reactions: reacted.perSecond / sent.perSecond,
      marks: marked.perSecond / sent.perSecond,
      edits: edited.perSecond / sent.perSecond,
      joins: joined.perSecond / sent.perSecond,
      beside: sendsOnly.slice(1).map(({ perSecond }) => perSecond / (sendsOnly[0] as Figures).perSecond),
    });
  }
  printTable(
    `small changes of ${PEOPLE} people at once; ${HEAP_FLAGS.join(" ")}; fdatasync ${fsync}/s`,
    rounds.flat().map(({ what, perSecond, p50Ms, p99Ms, nodeMicroseconds, databaseMicroseconds }) => ({
      what,
      "a second": perSecond,
      "p50 ms": p50Ms,
      "p99 ms": p99Ms,
      "node µs": nodeMicroseconds,
      "PostgreSQL µs": databaseMicroseconds,
    })),
  );
  const middle = (read: (share: (typeof shares)[number]) => number) => median(shares.map(read)).toFixed(2);
  const verbs = ["stars", "reactions", "marks", "edits", "joins"] as const;
  const middles = verbs.map((verb) => `${verb} ${middle((share) => share[verb])}`);
  console.log(`\nof the sends a second: ${middles.join(", ")}`);
  BESIDE.slice(1).forEach((count, index) => {
    const share = middle(({ beside }) => beside[index] as number);
    console.log(`of ${SENDERS} people's sends a second remain beside ${count} who star: ${share}`);
  });
  save("small-changes", { fsync, shares, rounds });

  async function measure(what: string, work: () => Promise<LoadResult>): Promise<Figures> {
    const { result, spent } = await spending(parley, work);
    return figures(what, result, result.answers, spent);
  }

  /** Senders and people who star at the same time. The processor time is that of both. */
  async function measureBeside(count: number): Promise<Figures[]> {
    const senders = { ...sending, connections: SENDERS };
    const starring = { ...sending, connections: count, requests: stars(people, ids) };
    const { result, spent } = await spending(parley, () =>
      Promise.all([load(senders), ...(count > 0 ? [load(starring)] : [])]),
    );
    const answers = result.reduce((sum, each) => sum + each.answers, 0);
    const [sent, starred] = result as [LoadResult, LoadResult | undefined];
    return [
      figures(`${SENDERS} senders beside ${count} who star`, sent, answers, spent),
      ...(starred ? [figures(`the ${count} who star`, starred, answers, spent)] : []),
    ];
  }
});

function figures(what: string, result: LoadResult, answers: number, spent: Spent): Figures {
  return {
    what,
    perSecond: result.perSecond,
    p50Ms: result.p50Ms,
    p99Ms: result.p99Ms,
    nodeMicroseconds: each(spent.nodeSeconds, answers),
    databaseMicroseconds: each(spent.databaseSeconds, answers),
  };
}

async function newest(port: number, person: Person): Promise<number[]> {
  const query = new URLSearchParams({
    anchor: "newest",
    num_before: String(MESSAGES - 1),
    num_after: "0",
  });
  const response = await fetch(`http://127.0.0.1:${port}/api/v1/messages?${query}`, {
    headers: { authorization: authorization(person) },
  });
  const { messages } = (await response.json()) as { messages: { id: number }[] };
  return messages.map(({ id }) => id);
}

/** One message of each person, in topics of their own. */
async function ownMessages(port: number, people: readonly Person[], channelId: number): Promise<number[]> {
  const ids: number[] = [];
  for (const [index, person] of people.entries()) {
    const place = { type: "channel", to: String(channelId), topic: `own ${index}` };
    const { id } = await ask(port, person, "/messages", { ...place, content: "As it was." });
    ids.push(id);
  }
  return ids;
}

async function ask(
  port: number,
  person: Person,
  path: string,
  parameters: Record<string, string>,
): Promise<{ id: number }> {
  const response = await fetch(`http://127.0.0.1:${port}/api/v1${path}`, {
    method: "POST",
    headers: { authorization: authorization(person) },
    body: new URLSearchParams(parameters),
  });
  if (!response.ok) throw new Error(await response.text());
  return (await response.json()) as { id: number };
}

/** Each person changes the text of their own message again and again. */
function edits(people: readonly Person[], ids: readonly number[]): string[] {
  return Array.from({ length: VERSIONS }, (_, version) =>
    people.map((person, index) =>
      patch(person, `/messages/${ids[index]}`, { content: `As it is **now**, ${version}.` }),
    ),
  ).flat();
}

/** New messages of a channel that everybody is subscribed to. */
async function sendUnread(port: number, people: readonly Person[]): Promise<number[]> {
  const ids: number[] = [];
  const place = { type: "channel", to: "marked", topic: "news" };
  while (ids.length < MARKED) {
    const answers = people.map((person) => ask(port, person, "/messages", { ...place, content: "News." }));
    ids.push(...(await Promise.all(answers)).map(({ id }) => id));
  }
  return ids.sort((one, other) => one - other);
}

/** Each person marks one message after the other as read. Neighbours are of different people. */
function marks(people: readonly Person[], ids: readonly number[]): string[] {
  return ids.flatMap((id) =>
    people.map((person) =>
      post(person, "/messages/flags", { messages: JSON.stringify([id]), op: "add", flag: "read" }),
    ),
  );
}

/** Each person joins one channel and then leaves it. */
function joins(people: readonly Person[]): string[] {
  const path = "/users/me/subscriptions";
  return [
    ...people.map((person) => post(person, path, { subscriptions: '[{"name":"joined"}]' })),
    ...people.map((person) => del(person, path, { subscriptions: '["joined"]' })),
  ];
}

/** Each person stars each message and then takes the star away. Neighbours are of different people. */
function stars(people: readonly Person[], ids: readonly number[]): string[] {
  return ["add", "remove"].flatMap((op) =>
    ids.flatMap((id) =>
      people.map((person) =>
        post(person, "/messages/flags", { messages: JSON.stringify([id]), op, flag: "starred" }),
      ),
    ),
  );
}

/**
 * Each person reacts to each message and then takes the reaction away. Neighbours are on different messages.
 */
function reactions(people: readonly Person[], ids: readonly number[], emoji: string): string[] {
  return [post, del].flatMap((request) =>
    ids.flatMap((_, index) =>
      people.map((person, place) =>
        request(person, `/messages/${ids[(index + place) % ids.length]}/reactions`, { emoji_name: emoji }),
      ),
    ),
  );
}
