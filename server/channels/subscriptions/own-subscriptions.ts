/**
 * People who join and leave channels themselves, many at the same moment. They share a transaction, and those
 * who join or leave the same channels share its entries.
 */
import type { ChannelId } from "../../../api/ids.ts";
import type { User } from "../../people/user.ts";
import { changeStateInGroup } from "../../people/viewer/change.ts";
import { currentViewer } from "../../people/viewer/current-viewer.ts";
import type { Viewer } from "../../people/viewer/viewer.ts";
import { NotForGroup } from "../../platform/log/grouped-change.ts";
import type { GroupedStateChange } from "../../platform/log/grouped-state-change.ts";
import { accessChannelsByName } from "../access.ts";
import { type Channel, channels } from "../channel.ts";
import { type ChannelPeople, type Outcome, subscribeEach, unsubscribeEach } from "./subscribe.ts";
import { colorsOf, type SubscribeRequest, sortNames } from "./subscribe-by-name.ts";

/** A person who names more channels makes a change alone, so that others need not wait for it. */
const MAX_CHANNELS = 10;
/**
 * What a channel adds to a group, see `GroupedStateChange.sizeOf`. Each channel that is left needs two
 * statements for what becomes read in it.
 */
const JOIN_SIZE = 1024;
const LEAVE_SIZE = 4096;

export interface OwnRequest {
  viewer: Viewer;
  join: SubscribeRequest["channels"];
  /** Names of channels. */
  leave: readonly string[];
  /** See `SubscribeRequest`. */
  isFatal: boolean;
}

/** The outcomes for the viewer alone. */
export interface OwnOutcome {
  joined: Outcome[];
  left: Outcome[];
  /** See `SortedNames`. */
  unauthorized: readonly string[];
}

interface Decision {
  user: User;
  joins: readonly Channel[];
  leaves: readonly Channel[];
  colors: ReadonlyMap<ChannelId, string>;
  unauthorized: readonly string[];
}

const ownSubscriptions: GroupedStateChange<OwnRequest, Decision, OwnOutcome> = {
  keysOf: ({ viewer }) => [String(viewer.user.id)],
  sizeOf: ({ join, leave }) => join.length * JOIN_SIZE + leave.length * LEAVE_SIZE,
  decide({ viewer: asked, join, leave, isFatal }) {
    const viewer = currentViewer(asked);
    const { user } = viewer;
    const { named, ready, missing, unauthorized } = sortNames(viewer, {
      channels: join,
      targets: [user],
      isFatal,
    });
    // A channel must be made, which takes more than memory.
    if (missing.length > 0) throw new NotForGroup();
    const leaves = accessChannelsByName(viewer, leave);
    return { user, joins: ready, leaves, colors: colorsOf(named, ready), unauthorized };
  },
  async make(tx, decided) {
    const colors = new Map(decided.map(({ user, colors }) => [user.id, colors]));
    const joining = byChannel(decided, ({ joins }) => joins);
    const joined = changedIn(
      await subscribeEach(tx, joining, ({ id }, user) => colors.get(user.id)?.get(id)),
    );
    const left = changedIn(
      await unsubscribeEach(
        tx,
        byChannel(decided, ({ leaves }) => leaves),
      ),
    );
    return decided.map(({ user, joins, leaves, unauthorized }) => ({
      joined: joins.map((channel) => ownOutcome(channel, user, joined)),
      left: leaves.map((channel) => ownOutcome(channel, user, left)),
      unauthorized,
    }));
  },
};

/** undefined: the request makes a channel, or is too large, so it needs a change of its own. */
export async function changeOwnInGroup(request: OwnRequest): Promise<OwnOutcome | undefined> {
  const { viewer, join, leave } = request;
  if (join.length + leave.length > MAX_CHANNELS) return undefined;
  const known = viewer.state.get(channels);
  if (!join.every(({ name }) => known.findByName(name.trim()))) return undefined;
  try {
    return await changeStateInGroup(ownSubscriptions, request);
  } catch (error) {
    if (error instanceof NotForGroup) return undefined;
    throw error;
  }
}

function byChannel(
  decided: readonly Decision[],
  channelsOf: (decision: Decision) => readonly Channel[],
): ChannelPeople[] {
  const people = new Map<Channel, User[]>();
  for (const decision of [...decided].sort((a, b) => a.user.id - b.user.id)) {
    for (const channel of channelsOf(decision)) {
      const targets = people.get(channel);
      if (targets) targets.push(decision.user);
      else people.set(channel, [decision.user]);
    }
  }
  return [...people].map(([channel, targets]) => ({ channel, targets }));
}

type Changed = ReadonlyMap<Channel, ReadonlySet<User>>;

function changedIn(outcomes: readonly Outcome[]): Changed {
  return new Map(outcomes.map(({ channel, changed }) => [channel, new Set(changed)]));
}

function ownOutcome(channel: Channel, user: User, changed: Changed): Outcome {
  const isChanged = changed.get(channel)?.has(user) === true;
  return { channel, changed: isChanged ? [user] : [], unchanged: isChanged ? [] : [user] };
}
