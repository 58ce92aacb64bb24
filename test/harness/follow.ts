/**
 * The replay test: from a snapshot and the events after it, a client must know exactly what a fresh snapshot
 * says. Each viewer registers queues in several forms, and then the action runs. The events are applied to a
 * model made from the first snapshot. The model must then equal one made from a second snapshot.
 */
import { isDeepStrictEqual } from "node:util";
import { expect } from "vitest";
import { capabilityNames } from "../../api/integrations/real-time.ts";
import type { QueuedEvent, RegisterParameters, Snapshot } from "../../client/contract.ts";
import { checkInvariants } from "../../client/model/invariants.ts";
import { Model } from "../../client/model/model.ts";
import type { OrganizationState } from "../../server/platform/log/organization-state.ts";
import { queuesOf } from "../../server/platform/queues/organization-queues.ts";
import type { CastName, Harness } from "./harness.ts";
import { snapshotProblems } from "./snapshot-problems.ts";

export type Form = RegisterParameters;

/** The kinds of clients that each viewer listens as. */
export const forms = {
  /** Supports every capability. */
  modern: {
    apply_markdown: true,
    client_gravatar: true,
    include_subscribers: true,
    client_capabilities: Object.fromEntries(capabilityNames.map((name) => [name, true])),
  },
  /** Sends no capabilities. */
  plain: { apply_markdown: false, client_gravatar: false },
  /** Registers as a phone does. */
  partial: {
    apply_markdown: true,
    include_subscribers: "partial",
    client_capabilities: { notification_settings_null: true, user_settings_object: true },
  },
} as const satisfies Record<string, Form>;

export interface FollowOptions {
  /** In place of `modern` and `plain`. The events of the first form are returned. */
  forms?: readonly Form[];
}

/** Everyone in the cast: the owner first, the person from the other organization last. */
export const everybody: readonly CastName[] = ["ada", "ben", "cleo", "dev", "elin", "gus", "echo", "zed"];

/** Follows one viewer while the action runs, and returns the events that they received. */
export async function follow(
  harness: Harness,
  viewer: CastName,
  verb: () => Promise<unknown>,
  options: FollowOptions = {},
): Promise<QueuedEvent[]> {
  return (await followAll(harness, [viewer], verb, options))[viewer] as QueuedEvent[];
}

/** Like `follow`, for several viewers, by default the whole cast. The action runs once. */
export async function followAll(
  harness: Harness,
  viewers: readonly CastName[],
  verb: () => Promise<unknown>,
  options: FollowOptions = {},
): Promise<Record<string, QueuedEvent[]>> {
  const followers = await startAll(harness, viewers, options);
  await verb();
  await Promise.all(followers.map((follower) => follower.catchUp()));
  await Promise.all(followers.map((follower) => follower.compare()));
  const heard: Record<string, QueuedEvent[]> = {};
  for (const { viewer, events } of followers) heard[viewer] ??= events;
  return heard;
}

/**
 * Proves that an action sends no event to some viewers. One viewer who must get an event is followed too,
 * because otherwise the silence would prove nothing.
 */
export async function expectSilence(
  harness: Harness,
  { hears, silent }: { hears: CastName; silent: readonly CastName[] },
  verb: () => Promise<unknown>,
  concerns: (event: QueuedEvent) => boolean = () => true,
): Promise<void> {
  const heard = await followAll(harness, [hears, ...silent], verb);
  expect(heard[hears]?.filter(concerns), `${hears} receives it`).not.toEqual([]);
  for (const name of silent) expect(heard[name]?.filter(concerns), `${name} hears nothing of it`).toEqual([]);
}

/** Names of events as `type` or `type/op`, in their order. */
export function eventNames(events: readonly QueuedEvent[] | undefined): string[] {
  return (events ?? []).map(({ type, op }) => (op === undefined ? type : `${type}/${op}`));
}

export async function startAll(
  harness: Harness,
  viewers: readonly CastName[],
  options: FollowOptions = {},
): Promise<Follower[]> {
  const wanted = options.forms ?? [forms.modern, forms.plain];
  const pairs = viewers.flatMap((viewer) => wanted.map((form) => ({ viewer, form })));
  return Promise.all(pairs.map(({ viewer, form }) => Follower.start(harness, viewer, form)));
}

