/**
 * Which channels of a directory a reader may know of, and how each stands to the reader. What all readers of
 * a kind may know of is looked up once for a directory. The others are decided for each reader, by
 * `canSeeChannel`.
 */
import type { ChannelId } from "../../../api/ids.ts";
import { roles } from "../../../api/roles.ts";
import type { User } from "../../people/user.ts";
import type { OrganizationState } from "../../platform/log/organization-state.ts";
import { canSeeChannel, isSeenByAll } from "../access.ts";
import type { Channel } from "../channel.ts";
import { currentDirectory, type Directory } from "./record-table.ts";
import { subscribers } from "./subscribers.ts";

export const standings = { hidden: 0, neverSubscribed: 1, subscribed: 2, unsubscribed: 3 } as const;

/** What is the same for all readers of a kind. */
interface Common {
  /** By place, `neverSubscribed` for channels that all of them may know of. */
  standings: Uint8Array;
  /** The places of the channels that are decided for each reader. */
  undecided: readonly number[];
}

/** By directory and by kind of reader. */
const common = new WeakMap<Directory, Common[]>();

const notAsSubscriber = { asSubscriber: false };

/**
 * How the channel at each place stands to the reader, one of `standings`, as of now. A channel that the
 * reader has left counts as `neverSubscribed`: memory knows no more. The directory must be of now, too.
 */
export function findStandings(
  state: OrganizationState,
  directory: Directory,
  user: User | undefined,
  { hasArchived }: { hasArchived: boolean },
): Uint8Array {
  const { standings: same, undecided } = commonFor(directory, user, hasArchived);
  const found = same.slice();
  if (!user) return found;
  for (const place of undecided) {
    if (canSeeChannel(state, user, directory.channels[place] as Channel, notAsSubscriber))
      found[place] = standings.neverSubscribed;
  }
  for (const id of state.get(subscribers).channelsOf(user.id)) {
    const place = placeOf(directory, id);
    if (place === undefined || (!hasArchived && directory.channels[place]?.isArchived)) continue;
    found[place] = standings.subscribed;
  }
  return found;
}

export function placeOf({ places }: Directory, channelId: ChannelId): number | undefined {
  return places.get(channelId);
}

/** The names of the channels that are not archived and of which the user may know, as of now. */
export function visibleNames(
  state: OrganizationState,
  user: User,
): (channelId: ChannelId) => string | undefined {
  const directory = currentDirectory(state);
  const found = findStandings(state, directory, user, { hasArchived: false });
  return (channelId) => {
    const place = placeOf(directory, channelId);
    if (place === undefined || found[place] === standings.hidden) return undefined;
    return directory.channels[place]?.name;
  };
}

function commonFor(directory: Directory, user: User | undefined, hasArchived: boolean): Common {
  const isMember = user !== undefined && user.role < roles.guest;
  const kind = (isMember ? 2 : user ? 1 : 0) + (hasArchived ? 3 : 0);
  let kinds = common.get(directory);
  if (!kinds) {
    kinds = [];
    common.set(directory, kinds);
  }
  kinds[kind] ??= findCommon(directory, user, hasArchived);
  return kinds[kind];
}

function findCommon(directory: Directory, user: User | undefined, hasArchived: boolean): Common {
  const found = new Uint8Array(directory.channels.length);
  const undecided: number[] = [];
  for (const [place, channel] of directory.channels.entries()) {
    if (channel.isArchived && !hasArchived) continue;
    if (isSeenByAll(channel, user)) found[place] = standings.neverSubscribed;
    else if (user) undecided.push(place);
  }
  return { standings: found, undecided };
}
