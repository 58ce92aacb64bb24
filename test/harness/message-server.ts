/**
 * A small model of the server for one viewer: messages in channels and to people, what the viewer received,
 * and the events of it. It answers a client's calls, and holds the answers until the test lets them go.
 */
import { exampleSubscription } from "../../api/channels/channel-fields.ts";
import { isResolvedTopic } from "../../api/channels/topic-name.ts";
import { foldName } from "../../api/fold-name.ts";
import { exampleMessage } from "../../api/messages/message.ts";
import { CallError } from "../../client/call-error.ts";
import type { Connection } from "../../client/connection.ts";

export const VIEWER = 2;
const NEWEST = 10_000_000_000_000_000;

export interface StoredMessage {
  id: number;
  /** undefined: to the viewer and one other person. */
  channelId: number | undefined;
  topic: string;
  senderId: number;
  content: string;
  flags: Set<string>;
  reactions: number[];
}

interface Term {
  operator: string;
  operand: unknown;
  negated: boolean;
}

interface Held {
  path: string;
  answer(): void;
  fail(): void;
}

export interface StoredChannel {
  isPrivate: boolean;
  isSubscribed: boolean;
  isMuted: boolean;
  isWebPublic: boolean;
}

export class MessageServer {
  readonly messages = new Map<number, StoredMessage>();
  readonly channels = new Map<number, StoredChannel>();
  /** The viewer's policies, by channel and topic. */
  readonly followed = new Set<string>();
  /** Calls that were not answered yet. The reply is what the server had when it was asked. */
  readonly held: Held[] = [];
  /** All events, also those that no queue was there for. */
  readonly told: ({ type: string } & Record<string, unknown>)[] = [];
  /** Names of the calls for messages, with their anchors. */
  readonly calls: string[] = [];
  isHolding = false;
  /** Events wait, as on a slow line. */
  isMute = false;
  /** How many ids a search for words looks at, if it ends early. */
  searchSpan = Number.POSITIVE_INFINITY;
  #nextId = 1;
  #queue: { id: number; events: Record<string, unknown>[]; nextId: number } | undefined;
  #queues = 0;
  #poll: (() => void) | undefined;

  addChannel(id: number, { isPrivate = false, isSubscribed = true }: Partial<StoredChannel> = {}): void {
    this.channels.set(id, { isPrivate, isSubscribed, isMuted: false, isWebPublic: false });
  }

  send(to: {
    channelId?: number;
    topic?: string;
    senderId?: number;
    content?: string;
    flags?: string[];
  }): number {
    const id = this.#nextId++;
    const { channelId, topic = "", senderId = 3, content = `<p>${id}</p>` } = to;
    const isReceived = channelId === undefined || this.channels.get(channelId)?.isSubscribed;
    const flags = new Set(isReceived ? (to.flags ?? []) : ["read", "historical"]);
    const message = { id, channelId, topic, senderId, content, flags, reactions: [] };
    this.messages.set(id, message);
    const { flags: own, ...record } = this.present(message);
    if (isReceived) this.#tell({ type: "message", message: record, flags: own });
    return id;
  }

  delete(id: number): void {
    const message = this.messages.get(id);
    if (!message || !this.messages.delete(id)) return;
    const { channelId, topic } = message;
    const from = channelId === undefined ? {} : { stream_id: channelId, topic };
    if (this.#isTold(message))
      this.#tell({ type: "delete_message", message_ids: [id], message_type: "stream", ...from });
  }

  /** `flags`: those that follow from the text. */
  edit(id: number, content: string, flags: readonly string[] = []): void {
    const message = this.messages.get(id);
    if (!message) return;
    message.content = content;
    const kept = [...message.flags].filter((flag) => ["read", "starred", "historical"].includes(flag));
    message.flags = new Set([...kept, ...flags]);
    if (!this.#isTold(message)) return;
    this.#tell({
      ...{ type: "update_message", message_id: id, message_ids: [id], flags: [...message.flags] },
      ...{ content, rendered_content: content, edit_timestamp: 9, user_id: 3, rendering_only: false },
      ...(message.channelId !== undefined && { stream_id: message.channelId }),
    });
  }

