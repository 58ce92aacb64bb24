/**
 * A node without HTTP, in its own process on a database that the parent names. It measures the throughput
 * and memory of the engine alone.
 */

import pino from "pino";
import { roles } from "../../api/roles.ts";
import { openServices } from "../../server/app.ts";
import { readConfig } from "../../server/config.ts";
import { batcherOf, sendMessage } from "../../server/messages/send/send.ts";
import { type User, users } from "../../server/people/user.ts";
import type { Viewer } from "../../server/people/viewer/viewer.ts";
import { LogFollower } from "../../server/platform/log/log-follower.ts";
import type { OrganizationState } from "../../server/platform/log/organization-state.ts";
import { Queue } from "../../server/platform/queues/queue.ts";
import type { Small } from "./many-organizations.ts";
import { makeMessages } from "./messages.ts";

export type Question =
  | { ask: "load"; organizations: Small[] }
  /** Sends to each of the organizations at once. */
  | {
      ask: "send";
      organizations: Small[];
      senders: number;
      seconds: number;
      notifies: boolean;
      most?: number;
    }
  /** Adds queues to the first organization's memory; nobody polls them. */
  | { ask: "queues"; organizations: Small[]; count: number }
  | { ask: "look" };

export interface Sent {
  messages: number;
  batches: number;
  seconds: number;
  nodeSeconds: number;
}

export interface Grown {
  heapBytes: number;
  milliseconds: number;
}

const services = await openServices(
  readConfig({ PARLEY_ENV: "development" }),
  pino({ level: "error" }, pino.destination(2)),
  JSON.parse(process.env.BENCH_CONNECTION as string),
);
const follower = new LogFollower(services, console.error);
await follower.start();
const publish = services.bus.publish.bind(services.bus);
const texts = makeMessages(1500);

process.on("message", async (question: Question) => {
  process.send?.(await answer(question));
});
process.on("disconnect", () => process.exit(0));
process.send?.({});

function answer(question: Question): Promise<Sent | Grown> {
  if (question.ask === "load") return grow(() => load(question.organizations));
  if (question.ask === "send") return send(question);
  if (question.ask === "queues") return grow(() => addQueues(question.organizations, question.count));
  return grow(() => follower.look());
}

async function load(organizations: readonly Small[]): Promise<OrganizationState[]> {
  const states: OrganizationState[] = [];
  for (const { organizationId } of organizations)
    states.push(await services.organizations.byId(organizationId));
  return states;
}

async function send({
  organizations,
  senders,
  seconds,
  notifies,
  most = Number.POSITIVE_INFINITY,
}: Question & { ask: "send" }): Promise<Sent> {
  services.bus.publish = notifies ? publish : () => {};
  const states = await load(organizations);
  const before = countsOf(states);
  const cpu = process.cpuUsage();
  const startedAt = performance.now();
  const endsAt = startedAt + seconds * 1000;
  await Promise.all(
    states.flatMap((state, index) =>
      Array.from({ length: senders }, () =>
        keepSending(state, organizations[index] as Small, { endsAt, most }),
      ),
    ),
  );
  const { user, system } = process.cpuUsage(cpu);
  const after = countsOf(states);
  return {
    messages: after.messages - before.messages,
    batches: after.batches - before.batches,
    seconds: (performance.now() - startedAt) / 1000,
    nodeSeconds: (user + system) / 1e6,
  };
}

async function keepSending(
  state: OrganizationState,
  { channelId }: Small,
  { endsAt, most }: { endsAt: number; most: number },
): Promise<void> {
  const user = [...state.get(users).all()].find(({ role }) => role === roles.member) as User;
  const viewer: Viewer = { state, user, client: "bench" };
  for (let count = 0; count < most && performance.now() < endsAt; count++) {
    await sendMessage(viewer, {
      to: { kind: "channel", channel: { id: channelId }, topic: `topic ${count % 20}` },
      content: texts[count % texts.length] as string,
      localEcho: null,
      readBySender: null,
    });
  }
}

function countsOf(states: readonly OrganizationState[]): { messages: number; batches: number } {
  const all = states.map((state) => batcherOf(state).counts);
  return {
    messages: all.reduce((sum, { messages }) => sum + messages, 0),
    batches: all.reduce((sum, { batches }) => sum + batches, 0),
  };
}

async function addQueues(organizations: readonly Small[], count: number): Promise<void> {
  const [state] = (await load(organizations.slice(0, 1))) as [OrganizationState];
  const people = [...state.get(users).all()].filter(({ role }) => role === roles.member);
  for (let index = 0; index < count; index++) {
    services.queues.add(state, queueOf(state, people[index % people.length] as User));
  }
}

function queueOf(state: OrganizationState, user: User): Queue {
  return new Queue({
    id: crypto.randomUUID(),
    userId: user.id,
    options: {
      eventTypes: ["message"],
      narrow: [],
      allPublicStreams: false,
      applyMarkdown: true,
      clientGravatar: true,
      slimPresence: false,
      includeSubscribers: "false",
      capabilities: {},
    },
    lifespanSeconds: 600,
    startedAt: state.position,
    cursor: state.position,
    isCold: false,
    isOurs: true,
    lastSeenAt: Date.now(),
  });
}

async function grow(work: () => Promise<unknown>): Promise<Grown> {
  const before = heap();
  const startedAt = performance.now();
  await work();
  const milliseconds = performance.now() - startedAt;
  return { heapBytes: heap() - before, milliseconds };
}

function heap(): number {
  globalThis.gc?.();
  globalThis.gc?.();
  return process.memoryUsage().heapUsed;
}
