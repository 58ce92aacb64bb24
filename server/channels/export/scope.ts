/**
 * Which messages an export may have. A public export has what all members can read: public channels. With
 * consent it also has what at least one consenting person can read as a participant: their direct messages,
 * and the private channels to which they are subscribed now. Where a channel does not share its history,
 * those are the messages that one of them received.
 */
import type { ExportType } from "../../../api/administration/exports.ts";
import type { ChannelId, MessageId, UserId } from "../../../api/ids.ts";
import { consentingTo } from "../../people/export-consent.ts";
import type { Queryable } from "../../platform/db/database.ts";
import type { OrganizationState } from "../../platform/log/organization-state.ts";
import { pushTo } from "../../platform/std/multimap.ts";
import { channels } from "../channel.ts";
import { subscribers } from "../subscriptions/subscribers.ts";
import { listIntervalsOf } from "./store.ts";

export interface ExportScope {
  /** The people who consent. A public export has none. */
  consenting: ReadonlySet<UserId>;
  /** Channels with all of their messages. */
  open: ReadonlySet<ChannelId>;
  /** Channels with those messages that one of these consenting subscribers received. */
  received: ReadonlyMap<ChannelId, ReadonlySet<UserId>>;
}

/** By the permissions and consents of this moment. */
export function exportScopeOf(state: OrganizationState, type: ExportType): ExportScope {
  const consenting = consentingTo(state, type);
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
export function narrowed(scope: ExportScope, later: ExportScope): ExportScope {
  const consenting = new Set([...later.consenting].filter((id) => scope.consenting.has(id)));
  const received = new Map<ChannelId, ReadonlySet<UserId>>();
  for (const [id, people] of later.received) {
    if (!scope.received.has(id) && !scope.open.has(id)) continue;
    received.set(id, new Set([...people].filter((userId) => consenting.has(userId))));
  }
  return { consenting, open: new Set([...later.open].filter((id) => scope.open.has(id))), received };
}

/**
 * Whether somebody who consents received a message of a channel that does not share its history. The times of
 * their subscriptions are read once.
 */
export async function receivedInScope(
  state: OrganizationState,
  tx: Queryable,
  { received }: ExportScope,
): Promise<(channelId: ChannelId, messageId: MessageId) => boolean> {
  const people = new Set([...received.values()].flatMap((ids) => [...ids]));
  const byChannel = new Map<ChannelId, { from: number; to: number | null }[]>();
  const rows = await listIntervalsOf(tx, state.organizationId, [...received.keys()], [...people]);
  for (const row of rows) {
    if (received.get(row.channelId)?.has(row.userId)) pushTo(byChannel, row.channelId, row);
  }
  return (channelId, id) =>
    (byChannel.get(channelId) ?? []).some(({ from, to }) => from < id && (to === null || id < to));
}