/** A queue with a model that follows it. */
export class Follower {
  readonly harness: Harness;
  readonly viewer: CastName;
  readonly form: Form;
  readonly model: Model;
  readonly events: QueuedEvent[] = [];
  /**
   * Messages that were, at least for a while, in a channel without a subscription. Their viewer gets no
   * events there.
   */
  readonly #outOfHearing = new Set<number>();
  /**
   * Messages that moved to another channel together. The event says of one of them whether the viewer
   * received it, and a subscription may have begun between them.
   */
  readonly #movedTogether = new Set<number>();
  readonly queueId: string;
  #lastEventId: number;

  private constructor(harness: Harness, viewer: CastName, form: Form, snapshot: Snapshot) {
    this.harness = harness;
    this.viewer = viewer;
    this.form = form;
    this.model = Model.fromSnapshot(snapshot, { parameters: form });
    this.queueId = snapshot.queue_id as string;
    this.#lastEventId = snapshot.last_event_id;
  }

  static async start(harness: Harness, viewer: CastName, form: Form): Promise<Follower> {
    return new Follower(harness, viewer, form, await register(harness, viewer, form));
  }

  /** Applies all that waits in the queue. */
  async catchUp(): Promise<void> {
    await Promise.all([this.harness.state.catchUp(), this.harness.otherState.catchUp()]);
    for (;;) {
      const events = await this.#poll();
      if (events.length === 0) return;
      for (const event of events) this.#apply(event);
    }
  }

  /** The queue collects nothing more. When it is polled, it reads the log again. */
  turnCold(): void {
    const queue = queuesOf(this.#state).byId.get(this.queueId);
    if (queue) queue.isCold = true;
  }

  async stop(): Promise<void> {
    await this.harness.as(this.viewer).delete("/events", { queue_id: this.queueId });
  }

  get #state(): OrganizationState {
    return this.viewer === "zed" ? this.harness.otherState : this.harness.state;
  }

  /** The model must equal a fresh snapshot, and its messages a listing. */
  async compare(): Promise<void> {
    const snapshot = await register(this.harness, this.viewer, this.form);
    const fresh = Model.fromSnapshot(snapshot, { parameters: this.form });
    checkInvariants(fresh);
    const heard = this.events.map((event) => JSON.stringify(event).slice(0, 300)).join("\n");
    const title = `${this.viewer} with ${JSON.stringify(this.form)} after\n${heard}`;
    expect(snapshotProblems(fresh, snapshot), `the snapshot of ${title}`).toEqual([]);
    await this.#forgetUnreadableStars(fresh);
    this.#forgetFormerSubscriptions(fresh);
    this.#correctConversations(fresh);
    expectEqual(this.model.comparable(), fresh.comparable(), `the model of ${title}`);
    await this.#compareMessages(title);
    await this.harness.as(this.viewer).delete("/events", { queue_id: snapshot.queue_id });
  }

