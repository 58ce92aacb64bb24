/**
 * A listener of every role has queues of several forms while a scenario runs. The events that each received
 * are compared with what they can fetch. Nothing here asks the server's own delivery who should get an event.
 */

import pino from "pino";
import type { TProperties } from "typebox";
import { getChannel, getChannelTopics } from "../../api/channels/channels.ts";
import type { CallerParameters, Endpoint, Parameters, Reply } from "../../api/endpoint.ts";
import { deleteQueue, getEvents, registerQueue } from "../../api/integrations/real-time.ts";
import { getMessage, sendMessage } from "../../api/messages/messages.ts";
import { type Role as UserRole, roles as userRoles } from "../../api/roles.ts";
import { openServices } from "../../server/app.ts";
import type { Channel } from "../../server/channels/channel.ts";
import { createChannel } from "../../server/channels/create/create.ts";
import { subscribe, unsubscribe } from "../../server/channels/subscriptions/subscribe.ts";
import { createUser } from "../../server/people/actions.ts";
import { findEncryptedApiKey } from "../../server/people/api-key-store.ts";
import type { User } from "../../server/people/user.ts";
import { changeState } from "../../server/people/viewer/change.ts";
import { sql } from "../../server/platform/db/sql.ts";
import { runStateChange } from "../../server/platform/log/change.ts";
import type { Delivery } from "../../server/platform/log/log-entry.ts";
import type { OrganizationState } from "../../server/platform/log/organization-state.ts";
import { queuesOf } from "../../server/platform/queues/organization-queues.ts";
import type { Services } from "../../server/services.ts";
import { forms as clientForms } from "../harness/follow.ts";
import { createHarness, type Harness, HOST, OTHER_HOST } from "../harness/harness.ts";
import { type Kind, kindOptions, kinds } from "./expected-access.ts";
import { actors, type Role, roles } from "./people.ts";
import { call } from "./sample-call.ts";
import type { Caller, Client, Listener, Scene } from "./scenario.ts";

export type Relation = "subscribed" | "was subscribed" | "never";

const relations: readonly Relation[] = ["subscribed", "was subscribed", "never"];

/** A channel to which all listeners have the same relation. */
export interface ListenerScope {
  kind: Kind;
  relation: Relation;
  channel: Channel;
  /** A message from before any listener was subscribed. */
  earlier: number;
  /** A message from the time when the listeners who were ever subscribed were. */
  received: number;
}

/** The forms of queues that each listener has. */
export type Form = { title: string; client: Client; overhears: boolean; isNarrowed: boolean };

const forms: readonly Form[] = [
  { title: "a modern client", client: "modern", overhears: false, isNarrowed: false },
  { title: "a plain client", client: "plain", overhears: false, isNarrowed: false },
  { title: "a client of all public channels", client: "modern", overhears: true, isNarrowed: false },
  { title: "a client of one channel", client: "modern", overhears: false, isNarrowed: true },
];

// biome-ignore lint/suspicious/noExplicitAny: each event is checked against its declaration first.
export type Heard = { id: number; type: string; op?: string } & Record<string, any>;

/** One queue of a listener. */
export interface ListeningQueue {
  role: Role;
  form: Form;
  queueId: string;
  userId: number;
}

export class Listeners {
  readonly harness: Harness;
  readonly olga: Caller;
  readonly listeners: ReadonlyMap<Role, Listener>;
  readonly #olga: User;
  readonly #pat: User;
  /** Another server on the same database, which delivers nothing by itself. */
  readonly #other: Services;
  #names = 0;

  private constructor(
    harness: Harness,
    other: Services,
    people: { olga: User; pat: User; olgaCalls: Caller },
  ) {
    this.harness = harness;
    this.#other = other;
    this.#olga = people.olga;
    this.#pat = people.pat;
    this.olga = people.olgaCalls;
    this.listeners = new Map(
      roles.flatMap((role) => {
        const name = actors[role];
        if (!name) return [];
        const { id, email, apiKey } = harness.user(name);
        return [
          [
            role,
            { id, email, call: callerOf(harness, role === "stranger" ? OTHER_HOST : HOST, email, apiKey) },
          ],
        ];
      }),
    );
  }

  static async open(): Promise<Listeners> {
    const harness = await createHarness({ PARLEY_RATE_LIMITS: "off" });
    const add = (email: string, fullName: string, role: UserRole) =>
      runStateChange(harness.state, (tx) =>
        createUser(tx, harness.services.keyring, { email, fullName, role, passwordHash: null }),
      );
    const olga = await add("olga@demo.test", "Olga Lund", userRoles.owner);
    const pat = await add("pat@demo.test", "Pat Moe", userRoles.member);
    await harness.as("ada").patch("/realm", { enable_spectator_access: true });
    const { config, database, keyring } = harness.services;
    const encrypted = await findEncryptedApiKey(database, harness.state.organizationId, olga.id);
    const olgaCalls = callerOf(harness, HOST, olga.email, keyring.decrypt(encrypted as Buffer));
    const other = await openServices(config, pino({ level: "silent" }), database.connection);
    return new Listeners(harness, other, { olga, pat, olgaCalls });
  }

