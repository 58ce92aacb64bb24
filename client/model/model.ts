/**
 * The current state as the server described it: a snapshot from `/register`, then every event of its queue in
 * order. Each subject keeps its own part and says which snapshot keys and event types it handles. Only
 * `readSubjects` knows the subjects by name. After any event, the model equals one made from a snapshot taken
 * at that moment (`comparable`).
 */
import type { QueuedEvent, RegisterParameters } from "../contract.ts";
import { AlertWords } from "./alert-words.ts";
import { Bots } from "./bots.ts";
import { Channels } from "./channels.ts";
import { Conversations } from "./conversations.ts";
import { DefaultChannels } from "./default-channels.ts";
import { Domains } from "./domains.ts";
import { Drafts } from "./drafts.ts";
import { CustomEmojis } from "./emoji.ts";
import { Exports } from "./exports.ts";
import { Folders } from "./folders.ts";
import { Groups } from "./groups.ts";
import { Invitations } from "./invitations.ts";
import { Linkifiers } from "./linkifiers.ts";
import { Messages } from "./messages.ts";
import { MutedUsers } from "./muted-users.ts";
import { NavigationViews } from "./navigation-views.ts";
import { OnboardingSteps } from "./onboarding-steps.ts";
import { Organization } from "./organization.ts";
import { Playgrounds } from "./playgrounds.ts";
import { Presences } from "./presence.ts";
import { ProfileFields } from "./profile-fields.ts";
import { PushDevices } from "./push-devices.ts";
import { Reminders } from "./reminders.ts";
import { SavedSnippets } from "./saved-snippets.ts";
import { ScheduledMessages } from "./scheduled-messages.ts";
import { Starred } from "./starred.ts";
import type { Subject } from "./subject.ts";
import { Subscribers } from "./subscribers.ts";
import { Subscriptions } from "./subscriptions.ts";
import { Typing } from "./typing.ts";
import { Unreads } from "./unreads.ts";
import { Uploads } from "./uploads.ts";
import { UserSettings } from "./user-settings.ts";
import { UserStatuses } from "./user-status.ts";
import { UserTopics } from "./user-topics.ts";
import { Users } from "./users.ts";
import { Viewer } from "./viewer.ts";
import type { WireObject } from "./wire.ts";

export interface ModelOptions {
  /** The parameters of the call to `/register`. */
  parameters?: RegisterParameters;
  /** The server's time in milliseconds; by default that of this device. */
  now?: () => number;
}

/** Fields of the call or of its moment, which are not state. */
const ofTheCall = [
  "result",
  "msg",
  "ignored_parameters_unsupported",
  "queue_id",
  "last_event_id",
  "server_timestamp",
];

/** In the order in which they handle an event: a subject may read those before it. */
function readSubjects(snapshot: WireObject, { parameters = {}, now = Date.now }: ModelOptions) {
  const users = Users.fromSnapshot(snapshot, parameters.client_capabilities?.user_list_incomplete === true);
  const viewer = Viewer.fromSnapshot(snapshot, users);
  const wantsSubscribers = (parameters.include_subscribers ?? false) !== false;
  const subscriptions = Subscriptions.fromSnapshot(snapshot);
  const userTopics = UserTopics.fromSnapshot(snapshot);
  const subjects = {
    users,
    viewer,
    profileFields: ProfileFields.fromSnapshot(snapshot),
    groups: Groups.fromSnapshot(snapshot),
    folders: Folders.fromSnapshot(snapshot),
    channels: Channels.fromSnapshot(snapshot, subscriptions),
    subscriptions,
    subscribers: Subscribers.fromSnapshot(snapshot, viewer.id, wantsSubscribers),
    defaultChannels: DefaultChannels.fromSnapshot(snapshot),
    userTopics,
    mutedUsers: MutedUsers.fromSnapshot(snapshot),
    alertWords: AlertWords.fromSnapshot(snapshot),
    savedSnippets: SavedSnippets.fromSnapshot(snapshot),
    drafts: Drafts.fromSnapshot(snapshot),
    navigationViews: NavigationViews.fromSnapshot(snapshot),
    onboardingSteps: OnboardingSteps.fromSnapshot(snapshot),
    scheduledMessages: ScheduledMessages.fromSnapshot(snapshot),
    reminders: Reminders.fromSnapshot(snapshot),
    linkifiers: Linkifiers.fromSnapshot(snapshot),
    playgrounds: Playgrounds.fromSnapshot(snapshot),
    domains: Domains.fromSnapshot(snapshot),
    exports: new Exports(),
    invitations: new Invitations(),
    uploads: new Uploads(),
    customEmoji: CustomEmojis.fromSnapshot(snapshot),
    bots: Bots.fromSnapshot(snapshot),
    pushDevices: PushDevices.fromSnapshot(snapshot),
    messages: new Messages(),
    unreads: Unreads.fromSnapshot(snapshot, viewer.id, { subscriptions, userTopics }),
    starred: Starred.fromSnapshot(snapshot),
    conversations: Conversations.fromSnapshot(snapshot, viewer.id),
    typing: Typing.fromSnapshot(snapshot, now),
    presences: Presences.fromSnapshot(snapshot, users, now),
    userStatuses: UserStatuses.fromSnapshot(snapshot, users),
    settings: UserSettings.fromSnapshot(snapshot),
  };
  const organization = Organization.fromSnapshot(snapshot, claimedBy(Object.values(subjects)));
  return { ...subjects, organization } satisfies Record<string, Subject>;
}

/** Each subject under its name, and the keys that no subject claims. */
export type Model = Readonly<ReturnType<typeof readSubjects>> & {
  /** The rest of the snapshot, unchanged: the server's limits, and sections that no event changes. */
  readonly constants: WireObject;
  /** The server's time in milliseconds, which limits and presences go by. */
  readonly now: () => number;
  /** Events must come in order and only once. Types that no subject handles change nothing. */
  handle(event: QueuedEvent): void;
  /** Everything that a fresh snapshot would contain, as plain data. */
  comparable(): Record<string, unknown>;
};

export const Model = {
  fromSnapshot(reply: object, options: ModelOptions = {}): Model {
    const snapshot = reply as WireObject;
    const subjects = readSubjects(snapshot, options);
    const claimed = claimedBy(Object.values(subjects));
    const constants = Object.fromEntries(Object.entries(snapshot).filter(([key]) => !claimed.has(key)));
    const handlers = collectHandlers(Object.values(subjects));
    return {
      ...subjects,
      constants,
      now: options.now ?? Date.now,
      handle(event) {
        for (const handler of handlers.get(event.type) ?? []) handler(event);
      },
      comparable() {
        const { messages, typing, presences, ...told } = subjects;
        const parts = Object.entries(told).map(([name, subject]) => [name, subject.comparable()]);
        return structuredClone({ ...Object.fromEntries(parts), constants });
      },
    };
  },
};

function claimedBy(subjects: readonly Subject[]): Set<string> {
  return new Set([...ofTheCall, ...subjects.flatMap(({ keys }) => keys)]);
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