  /** Within the channel, or to another one that has the same readers. */
  move(ids: readonly number[], topic: string, channelId?: number): void {
    const moved = ids.flatMap((id) => this.messages.get(id) ?? []);
    const [first] = moved;
    if (first?.channelId === undefined) return;
    const from = { channelId: first.channelId, topic: first.topic };
    const here = moved.filter((place) => place.channelId === from.channelId && place.topic === from.topic);
    const isTold = here.filter((place) => this.#isTold(place));
    const isWhole = [...this.messages.values()].every(
      (place) => here.includes(place) || place.channelId !== from.channelId || place.topic !== from.topic,
    );
    const to = channelId ?? from.channelId;
    for (const place of here) Object.assign(place, { topic, channelId: to });
    if (isTold.length === 0) return;
    this.#tell({
      ...{
        type: "update_message",
        message_id: first.id,
        message_ids: here.map(({ id }) => id).sort((a, b) => a - b),
      },
      ...{ flags: [...first.flags], stream_id: from.channelId, orig_subject: from.topic, edit_timestamp: 9 },
      ...{ user_id: 3, rendering_only: false, propagate_mode: isWhole ? "change_all" : "change_one" },
      ...{ topic_links: [], ...(topic !== from.topic && { subject: topic }) },
      ...(to !== from.channelId && { new_stream_id: to }),
    });
  }

  flag(ids: readonly number[], op: "add" | "remove", flag: string): void {
    for (const id of ids) {
      if (op === "add") this.messages.get(id)?.flags.add(flag);
      else this.messages.get(id)?.flags.delete(flag);
    }
    this.#tell({ type: "update_message_flags", op, operation: op, flag, messages: [...ids], all: false });
  }

  react(id: number, userId = 3): void {
    const message = this.messages.get(id);
    if (!message) return;
    const op = message.reactions.includes(userId) ? "remove" : "add";
    message.reactions = message.reactions.filter((one) => one !== userId);
    if (op === "add") message.reactions.push(userId);
    if (this.#isTold(message)) this.#tell({ type: "reaction", op, message_id: id, ...reactionOf(userId) });
  }

  follow(channelId: number, topic: string): void {
    const key = `${channelId} ${foldName(topic)}`;
    const isFollowed = !this.followed.delete(key);
    if (isFollowed) this.followed.add(key);
    this.#tell({
      ...{ type: "user_topic", stream_id: channelId, topic_name: topic, last_updated: 5 },
      visibility_policy: isFollowed ? 3 : 0,
    });
  }

  subscribe(channelId: number): void {
    const channel = this.channels.get(channelId);
    if (!channel || channel.isSubscribed) return;
    channel.isSubscribed = true;
    if (channel.isPrivate)
      this.#tell({ type: "stream", op: "create", streams: [this.#presentChannel(channelId)] });
    this.#tell({ type: "subscription", op: "add", subscriptions: [this.#presentChannel(channelId)] });
  }

  unsubscribe(channelId: number): void {
    const channel = this.channels.get(channelId);
    if (!channel?.isSubscribed) return;
    channel.isSubscribed = false;
    for (const message of this.messages.values())
      if (message.channelId === channelId) message.flags.add("read");
    this.#tell({
      type: "subscription",
      op: "remove",
      subscriptions: [{ stream_id: channelId, name: `c${channelId}` }],
    });
    if (channel.isPrivate) this.#tell({ type: "stream", op: "delete", stream_ids: [channelId], streams: [] });
  }

  mute(channelId: number): void {
    const channel = this.channels.get(channelId);
    if (!channel) return;
    channel.isMuted = true;
    const change = { op: "update", property: "is_muted", value: true, stream_id: channelId };
    this.#tell({ type: "subscription", ...change });
  }

  openToWeb(channelId: number): void {
    const channel = this.channels.get(channelId);
    if (!channel) return;
    channel.isWebPublic = true;
    const change = { op: "update", property: "invite_only", value: false, is_web_public: true };
    const its = { stream_id: channelId, name: `c${channelId}`, history_public_to_subscribers: true };
    this.#tell({ type: "stream", ...change, ...its });
  }

  loseQueue(): void {
    this.#queue = undefined;
    this.#wake();
  }

  /** Lets the events that have waited go. */
  speak(): void {
    this.isMute = false;
    this.#wake();
  }

  /** Answers the calls that are held. Without a count, all of them. */
  release(count = this.held.length): void {
    for (const { answer } of this.held.splice(0, count)) answer();
  }

  /** The ids that match, as a fresh client would be told. */
  list(narrow: readonly Term[]): number[] {
    const found = [...this.messages.values()].filter((message) => this.#matches(narrow, message));
    return found.map(({ id }) => id).sort((a, b) => a - b);
  }

  present({ id, channelId, topic, senderId, content, flags, reactions }: StoredMessage) {
    const people = [VIEWER, 3].map((one) => ({ id: one, email: "", full_name: "", is_mirror_dummy: false }));
    return {
      ...exampleMessage,
      ...{ id, content, sender_id: senderId, flags: [...flags].sort(), reactions: reactions.map(reactionOf) },
      ...(channelId === undefined
        ? { type: "private" as const, display_recipient: people, subject: "", stream_id: undefined }
        : { stream_id: channelId, subject: topic }),
    };
  }

  readonly connection = {
    call: (
      endpoint: { name: string },
      parameters: Record<string, unknown>,
      options?: { signal?: AbortSignal },
    ) => this.#call(endpoint.name, parameters, options?.signal),
  } as unknown as Connection;

  #call(name: string, parameters: Record<string, unknown>, signal?: AbortSignal): Promise<unknown> {
    if (name === "registerQueue") return this.#hold(name, () => this.#register());
    if (name === "getEvents") return this.#getEvents(parameters, signal);
    if (name === "deleteQueue") return Promise.resolve({});
    if (name === "getMessages") {
      this.calls.push(String(parameters.anchor));
      return this.#hold(name, () => this.#getMessages(parameters));
    }
    if (name === "getMessage") return this.#hold(name, () => this.#getMessage(parameters));
    throw new Error(`no answer to ${name}`);
  }

  /** The state is that of the moment of the call. */
  #hold(path: string, read: () => unknown): Promise<unknown> {
    let reply: unknown;
    try {
      reply = read();
    } catch (error) {
      return Promise.reject(error);
    }
    return new Promise((resolve, reject) => {
      const answer = () => resolve(reply);
      const fail = () => reject(new CallError(path, { kind: "network", timedOut: false }, "No network."));
      if (this.isHolding) this.held.push({ path, answer, fail });
      // As over a network, later than all that is under way here.
      else setTimeout(answer, 1);
    });
  }

  #register(): unknown {
    this.#queue = { id: ++this.#queues, events: [], nextId: 0 };
    const of = (wanted: (channel: StoredChannel) => boolean) =>
      [...this.channels].filter(([, channel]) => wanted(channel)).map(([id]) => this.#presentChannel(id));
    return {
      ...{
        queue_id: String(this.#queue.id),
        last_event_id: -1,
        user_id: VIEWER,
        realm_url: "http://demo.test",
      },
      realm_users: [{ user_id: VIEWER, role: 400, full_name: "Dev", is_active: true }],
      subscriptions: of(({ isSubscribed }) => isSubscribed),
      unsubscribed: of(({ isSubscribed, isPrivate }) => !isSubscribed && !isPrivate),
      starred_messages: [],
    };
  }

  async #getEvents(
    { queue_id, last_event_id }: Record<string, unknown>,
    signal?: AbortSignal,
  ): Promise<unknown> {
    for (;;) {
      signal?.throwIfAborted();
      const queue = this.#queue;
      if (String(queue?.id) !== queue_id) throw refusal("getEvents", "BAD_EVENT_QUEUE_ID");
      const events = queue?.events.filter(({ id }) => (id as number) > (last_event_id as number)) ?? [];
      if (events.length > 0 && !this.isMute) return { events };
      let wake = () => {};
      const woken = new Promise<void>((resolve) => {
        wake = resolve;
      });
      this.#poll = wake;
      signal?.addEventListener("abort", wake);
      await woken;
      signal?.removeEventListener("abort", wake);
    }
  }

  #getMessages({ anchor, num_before, num_after, narrow }: Record<string, unknown>): unknown {
    const named = (narrow as Term[]).find(({ operator }) => operator === "channel")?.operand as number;
    const channel = this.channels.get(named);
    if (channel?.isPrivate && !channel.isSubscribed) throw refusal("getMessages", "BAD_NARROW");
    const all = this.list(narrow as Term[]);
    const unread = all.find((id) => !this.messages.get(id)?.flags.has("read"));
    const at = anchor === "newest" ? NEWEST : anchor === "first_unread" ? (unread ?? NEWEST) : Number(anchor);
    const isSearch = (narrow as Term[]).some(({ operator }) => operator === "search");
    const from = isSearch ? Math.min(at, this.#nextId) - this.searchSpan : 0;
    const older = all.filter((id) => id < at && id >= from);
    const newer = all.filter((id) => id > at);
    const before = older.slice(Math.max(0, older.length - (num_before as number)));
    const after = newer.slice(0, num_after as number);
    const ids = [...before, ...all.filter((id) => id === at), ...after];
    const isShort = older.length < (num_before as number);
    return {
      messages: ids.map((id) => this.present(this.messages.get(id) as StoredMessage)),
      anchor: at,
      found_oldest: isShort && from <= 1,
      ...(isShort && from > 1 && { searched_from: from }),
      found_newest: at === NEWEST || newer.length < (num_after as number),
    };
  }

  #getMessage({ message_id }: Record<string, unknown>): unknown {
    const message = this.messages.get(message_id as number);
    if (!message) throw refusal("getMessage", "BAD_REQUEST");
    return { message: this.present(message) };
  }

  #matches(narrow: readonly Term[], message: StoredMessage): boolean {
    const channel = message.channelId === undefined ? undefined : this.channels.get(message.channelId);
    if (channel?.isPrivate && !channel.isSubscribed) return false;
    const withHistory = narrow.some(
      ({ operator, operand, negated }) =>
        !negated &&
        (["channel", "channels", "id"].includes(operator) || operand === "starred" || operand === "unread"),
    );
    if (message.flags.has("historical") && !withHistory) return false;
    return narrow.every((term) => this.#holds(term, message) !== term.negated);
  }

  #holds({ operator, operand }: Term, message: StoredMessage): boolean {
    const { id, channelId, topic, senderId, content, flags, reactions } = message;
    const isDirect = channelId === undefined;
    const channel = isDirect ? undefined : this.channels.get(channelId);
    const has = (text: string) => content.includes(text);
    const key = `${channelId} ${foldName(topic)}`;
    const kinds: Record<string, boolean> = {
      unread: !flags.has("read"),
      starred: flags.has("starred"),
      mentioned: flags.has("mentioned"),
      dm: isDirect,
      alerted: flags.has("has_alert_word"),
      followed: this.followed.has(key),
      resolved: !isDirect && isResolvedTopic(topic),
      muted: channel?.isMuted === true,
    };
    const people = [operand].flat() as number[];
    switch (operator) {
      case "channel":
        return channelId === operand;
      case "channels":
        return (
          !isDirect &&
          (operand !== "web-public" || channel?.isWebPublic === true) &&
          (operand === "all" || !channel?.isPrivate)
        );
      case "topic":
        return !isDirect && foldName(topic) === foldName(String(operand));
      case "dm":
      case "dm-including":
        return isDirect && people.every((one) => one === VIEWER || one === 3);
      case "sender":
        return senderId === (operand === "me" ? VIEWER : operand);
      case "mentions":
        return flags.has("mentioned");
      case "is":
        return kinds[String(operand)] ?? false;
      case "has":
        return operand === "reaction" ? reactions.length > 0 : has(String(operand));
      case "in":
        return operand !== "home" || !channel?.isMuted;
      case "near":
        return true;
      case "id":
        return id === operand;
      case "search":
        return has(String(operand));
      default:
        throw new Error(`the test's server does not know the operator ${operator}`);
    }
  }

  #presentChannel(id: number) {
    const isPrivate = this.channels.get(id)?.isPrivate ?? false;
    const nobody = { direct_members: [], direct_subgroups: [] };
    return {
      ...{
        ...exampleSubscription,
        stream_id: id,
        name: `c${id}`,
        invite_only: isPrivate,
        is_web_public: this.channels.get(id)?.isWebPublic ?? false,
      },
      ...{ can_add_subscribers_group: nobody, can_subscribe_group: nobody, is_archived: false },
    };
  }

  /** Subscribers hear of changes, and people with a star of their own. */
  #isTold({ channelId, flags }: StoredMessage): boolean {
    if (channelId === undefined || flags.has("starred")) return true;
    return this.channels.get(channelId)?.isSubscribed === true;
  }

  #tell(event: { type: string } & Record<string, unknown>): void {
    this.told.push(event);
    if (!this.#queue) return;
    this.#queue.events.push({ ...event, id: this.#queue.nextId++ });
    this.#wake();
  }

  #wake(): void {
    if (this.isMute && this.#queue) return;
    const poll = this.#poll;
    this.#poll = undefined;
    poll?.();
  }
}

function reactionOf(userId: number) {
  return { emoji_name: "heart", emoji_code: "2764", reaction_type: "unicode_emoji", user_id: userId };
}

function refusal(endpoint: string, code: string): CallError {
  return new CallError(endpoint, { kind: "api", status: 400, code, fields: {} }, "Refused.");
}
