import type { ChannelId, MessageId } from "../../../api/ids.ts";
import { registerFlags } from "../../../api/register/flags.ts";
import { type Snapshot, sectionOf } from "../../people/viewer/register-section.ts";
import { readableScopeOf } from "../query/readable/snapshot-ranges.ts";
import { listStarred } from "./store.ts";

/** The messages that the viewer has starred (spec E20). */
export const flagSection = sectionOf(registerFlags, async (snapshot) =>
  snapshot.wants("starred_messages") ? { starred_messages: await readStarred(snapshot) } : undefined,
);

/** The starred messages that the viewer can still read. */
async function readStarred(snapshot: Snapshot): Promise<MessageId[]> {
  const { state, viewer, tx } = snapshot;
  if (!viewer) return [];
  const [starred, { accessByChannel, received }] = await Promise.all([
    listStarred(tx, state.organizationId, viewer.user.id),
    readableScopeOf(snapshot),
  ]);
  return starred
    .filter(({ id, recipientId, isDirect }) => {
      const channelId = recipientId as ChannelId;
      const access = accessByChannel.get(channelId);
      return isDirect || access === "all" || (access === "received" && received.has(channelId, id));
    })
    .map(({ id }) => id);
}
