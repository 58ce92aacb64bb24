/**
 * Who was in a group at a position of the log, for messages that mention groups. The database and each node's
 * memory hold the direct memberships that ended, and where the present ones began. What has never changed
 * costs nothing. The members that a group had through others are worked out when that is asked, for one
 * person.
 */

import { organizationSettings } from "../../api/administration/organization-settings.ts";
import type { GroupId, Position, UserId } from "../../api/ids.ts";
import { settingOf } from "../organization/setting.ts";
import type { User } from "../people/user.ts";
import type { OrganizationState } from "../platform/log/organization-state.ts";
import type { Projection } from "../platform/log/projection.ts";
import { pushTo } from "../platform/std/multimap.ts";
import { DAY_MS, type Group, type Groups, groups, isMember, roleGroupOf } from "./group.ts";
import {
  listFormerWaitingPeriods,
  listGroupIntervals,
  type Membership,
  type WaitingPeriod,
} from "./history-store.ts";
import { type Interval, intersect, isSame, union } from "./intervals.ts";

/**
 * How often a membership may end and be remembered. If somebody comes back more often, the newest interval
 * goes on as if they had not left. So somebody who adds and removes people all day fills neither memory nor
 * tables.
 */
export const MAX_INTERVALS = 16;

/** How many people's intervals are kept. With ten groups, they take a kilobyte. */
const MAX_KEPT_PEOPLE = 1000;

interface RecordedInterval {
  groupId: GroupId;
  from: number;
  /** null: until now. */
  to: number | null;
}

/** When a person was in groups, by group. */
export type PastGroups = ReadonlyMap<GroupId, readonly Interval[]>;

export interface HistoryPatch {
  ended?: readonly Membership[];
  begun?: readonly Membership[];
  /** The waiting period that ends, in days. */
  waitingPeriod?: number;
}

export class GroupHistory {
  readonly #ofUser = new Map<UserId, RecordedInterval[]>();
  readonly #ofSubgroup = new Map<GroupId, RecordedInterval[]>();
  readonly waitingPeriods: WaitingPeriod[] = [];
  /** The position of the newest change. Since then, membership is as it is now. */
  newest = 0;
  version = 0;
  readonly kept = new KeptPeople();

  ofUser(userId: UserId): readonly RecordedInterval[] {
    return this.#ofUser.get(userId) ?? none;
  }

  ofSubgroup(subgroupId: GroupId): readonly RecordedInterval[] {
    return this.#ofSubgroup.get(subgroupId) ?? none;
  }

  subgroupIds(): Iterable<GroupId> {
    return this.#ofSubgroup.keys();
  }

  /** Whether a membership has ended so often that its newest interval is to go on. */
  isFull({ groupId, userId, subgroupId }: Membership): boolean {
    const all = userId === null ? this.ofSubgroup(subgroupId as GroupId) : this.ofUser(userId);
    return all.filter((each) => each.groupId === groupId).length >= MAX_INTERVALS;
  }

  add(membership: Membership, from: number, to: number | null): void {
    const interval = { groupId: membership.groupId, from, to };
    if (membership.userId !== null) pushTo(this.#ofUser, membership.userId, interval);
    else pushTo(this.#ofSubgroup, membership.subgroupId as GroupId, interval);
    this.#changed(Math.max(from, to ?? 0));
  }

  apply({ ended = [], begun = [], waitingPeriod }: HistoryPatch, position: Position): void {
    for (const membership of ended) {
      const open = this.#newestOf(membership, ({ to }) => to === null);
      if (open) open.to = position;
      else this.add(membership, 0, position);
    }
    for (const membership of begun) {
      const resumed = this.isFull(membership) ? this.#newestOf(membership, () => true) : undefined;
      if (resumed) resumed.to = null;
      else this.add(membership, position, null);
    }
    if (waitingPeriod !== undefined) this.addWaitingPeriod({ days: waitingPeriod, to: position });
    this.#changed(position);
  }

  addWaitingPeriod(period: WaitingPeriod): void {
    this.waitingPeriods.push(period);
    this.#changed(period.to);
  }

  #newestOf(
    { groupId, userId, subgroupId }: Membership,
    is: (interval: RecordedInterval) => boolean,
  ): RecordedInterval | undefined {
    const all = userId === null ? this.#ofSubgroup.get(subgroupId as GroupId) : this.#ofUser.get(userId);
    return all?.findLast((each) => each.groupId === groupId && is(each));
  }

  #changed(position: number): void {
    this.newest = Math.max(this.newest, position);
    this.version++;
  }
}

const none: readonly never[] = [];

/** What was worked out lately. All of it goes when groups or the history change. */
class KeptPeople {
  readonly #ofPerson = new Map<UserId, { user: User; past: PastGroups }>();
  #containers: ReadonlyMap<GroupId, readonly (Interval & { groupId: GroupId })[]> = new Map();
  #key = "";

