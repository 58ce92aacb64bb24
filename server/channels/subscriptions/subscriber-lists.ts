import type { SubscriptionRecord } from "../../../api/channels/channel-fields.ts";
import type { ChannelId, UserId } from "../../../api/ids.ts";
import { users } from "../../people/user.ts";
import type { OrganizationState } from "../../platform/log/organization-state.ts";
import { recentlyActive } from "../history/recently-active.ts";
import { subscribers } from "./subscribers.ts";

/** Below this a partial list is complete (spec Limits). */
const ALWAYS_COMPLETE_BELOW = 250;

export type ListForm = "true" | "false" | "partial";

/**
 * A channel's active subscribers with their JSON, so that 10,000 ids are encoded once and not for each
 * request.
 */
export interface SubscriberList {
  readonly version: number;
  /** In ascending order. */
  readonly ids: readonly UserId[];
  /** As a field of a record. */
  field: string | undefined;
  partial: Partial | undefined;
}

interface Partial {
  activeVersion: number;
  usersVersion: number;
  ids: readonly UserId[];
  field: string;
}

/** The lists of an organization, kept until the subscribers or who is active change. */
interface Lists {
  usersVersion: number;
  inactive: ReadonlySet<UserId>;
  byChannel: Map<ChannelId, SubscriberList>;
}

const kept = new WeakMap<OrganizationState, Lists>();

/** The list as of now. It never changes, so it stays consistent while the caller waits for rows. */
export function subscriberList(state: OrganizationState, channelId: ChannelId): SubscriberList {
  const { byChannel, inactive } = listsOf(state);
  const version = state.get(subscribers).versionOf(channelId);
  let list = byChannel.get(channelId);
  if (list?.version !== version) {
    const ids = [...state.get(subscribers).of(channelId)]
      .filter((id) => !inactive.has(id))
      .sort((a, b) => a - b);
    list = { version, ids, field: undefined, partial: undefined };
    byChannel.set(channelId, list);
  }
  return list;
}

/** Whether a channel has more active subscribers than this. The list is only made if it may have. */
export function hasMoreSubscribers(state: OrganizationState, channelId: ChannelId, limit: number): boolean {
  if (state.get(subscribers).of(channelId).size <= limit) return false;
  return subscriberList(state, channelId).ids.length > limit;
}

/** A list of another time. The ids are in ascending order. */
export function formerList(ids: readonly UserId[]): SubscriberList {
  return { version: -1, ids, field: undefined, partial: undefined };
}

/** The field of a channel record that lists its subscribers, in the form the client asked for (spec E20). */
export function presentSubscribers(
  state: OrganizationState,
  list: SubscriberList,
  form: ListForm,
): Pick<SubscriptionRecord, "subscribers" | "partial_subscribers"> {
  if (form === "false") return {};
  return isPartial(list, form)
    ? { partial_subscribers: [...partialOf(state, list).ids] }
    : { subscribers: [...list.ids] };
}

/** That field as JSON text, to be put among other fields of an object; empty when there is none. */
export function subscribersField(state: OrganizationState, list: SubscriberList, form: ListForm): string {
  if (form === "false") return "";
  if (isPartial(list, form)) return partialOf(state, list).field;
  list.field ??= `"subscribers":[${list.ids.join()}]`;
  return list.field;
}

function isPartial(list: SubscriberList, form: ListForm): boolean {
  return form === "partial" && list.ids.length >= ALWAYS_COMPLETE_BELOW;
}

/** All bots, and all recently active people. */
function partialOf(state: OrganizationState, list: SubscriberList): Partial {
  const { partial } = list;
  const active = state.get(recentlyActive);
  const usersVersion = state.get(users).version;
  const isOfSameUsers = partial?.usersVersion === usersVersion;
  if (isOfSameUsers && partial.activeVersion === active.version) return partial;
  const added = isOfSameUsers ? active.addedSince(partial.activeVersion) : undefined;
  let ids: readonly UserId[];
  if (partial && added) {
    // In the morning somebody becomes active with each request, and is in few of the channels.
    const more = added.filter((id) => isAmong(list.ids, id) && !isAmong(partial.ids, id));
    ids = more.length > 0 ? [...partial.ids, ...more].sort((a, b) => a - b) : partial.ids;
  } else {
    ids = amongBoth(list.ids, alwaysTold(state));
  }
  const field =
    partial && isSameList(ids, partial.ids) ? partial.field : `"partial_subscribers":[${ids.join()}]`;
  list.partial = { activeVersion: active.version, usersVersion, ids, field };
  return list.partial;
}

function isSameList(one: readonly UserId[], other: readonly UserId[]): boolean {
  return one === other || (one.length === other.length && one.every((id, index) => id === other[index]));
}

function isAmong(ids: readonly UserId[], id: UserId): boolean {
  return ids[lowerBound(ids, id, 0)] === id;
}

/** The bots and the active people of the whole organization, in ascending order. */
function alwaysTold(state: OrganizationState): readonly UserId[] {
  const active = state.get(recentlyActive);
  const all = state.get(users);
  let found = told.get(state);
  if (found?.activeVersion !== active.version || found.usersVersion !== all.version) {
    const ids = [...all.all()]
      .filter((user) => user.botType !== null || active.has(user.id))
      .map(({ id }) => id)
      .sort((a, b) => a - b);
    found = { activeVersion: active.version, usersVersion: all.version, ids };
    told.set(state, found);
  }
  return found.ids;
}

const told = new WeakMap<
  OrganizationState,
  { activeVersion: number; usersVersion: number; ids: readonly UserId[] }
>();

/**
 * The ids in both of two ascending lists. A channel's few active people are found without reading all the
 * others.
 */
function amongBoth(one: readonly UserId[], other: readonly UserId[]): UserId[] {
  const [short, long] = one.length < other.length ? [one, other] : [other, one];
  const both: UserId[] = [];
  let from = 0;
  for (const id of short) {
    from = lowerBound(long, id, from);
    if (long[from] === id) both.push(id);
  }
  return both;
}

/** The index of `id`, or where it would be inserted, at or after `from`: doubling steps, then halves. */
function lowerBound(ids: readonly UserId[], id: UserId, from: number): number {
  let step = 1;
  while (from + step < ids.length && (ids[from + step] as UserId) < id) step *= 2;
  let low = from;
  let high = Math.min(from + step, ids.length);
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((ids[middle] as UserId) < id) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Who is deactivated. The same set while that does not change. */
export function inactiveUsers(state: OrganizationState): ReadonlySet<UserId> {
  return listsOf(state).inactive;
}

function listsOf(state: OrganizationState): Lists {
  const { version } = state.get(users);
  let lists = kept.get(state);
  if (lists?.usersVersion === version) return lists;
  const inactive = new Set<UserId>();
  for (const user of state.get(users).all()) if (!user.isActive) inactive.add(user.id);
  // Most changes to users do not change who is active.
  if (lists && isEqual(lists.inactive, inactive)) lists.usersVersion = version;
  else lists = { usersVersion: version, inactive, byChannel: new Map() };
  kept.set(state, lists);
  return lists;
}

function isEqual(a: ReadonlySet<UserId>, b: ReadonlySet<UserId>): boolean {
  return a.size === b.size && [...a].every((id) => b.has(id));
}
