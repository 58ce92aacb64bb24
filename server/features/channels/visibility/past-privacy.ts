import type { ChannelId, Position } from "../../../../api/ids.ts";
import type { Queryable } from "../../../platform/db/database.ts";
import type { OrganizationState } from "../../../platform/log/organization-state.ts";
import { type Channel, channels } from "../channel.ts";
import { listPrivacyChanges } from "../store.ts";

/**
 * Channels with the privacy that they had at a place in the log, if it is behind `after`. What was done in a private channel
 * isn't for those who can read it since it is public: texts may have been edited or deleted before that.
 */
export async function findPastPrivacy(
  state: OrganizationState,
  tx: Queryable,
  after: Position,
): Promise<(channelId: ChannelId, position: Position) => Channel | undefined> {
  const changes = await listPrivacyChanges(tx, state.organizationId, after);
  return (channelId, position) => {
    const channel = state.get(channels).byId.get(channelId);
    // The entry of the change itself is heard by those whom the change lets in.
    const next = changes.find((change) => change.before.id === channelId && change.position > position);
    return channel && next ? { ...channel, ...next.before } : channel;
  };
}