  get(state: OrganizationState, user: User): PastGroups {
    const history = state.get(groupHistory);
    const all = state.get(groups);
    const waitingDays = settingOf(state, organizationSettings.waitingPeriodThreshold);
    const key = `${history.version}.${all.version}.${waitingDays}`;
    if (key !== this.#key) {
      this.#key = key;
      this.#ofPerson.clear();
      this.#containers = containersOf(all, history);
    }
    const known = this.#ofPerson.get(user.id);
    if (known?.user === user) return known.past;
    const past = withContainers(directIntervals(all, history, user, waitingDays), this.#containers);
    if (this.#ofPerson.size >= MAX_KEPT_PEOPLE) this.#ofPerson.clear();
    this.#ofPerson.set(user.id, { user, past });
    return past;
  }
}

export const groupHistory: Projection<GroupHistory, HistoryPatch> = {
  name: "group_history",
  // No permission depends on the past.
  isAdvisory: true,
  async load(tx, organizationId) {
    const history = new GroupHistory();
    for (const row of await listGroupIntervals(tx, organizationId)) history.add(row, row.from ?? 0, row.to);
    for (const period of await listFormerWaitingPeriods(tx, organizationId)) history.addWaitingPeriod(period);
    return history;
  },
  apply(history, patch, _, position) {
    history.apply(patch, position);
  },
};

/** When somebody was in groups, directly or through others. Groups of roles are among them. */
export function pastGroupsOf(state: OrganizationState, user: User): PastGroups {
  if (user.isSystem) return new Map();
  return state.get(groupHistory).kept.get(state, user);
}

/** Whether somebody was in a group at a position, and at this time, in UNIX seconds. */
export function wasMember(
  state: OrganizationState,
  groupId: GroupId,
  user: User,
  { position, time }: { position: number; time: number },
): boolean {
  const isActive = state.get(groups).byId.get(groupId)?.isActive === true;
  if (isActive && position > state.get(groupHistory).newest) {
    return isMember(state, groupId, user, time * 1000);
  }
  const intervals = pastGroupsOf(state, user).get(groupId);
  return (
    intervals?.some(({ from, to, since }) => from < position && position < to && time * 1000 >= since) ===
    true
  );
}

/** The groups that contained each group, and when. */
function containersOf(
  all: Groups,
  history: GroupHistory,
): ReadonlyMap<GroupId, readonly (Interval & { groupId: GroupId })[]> {
  const containers = new Map<GroupId, (Interval & { groupId: GroupId })[]>();
  const add = (subgroupId: GroupId, groupId: GroupId, { from, to, since }: Interval) =>
    pushTo(containers, subgroupId, { groupId, from, to, since });
  for (const { id, subgroupIds } of all.all()) {
    for (const subgroupId of subgroupIds)
      add(subgroupId, id, sinceNewest(history.ofSubgroup(subgroupId), id));
  }
  for (const subgroupId of history.subgroupIds()) {
    for (const recorded of history.ofSubgroup(subgroupId)) {
      if (recorded.to !== null) add(subgroupId, recorded.groupId, ended(recorded.from, recorded.to));
    }
  }
  return containers;
}

/**
 * The interval of a present membership. Without a record of its beginning, it began after the last one had
 * ended.
 */
function sinceNewest(recorded: readonly RecordedInterval[], groupId: GroupId): Interval {
  const newest = recorded.findLast((each) => each.groupId === groupId);
  const from = newest === undefined ? 0 : (newest.to ?? newest.from);
  return { from, to: Number.POSITIVE_INFINITY, since: 0 };
}

function ended(from: number, to: number): Interval {
  return { from, to, since: 0 };
}

/** When somebody was a direct member of groups, while the account was active. */
function directIntervals(
  all: Groups,
  history: GroupHistory,
  user: User,
  waitingDays: number,
): Map<GroupId, Interval[]> {
  const recorded = history.ofUser(user.id);
  const found = new Map<GroupId, Interval[]>();
  for (const { groupId, from, to } of recorded) if (to !== null) pushTo(found, groupId, ended(from, to));
  const ownRole = user.isActive ? [roleGroupOf(all, user.role).id] : [];
  for (const groupId of [...all.of(user.id), ...ownRole]) {
    pushTo(found, groupId, sinceNewest(recorded, groupId));
  }
  const isOfRole = (id: GroupId) => (all.byId.get(id) as Group | undefined)?.systemCode != null;
  const active = union([...found].flatMap(([id, intervals]) => (isOfRole(id) ? intervals : [])));
  for (const [id, intervals] of found) {
    found.set(id, isOfRole(id) ? union(intervals) : union(intersect(intervals, active)));
  }
  const asMember = found.get(all.system("members").id) ?? [];
  const full = intersect(asMember, waitedIntervals(history, user, waitingDays));
  if (full.length > 0) found.set(all.system("fullMembers").id, union(full));
  return found;
}

/** When a member was past the waiting period, by each one that was in force. */
function waitedIntervals(history: GroupHistory, user: User, waitingDays: number): Interval[] {
  const periods = [...history.waitingPeriods, { days: waitingDays, to: Number.POSITIVE_INFINITY }];
  return periods.map(({ days, to }, index) => ({
    from: periods[index - 1]?.to ?? 0,
    to,
    since: days === 0 ? 0 : Date.parse(user.joinedAt) + days * DAY_MS,
  }));
}

/** Adds the groups that contained those, directly or not. */
function withContainers(
  found: Map<GroupId, Interval[]>,
  containers: ReadonlyMap<GroupId, readonly (Interval & { groupId: GroupId })[]>,
): PastGroups {
  // A set that grows during the iteration is iterated to its new end. A group whose intervals grow comes
  // again.
  const changed = new Set(found.keys());
  for (const id of changed) {
    changed.delete(id);
    const own = found.get(id) ?? [];
    for (const container of containers.get(id) ?? []) {
      const before = found.get(container.groupId) ?? [];
      const after = union([...before, ...intersect(own, [container])]);
      if (isSame(before, after)) continue;
      found.set(container.groupId, after);
      changed.add(container.groupId);
    }
  }
  return found;
}