  async close(): Promise<void> {
    await this.#other.database.close();
    await this.harness.close();
  }

  scene(): Scene {
    const { harness, olga } = this;
    const pat = { id: this.#pat.id as number, email: this.#pat.email };
    return { harness, olga, olgaId: this.#olga.id, pat, freshName: `fresh${++this.#names}`, begin: () => {} };
  }

  /** A channel of each kind for each relation. Former subscribers are still subscribed until `leave`. */
  async furnish(): Promise<ListenerScope[]> {
    const viewer = { state: this.harness.state, user: this.#olga, client: "test" };
    const listeners = [...this.listeners.keys()]
      .filter((role) => role !== "stranger")
      .map((role) => this.harness.user(actors[role] as "ada").user);
    const scopes = kinds.flatMap((kind) => relations.map((relation) => ({ kind, relation })));
    const made = await changeState(viewer, async (tx) => {
      const channels: Channel[] = [];
      for (const { kind, relation } of scopes) {
        const name = `${kind.replace(/\W+/g, " ")} ${relation} ${++this.#names}`;
        channels.push(await createChannel(tx, { name, ...kindOptions[kind] }));
      }
      await subscribe(tx, channels, [this.#olga]);
      return channels;
    });
    const earlier = await this.#sendTo(made);
    const joined = made.filter((_, index) => scopes[index]?.relation !== "never");
    await runStateChange(this.harness.state, (tx) => subscribe(tx, joined, listeners));
    const received = await this.#sendTo(made);
    return scopes.map((scope, index) => ({
      ...scope,
      channel: made[index] as Channel,
      earlier: earlier[index] as number,
      received: received[index] as number,
    }));
  }

  async #sendTo(channels: readonly Channel[]): Promise<number[]> {
    const message = { type: "channel" as const, topic: "lunch", content: "Soup today?" };
    return Promise.all(
      channels.map(async ({ id }) => (await this.olga(sendMessage, { ...message, to: id })).id),
    );
  }

  /** Ends the subscriptions of all listeners in these channels. */
  async leave(scopes: readonly ListenerScope[]): Promise<void> {
    if (scopes.length === 0) return;
    const listeners = [...this.listeners.keys()]
      .filter((role) => role !== "stranger")
      .map((role) => this.harness.user(actors[role] as "ada").user);
    await runStateChange(this.harness.state, (tx) =>
      unsubscribe(
        tx,
        scopes.map(({ channel }) => channel),
        listeners,
      ),
    );
  }

  /** Queues of every form for all listeners. `narrowedTo`: the channel of the narrowed queues. */
  async listen(narrowedTo: string): Promise<ListeningQueue[]> {
    const wanted = [...this.listeners].flatMap(([role, listener]) =>
      forms.filter((form) => !(form.overhears && role === "guest")).map((form) => ({ role, listener, form })),
    );
    return Promise.all(
      wanted.map(async ({ role, listener, form }) => {
        const { queue_id } = await listener.call(registerQueue, {
          ...clientForms[form.client],
          fetch_event_types: [],
          all_public_streams: form.overhears,
          ...(form.isNarrowed ? { narrow: [["channel", narrowedTo]] as [string, string][] } : undefined),
        });
        return { role, form, queueId: queue_id as string, userId: listener.id };
      }),
    );
  }

  /** The events that wait in a queue. */
  async hear(ear: ListeningQueue): Promise<Heard[]> {
    const listener = this.listeners.get(ear.role) as Listener;
    const { events } = await listener.call(getEvents, {
      queue_id: ear.queueId,
      last_event_id: -1,
      dont_block: true,
    });
    return events;
  }

  /** The events that another server finds in the log for the queue, as after a restart of this one. */
  async hearFromLog(ear: ListeningQueue): Promise<Heard[]> {
    const home = ear.role === "stranger" ? this.harness.otherState : this.harness.state;
    const state = await this.#other.organizations.byId(home.organizationId);
    await state.catchUp();
    forgetRecent(state);
    const deliveries = await new Promise<readonly Delivery[]>((resolve, reject) => {
      const request = { queueId: ear.queueId, lastEventId: -1, dontBlock: true };
      this.#other.queues.poll(state, ear.userId as User["id"], request, resolve).catch(reject);
    });
    const queue = queuesOf(state).byId.get(ear.queueId);
    if (queue) this.#other.queues.forget(state, queue);
    return deliveries.map(({ json }) => JSON.parse(json));
  }

  async stopListening(ears: readonly ListeningQueue[]): Promise<void> {
    await Promise.all(
      ears.map(({ role, queueId }) =>
        this.listeners
          .get(role)
          ?.call(deleteQueue, { queue_id: queueId })
          .catch(() => {}),
      ),
    );
  }
}

/** What the listeners can fetch at one time. Each thing is fetched once. */
export class Knowledge {
  readonly #hall: Listeners;
  readonly #asked = new Map<string, Promise<boolean>>();

  constructor(listeners: Listeners) {
    this.#hall = listeners;
  }

  seesChannel(role: Role, id: number): Promise<boolean> {
    return this.#ask(role, `channel ${id}`, (by) => by(getChannel, { stream_id: id }));
  }

  readsMessage(role: Role, id: number): Promise<boolean> {
    return this.#ask(role, `message ${id}`, (by) => by(getMessage, { message_id: id }));
  }

  /** Whether someone may read what is said in the channel. */
  readsChannel(role: Role, id: number): Promise<boolean> {
    return this.#ask(role, `topics of ${id}`, (by) => by(getChannelTopics, { stream_id: id }));
  }

  /** Whether the message no longer exists. */
  isGone(id: number): Promise<boolean> {
    const { state, services } = this.#hall.harness;
    return this.#remember(`gone ${id}`, async () => {
      const rows = await services.database.query(
        sql`select from messages where organization_id = ${state.organizationId} and id = ${id}`,
      );
      return rows.length === 0;
    });
  }

  /**
   * Whether someone was subscribed to the message's channel when it was sent, or to one where it was before.
   */
  received(role: Role, id: number): Promise<boolean> {
    const { state, services } = this.#hall.harness;
    const listener = this.#hall.listeners.get(role) as Listener;
    return this.#remember(`${role} received ${id}`, async () => {
      const rows = await services.database.query(sql`
        select from messages m
        left join message_edits e on e.organization_id = m.organization_id and e.message_id = m.id
        join subscriptions s on s.organization_id = m.organization_id
          and s.channel_id in (m.recipient_id, e.previous_channel_id)
        join log_positions began on began.organization_id = s.organization_id and began.id = s.from_position_ref
        left join log_positions ended on ended.organization_id = s.organization_id and ended.id = s.to_position_ref
        where m.organization_id = ${state.organizationId} and m.id = ${id} and s.user_id = ${listener.id}
          and began.position < m.id and (ended.position is null or ended.position > m.id)`);
      return rows.length > 0;
    });
  }

