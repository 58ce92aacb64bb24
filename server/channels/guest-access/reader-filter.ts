/**
 * What guests get of events where the organization limits whom they may know of. Every type of event is named
 * here. It either says nothing of people but their ids, or a rule takes out of it what the guest may not know
 * when it is sent.
 */
import type { UserId } from "../../../api/ids.ts";
import type { MessageRecord } from "../../../api/messages/message.ts";
import { roles } from "../../../api/roles.ts";
import { groups } from "../../groups/group.ts";
import { withoutUnknownPeople } from "../../people/access/unknown-people.ts";
import { presentUnknownUser, unknownIdentity } from "../../people/access/unknown-user.ts";
import { canAccessUserId, hasLimitedGuests } from "../../people/access/user-access.ts";
import { type User, users } from "../../people/user.ts";
import type { Delivery, LogEntry } from "../../platform/log/log-entry.ts";
import type { OrganizationState } from "../../platform/log/organization-state.ts";
import type { Queue } from "../../platform/queues/queue.ts";
import type { ReaderFilter } from "../../platform/queues/queue-parts.ts";

/** An event as clients receive it. */
type WireEvent = { type: string; op?: string; id: number } & Record<string, unknown>;

interface Reading {
  state: OrganizationState;
  guest: User;
  queue: Queue;
  isKnown(id: number): boolean;
}

/** Returns the event itself if nothing is to be taken out, and undefined if the guest does not get it. */
type Rule = (event: WireEvent, reading: Reading) => WireEvent | undefined;

export const readerFilter: ReaderFilter = {
  isNeeded: hasLimitedGuests,
  filter(state, entry, delivery, queue, isReplay) {
    const guest = state.get(users).byId.get(queue.userId);
    if (!guest) return undefined;
    const rule = rules[entry.payload.type];
    if (guest.role < roles.guest || rule === null) return delivery;
    // A type that nobody thought of is kept back.
    if (rule === undefined) return undefined;
    const reading = { state, guest, queue, isKnown: (id: number) => canAccessUserId(state, guest, id) };
    if (entry.audience.isAboutAccess) return aboutAccess(entry, delivery, reading, isReplay);
    const event = JSON.parse(delivery.json) as WireEvent;
    const filtered = rule(event, reading);
    if (filtered === event) return delivery;
    return filtered && { position: delivery.position, json: JSON.stringify(filtered) };
  },
};

/** Such events were decided for their guests. Since then the guest may have lost what they gained. */
function aboutAccess(
  { payload }: LogEntry,
  delivery: Delivery,
  { state, queue, isKnown }: Reading,
  isReplay: boolean,
): Delivery | undefined {
  const { user_id } = (payload.person ?? payload) as { user_id?: number };
  const isGain = payload.op !== "remove" && payload.op !== "remove_members";
  if (isReplay && isGain && user_id !== undefined && !isKnown(user_id)) return undefined;
  const isOfGroup = payload.type === "user_group";
  const group = isOfGroup ? state.get(groups).find(payload.group_id as number) : undefined;
  if (group?.isActive === false && !queue.can("include_deactivated_groups")) return undefined;
  return delivery;
}

/** The event if it is about somebody known. */
const aboutUser: Rule = (event, { isKnown }) => (isKnown(event.user_id as number) ? event : undefined);

const messageRule: Rule = (event, { state, guest }) => {
  const message = event.message as MessageRecord;
  const shown = withoutUnknownPeople(state, guest, message);
  return shown === message ? event : { ...event, message: shown };
};

const reactionRule: Rule = (event, { state, isKnown }) => {
  const id = event.user_id as UserId;
  if (isKnown(id)) return event;
  const { email, fullName } = unknownIdentity(state, { id });
  return { ...event, user: { ...(event.user as object), email, full_name: fullName } };
};

const typingRule: Rule = (event, { isKnown }) =>
  isKnown((event.sender as { user_id: number }).user_id) ? event : undefined;

const editingRule: Rule = (event, { isKnown }) => (isKnown(event.sender_id as number) ? event : undefined);

const userRule: Rule = (event, { state, queue, isKnown }) => {
  const { user_id } = event.person as { user_id: UserId };
  if (isKnown(user_id)) return event;
  if (event.op !== "add" || queue.can("user_list_incomplete")) return undefined;
  return { ...event, person: presentUnknownUser(state, { id: user_id }) };
};

const presenceRule: Rule = (event, { isKnown }) => {
  if (!event.presences) return isKnown(event.user_id as number) ? event : undefined;
  const known = Object.entries(event.presences).filter(([id]) => isKnown(Number(id)));
  return known.length === 0 ? undefined : { ...event, presences: Object.fromEntries(known) };
};

const groupRule: Rule = (event, { isKnown }) => {
  if (event.op === "add") {
    const group = event.group as { members: number[] };
    return { ...event, group: { ...group, members: group.members.filter(isKnown) } };
  }
  const ids = event.user_ids as number[] | undefined;
  if (!ids || ids.every(isKnown)) return event;
  const known = ids.filter(isKnown);
  return known.length === 0 ? undefined : { ...event, user_ids: known };
};

/** null: the event names people by their ids alone, or nobody but the guest. */
export const rules: Readonly<Record<string, Rule | null>> = {
  message: messageRule,
  update_message: null,
  delete_message: null,
  update_message_flags: null,
  reaction: reactionRule,
  submessage: null,
  typing: typingRule,
  typing_edit_message: editingRule,
  scheduled_messages: null,
  reminders: null,
  stream: null,
  // A guest sees the subscribers of channels that they share with them, and of web-public ones.
  subscription: null,
  default_streams: null,
  default_stream_groups: null,
  channel_folder: null,
  user_topic: null,
  muted_topics: null,
  realm_user: userRule,
  // Guests manage no bots.
  realm_bot: null,
  muted_users: null,
  presence: presenceRule,
  user_status: aboutUser,
  alert_words: null,
  saved_snippets: null,
  attachment: null,
  navigation_view: null,
  drafts: null,
  onboarding_steps: null,
  user_group: groupRule,
  user_settings: null,
  update_display_settings: null,
  update_global_notifications: null,
  realm: null,
  realm_user_settings_defaults: null,
  // Values that name people name their ids.
  custom_profile_fields: null,
  realm_linkifiers: null,
  realm_playgrounds: null,
  // Authors are named by their ids.
  realm_emoji: null,
  invites_changed: null,
  realm_domains: null,
  // Only administrators get these.
  realm_export: null,
  realm_export_consent: null,
  push_device: null,
  heartbeat: null,
};