  async #poll(): Promise<QueuedEvent[]> {
    const { status, body } = await this.harness.as(this.viewer).get("/events", {
      queue_id: this.queueId,
      last_event_id: this.#lastEventId,
      dont_block: true,
    });
    expect(status, JSON.stringify(body)).toBe(200);
    return body.events;
  }

  #apply(event: QueuedEvent): void {
    expect(event.id, "event ids grow").toBeGreaterThan(this.#lastEventId);
    this.#lastEventId = event.id;
    this.events.push(event);
    this.model.handle(event);
    this.#noteMovedTogether(event);
    if (!this.form.all_public_streams) this.#noteOutOfHearing();
    try {
      checkInvariants(this.model);
    } catch (error) {
      throw new Error(`${this.viewer}, after ${JSON.stringify(event)}: ${(error as Error).message}`);
    }
  }

  #noteMovedTogether({ type, new_stream_id, message_ids }: QueuedEvent): void {
    const ids = message_ids as number[] | undefined;
    if (type !== "update_message" || new_stream_id === undefined || !ids || ids.length === 1) return;
    for (const id of ids) this.#movedTogether.add(id);
  }

  #noteOutOfHearing(): void {
    const { messages, subscriptions } = this.model;
    for (const { id, to } of messages.byId.values()) {
      if (to.kind === "channel" && !subscriptions.isSubscribed(to.channelId)) this.#outOfHearing.add(id);
    }
  }

  /**
   * No event lists the starred messages that become unreadable with a channel. A client finds out when it
   * fetches them.
   */
  async #forgetUnreadableStars(fresh: Model): Promise<void> {
    const doubtful = [...this.model.starred.ids].filter((id) => !fresh.starred.ids.has(id));
    if (doubtful.length === 0) return;
    const { body } = await this.harness.as(this.viewer).get("/messages", { message_ids: doubtful });
    const readable = new Set(body.messages.map(({ id }: { id: number }) => id));
    for (const id of doubtful) if (!readable.has(id)) this.model.starred.ids.delete(id);
  }

  /** No event names a conversation's newest message after the former one was deleted. */
  #correctConversations(fresh: Model): void {
    const { byPeople } = this.model.conversations;
    for (const [people, conversation] of byPeople) {
      if (!conversation.isNewestDeleted) continue;
      const now = fresh.conversations.byPeople.get(people);
      expect(now?.newestMessageId ?? 0).toBeLessThan(conversation.newestMessageId);
      if (now) byPeople.set(people, now);
      else byPeople.delete(people);
    }
  }

  /** A channel that becomes visible comes without the viewer's settings from an earlier subscription. */
  #forgetFormerSubscriptions(fresh: Model): void {
    const shown = this.events.flatMap(({ type, op, streams }) =>
      type === "stream" && op === "create" ? (streams as { stream_id: number }[]) : [],
    );
    for (const { stream_id } of shown) {
      if (fresh.subscriptions.isSubscribed(stream_id)) continue;
      fresh.subscriptions.byChannel.delete(stream_id);
      this.model.subscriptions.byChannel.delete(stream_id);
    }
  }

  async #compareMessages(title: string): Promise<void> {
    const ids = [...this.model.messages.byId.keys()].filter((id) => !this.#outOfHearing.has(id));
    if (ids.length === 0) return;
    const isModern = this.form.client_capabilities?.empty_topic_name === true;
    const { body } = await this.harness.as(this.viewer).get("/messages", {
      message_ids: ids,
      apply_markdown: this.form.apply_markdown ?? false,
      allow_empty_topic_name: isModern,
    });
    const { messages } = Model.fromSnapshot({});
    messages.add(body.messages);
    for (const id of this.#movedTogether) {
      const fresh = messages.byId.get(id);
      const followed = this.model.messages.byId.get(id);
      if (fresh && followed && fresh.flags.has("historical") !== followed.flags.has("historical"))
        followed.flags = fresh.flags;
    }
    const known = this.model.messages.comparable() as Record<string, unknown>;
    for (const id of this.#outOfHearing) delete known[id];
    // Messages that the viewer can no longer read are not in the listing.
    for (const id of ids) if (!messages.byId.has(id)) delete known[id];
    expectEqual(known, messages.comparable(), `the messages of ${title}`);
  }
}

/**
 * Models are large and nearly always equal, and Node compares them more than twice as fast. What it takes for
 * different may still be equal: a field that is undefined is as good as none.
 */
function expectEqual(actual: unknown, expected: unknown, title: string): void {
  if (!isDeepStrictEqual(actual, expected)) expect(actual, title).toEqual(expected);
}

async function register(harness: Harness, viewer: CastName, form: Form): Promise<Snapshot> {
  const { status, body } = await harness.as(viewer).post("/register", { ...form });
  expect(status, JSON.stringify(body)).toBe(200);
  return body as Snapshot;
}

/**
 * Follows everyone while messages are sent and then changed. Their models must equal fresh ones after that.
 */
export async function throughout(
  harness: Harness,
  prepare: () => Promise<number[]>,
  change: (ids: number[]) => Promise<unknown>,
): Promise<number[]> {
  const people = await startAll(harness, everybody);
  const ids = await prepare();
  await Promise.all(people.map((follower) => follower.catchUp()));
  await change(ids);
  await Promise.all(people.map((follower) => follower.catchUp()));
  await Promise.all(people.map((follower) => follower.compare()));
  return ids;
}