  #ask(role: Role, what: string, fetch: (by: Caller) => Promise<unknown>): Promise<boolean> {
    const listener = this.#hall.listeners.get(role) as Listener;
    return this.#remember(`${role} ${what}`, () =>
      fetch(listener.call).then(
        () => true,
        () => false,
      ),
    );
  }

  #remember(key: string, find: () => Promise<boolean>): Promise<boolean> {
    let answer = this.#asked.get(key);
    if (!answer) {
      answer = find();
      this.#asked.set(key, answer);
    }
    return answer;
  }
}

/** The ids of channels and messages that an event names, wherever they stand in it. */
export function namedIn(event: Heard): {
  channels: Set<number>;
  messages: Set<number>;
  /** Whether the event says something about the topics of the channels. */
  tellsOfTopics: boolean;
} {
  const channels = new Set<number>();
  const messages = new Set<number>();
  const collect = (key: string, value: unknown) => {
    const ids = [value].flat().filter((id) => typeof id === "number" && id > 0) as number[];
    if (/(^|_)streams?_ids?$|^default_streams$/.test(key)) for (const id of ids) channels.add(id);
    if (/^message_ids?$/.test(key)) for (const id of ids) messages.add(id);
    if (event.type === "update_message_flags" && key === "messages") for (const id of ids) messages.add(id);
    if (typeof value !== "object" || value === null) return;
    for (const [inner, deeper] of Object.entries(value)) collect(Array.isArray(value) ? key : inner, deeper);
  };
  for (const [key, value] of Object.entries(event)) collect(key, value);
  if (event.type === "message") messages.add(event.message.id);
  return { channels, messages, tellsOfTopics: "topic" in event };
}

/** As if the node had just started: what it knows of the past is in the database only. */
function forgetRecent(state: OrganizationState): void {
  state.recent.clear();
}

function callerOf(harness: Harness, host: string, email: string, apiKey: string): Caller {
  const authorization = `Basic ${Buffer.from(`${email}:${apiKey}`).toString("base64")}`;
  const headers = { host, authorization, "user-agent": "ParleyTest/1.0" };
  return async <P extends Parameters, R extends TProperties>(
    endpoint: Endpoint<P, R>,
    parameters: CallerParameters<P>,
  ): Promise<Reply<R>> => {
    const { status, text } = await call(harness.app, endpoint as unknown as Endpoint, parameters, headers);
    if (status !== 200) throw new Error(`${endpoint.name} was refused: ${text}`);
    return JSON.parse(text);
  };
}
