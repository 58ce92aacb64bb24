import type { ChannelId, Position } from "../../../api/ids.ts";
import type { Queryable } from "../../platform/db/database.ts";
import type { OrganizationState } from "../../platform/log/organization-state.ts";
import { type Channel, channels } from "../channel.ts";
import { listPrivacyChanges } from "../store.ts";

/** What the log says of the privacy of channels. */
export interface PrivacyHistory {
  /** The channel as it is now, but with the privacy that it had at a position. */
  channelAt(channelId: ChannelId, position: Position): Channel | undefined;
  /** The channels whose privacy changed since. */
  changed: ReadonlySet<ChannelId>;
}

/**
 * Channels with the privacy that they had at a position of the log after `after`. Users who can read a
 * channel only since it became public must not get its earlier events: texts may have been edited or
 * deleted since.
 */
export async function findPastPrivacy(
  state: OrganizationState,
  tx: Queryable,
  after: Position,
): Promise<PrivacyHistory> {
  const changes = await listPrivacyChanges(tx, state.organizationId, after);
  return {
    channelAt(channelId, position) {
      const channel = state.get(channels).byId.get(channelId);
      // The entry of the change itself goes to the users who gain access by it.
      const next = changes.find((change) => change.before.id === channelId && change.position > position);
      return channel && next ? { ...channel, ...next.before } : channel;
    },
    changed: new Set(changes.map(({ before }) => before.id)),
  };
}
