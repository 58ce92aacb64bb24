/**
 * What is true now, given what the server told: a snapshot from `/register`, and then every event of its queue in order.
 * Each subject keeps its own part and says which types of events change it; an event is handed to those, and nothing here
 * knows them by name. After any event the model equals one made from a snapshot taken then (`comparable`).
 */
import type { QueuedEvent, RegisterParameters } from "../poll.ts";
import { AlertWords } from "./alert-words.ts";
import { Channels } from "./channels.ts";
import { Conversations } from "./conversations.ts";
import { DefaultChannels } from "./default-channels.ts";
import { Folders } from "./folders.ts";
import { Groups } from "./groups.ts";
import { Messages } from "./messages.ts";
import { MutedUsers } from "./muted-users.ts";
import { Organization } from "./organization.ts";
import { Starred } from "./starred.ts";
import type { Subject } from "./subject.ts";
import { Subscribers } from "./subscribers.ts";
import { Subscriptions } from "./subscriptions.ts";
import { Typing } from "./typing.ts";
import { Unreads } from "./unreads.ts";
import { UserSettings } from "./user-settings.ts";
import { UserTopics } from "./user-topics.ts";
import { Users } from "./users.ts";
import { Viewer } from "./viewer.ts";
import type { WireObject } from "./wire.ts";

export interface ModelOptions {
  /** What `/register` was called with. */
  parameters?: RegisterParameters;
  /** The time in milliseconds. */
  now?: () => number;
}

/** What belongs to the call or its moment and not to the state. */
const ofTheCall = [
  "result",
  "msg",
  "ignored_parameters_unsupported",
  "queue_id",
  "last_event_id",
  "server_timestamp",
];

const claimed: ReadonlySet<string> = new Set([
  ...ofTheCall,
  ...[Viewer, Users, Groups, Folders, Channels, DefaultChannels].flatMap(({ keys }) => keys),
  ...[UserTopics, MutedUsers, AlertWords].flatMap(({ keys }) => keys),
  ...[Messages, Unreads, Starred, Conversations, UserSettings].flatMap(({ keys }) => keys),
]);

/** Sections whose names look like the organization's own properties. */
const ofLaterSubjects = new Set([
  "realm_bots",
  "realm_embedded_bots",
  "realm_incoming_webhook_bots",
  "realm_emoji",
  "realm_domains",
  "realm_linkifiers",
  "realm_filters",
  "realm_playgrounds",
  "realm_billing",
]);

export class Model {
  readonly users: Users;
  readonly viewer: Viewer;
  readonly groups: Groups;
  readonly folders: Folders;
  readonly channels: Channels;
  readonly subscriptions: Subscriptions;
  readonly subscribers: Subscribers;
  readonly defaultChannels: DefaultChannels;
  readonly userTopics: UserTopics;
  readonly mutedUsers: MutedUsers;
  readonly alertWords: AlertWords;
  readonly messages: Messages;
  readonly unreads: Unreads;
  readonly starred: Starred;
  readonly conversations: Conversations;
  readonly typing: Typing;
  readonly organization: Organization;
  readonly settings: UserSettings;
  /** What the snapshot says beside all that, as it came: the server's limits, and sections that no event changes. */
  readonly constants: WireObject;
  readonly #handlers: ReadonlyMap<string, readonly ((event: QueuedEvent) => void)[]>;

  static fromSnapshot(snapshot: WireObject, options: ModelOptions = {}): Model {
    return new Model(snapshot, options);
  }

  private constructor(snapshot: WireObject, { parameters = {}, now = Date.now }: ModelOptions) {
    this.users = Users.fromSnapshot(snapshot);
    this.viewer = Viewer.fromSnapshot(snapshot, this.users);
    this.groups = Groups.fromSnapshot(snapshot);
    this.folders = Folders.fromSnapshot(snapshot);
    this.subscriptions = Subscriptions.fromSnapshot(snapshot);
    this.channels = Channels.fromSnapshot(snapshot, this.subscriptions);
    const wantsSubscribers = (parameters.include_subscribers ?? false) !== false;
    this.subscribers = Subscribers.fromSnapshot(snapshot, this.viewer.id, wantsSubscribers);
    this.defaultChannels = DefaultChannels.fromSnapshot(snapshot);
    this.userTopics = UserTopics.fromSnapshot(snapshot);
    this.mutedUsers = MutedUsers.fromSnapshot(snapshot);
    this.alertWords = AlertWords.fromSnapshot(snapshot);
    this.messages = new Messages();
    this.unreads = Unreads.fromSnapshot(snapshot, this.viewer.id, this);
    this.starred = Starred.fromSnapshot(snapshot);
    this.conversations = Conversations.fromSnapshot(snapshot, this.viewer.id);
    this.typing = Typing.fromSnapshot(snapshot, now);
    this.settings = UserSettings.fromSnapshot(snapshot);
    const others = Object.keys(snapshot).filter((key) => !claimed.has(key) && !this.settings.ownsCopy(key));
    const isOrganizations = (key: string) => Organization.owns(key) && !ofLaterSubjects.has(key);
    this.organization = Organization.fromSnapshot(snapshot, others.filter(isOrganizations));
    const remaining = others.filter((key) => !isOrganizations(key));
    this.constants = Object.fromEntries(remaining.map((key) => [key, snapshot[key]]));
    this.#handlers = collectHandlers(Object.values(this.#subjects()));
  }

  /** Events must come in order, each once. Types that no subject knows change nothing. */
  handle(event: QueuedEvent): void {
    for (const handler of this.#handlers.get(event.type) ?? []) handler(event);
  }

  /** Everything that a fresh snapshot would tell, as plain data. */
  comparable(): Record<string, unknown> {
    const { messages, typing, ...told } = this.#subjects();
    const parts = Object.entries(told).map(([name, subject]) => [name, subject.comparable()]);
    return structuredClone({ ...Object.fromEntries(parts), constants: this.constants });
  }

  /** In the order in which they are handed an event: a subject may look at those before it. */
  #subjects(): Record<string, Subject> {
    const { users, viewer, groups, folders, channels, subscriptions, subscribers, defaultChannels } = this;
    const {
      userTopics,
      mutedUsers,
      alertWords,
      messages,
      unreads,
      starred,
      conversations,
      typing,
      organization,
      settings,
    } = this;
    return {
      users,
      viewer,
      groups,
      folders,
      channels,
      subscriptions,
      subscribers,
      defaultChannels,
      userTopics,
      mutedUsers,
      alertWords,
      messages,
      unreads,
      starred,
      conversations,
      typing,
      organization,
      settings,
    };
  }
}

function collectHandlers(subjects: readonly Subject[]): Map<string, ((event: QueuedEvent) => void)[]> {
  const handlers = new Map<string, ((event: QueuedEvent) => void)[]>();
  for (const subject of subjects) {
    for (const [type, one] of Object.entries(subject.handlers)) {
      const handler = one as (event: QueuedEvent) => void;
      const list = handlers.get(type);
      if (list) list.push(handler);
      else handlers.set(type, [handler]);
    }
  }
  return handlers;
}
