/**
 * Which messages an export may have. A public export has what all members can read: public channels. With
 * consent it also has what at least one consenting person can read as a participant: their direct messages,
 * and the private channels to which they are subscribed now. Where a channel does not share its history,
 * those are the messages that one of them received.
 */
import { type ExportType, exportTypes } from "../../../api/administration/exports.ts";
import type { ChannelId, UserId } from "../../../api/ids.ts";
import { userSettings } from "../../../api/people/user-settings.ts";
import { channels } from "../../channels/channel.ts";
import { subscribers } from "../../channels/subscriptions/subscribers.ts";
import { userSettingOf } from "../../people/settings/user-setting.ts";
import { type User, users } from "../../people/user.ts";
import type { Queryable } from "../../platform/db/database.ts";
import type { OrganizationState } from "../../platform/log/organization-state.ts";
import { pushTo } from "../../platform/std/multimap.ts";
import { listIntervalsOf, type PlacedRow } from "./content-store.ts";

export interface Scope {
  /** Who consents. Nobody in a public export. */
  consenting: ReadonlySet<UserId>;
  /** Channels with all of their messages. */
  open: ReadonlySet<ChannelId>;
  /** Channels with those messages that one of these consenting subscribers received. */
  received: ReadonlyMap<ChannelId, ReadonlySet<UserId>>;
}

/** Whether an export may include the person's private data. */
export function hasConsented(user: User): boolean {
  return canConsent(user) && userSettingOf(user, userSettings.allowPrivateDataExport);
}

/** Whether it is for the account to say. */
export function canConsent(user: User): boolean {
  return user.isActive && user.botType === null && !user.isSystem;
}

/** By the permissions and consents of this moment. */
export function scopeOf(state: OrganizationState, type: ExportType): Scope {
  const isPublic = type === exportTypes.public;
  const consenting = new Set(
    isPublic ? [] : [...state.get(users).all()].filter(hasConsented).map(({ id }) => id),
  );
  const open = new Set<ChannelId>();
  const received = new Map<ChannelId, ReadonlySet<UserId>>();
  for (const channel of state.get(channels).all()) {
    if (!channel.isPrivate && channel.isHistoryShared) {
      open.add(channel.id);
      continue;
    }
    const taking = [...state.get(subscribers).of(channel.id)].filter((id) => consenting.has(id));
    if (taking.length === 0) continue;
    if (channel.isHistoryShared) open.add(channel.id);
    else received.set(channel.id, new Set(taking));
  }
  return { consenting, open, received };
}

/**
 * The scope of a later moment of the same export. What was closed or withdrawn meanwhile is out from now on,
 * and nothing is added.
 */
export function narrowed(scope: Scope, later: Scope): Scope {
  const consenting = new Set([...later.consenting].filter((id) => scope.consenting.has(id)));
  const received = new Map<ChannelId, ReadonlySet<UserId>>();
  for (const [id, people] of later.received) {
    if (!scope.received.has(id) && !scope.open.has(id)) continue;
    received.set(id, new Set([...people].filter((userId) => consenting.has(userId))));
  }
  return { consenting, open: new Set([...later.open].filter((id) => scope.open.has(id))), received };
}

/** Those of the messages that are in the scope. */
export async function withinScope(
  state: OrganizationState,
  tx: Queryable,
  scope: Scope,
  places: readonly PlacedRow[],
): Promise<PlacedRow[]> {
  const limited = places.filter(({ recipientId }) => scope.received.has(recipientId as ChannelId));
  const wasReceived = limited.length > 0 ? await receivedBy(state, tx, scope) : () => false;
  return places.filter((place) => {
    if (place.isDirect) return place.isShared;
    return scope.open.has(place.recipientId as ChannelId) || wasReceived(place);
  });
}

async function receivedBy(
  state: OrganizationState,
  tx: Queryable,
  { received }: Scope,
): Promise<(place: PlacedRow) => boolean> {
  const people = new Set([...received.values()].flatMap((ids) => [...ids]));
  const byChannel = new Map<ChannelId, { from: number; to: number | null }[]>();
  const rows = await listIntervalsOf(tx, state.organizationId, [...received.keys()], [...people]);
  for (const row of rows) {
    if (received.get(row.channelId)?.has(row.userId)) pushTo(byChannel, row.channelId, row);
  }
  return ({ id, recipientId }) =>
    (byChannel.get(recipientId as ChannelId) ?? []).some(
      ({ from, to }) => from < id && (to === null || id < to),
    );
}
