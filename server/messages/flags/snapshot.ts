import type { ChannelId, MessageId } from "../../../api/ids.ts";
import { registerFlags } from "../../../api/register/flags.ts";
import { type Snapshot, sectionOf } from "../../people/viewer/register-section.ts";
import { readableScopeOf } from "../query/readable/snapshot-ranges.ts";
import { ownStarred } from "./store.ts";

/** The messages that the viewer has starred (spec E20). */
export const flagSection = sectionOf(
  registerFlags,
  async (snapshot) =>
    snapshot.wants("starred_messages") ? { starred_messages: await readStarred(snapshot) } : undefined,
  ownStarred,
);

/** The starred messages that the viewer can still read. */
async function readStarred(snapshot: Snapshot): Promise<MessageId[]> {
  const { viewer, own } = snapshot;
  if (!viewer) return [];
  const [starred, { accessByChannel, received }] = await Promise.all([
    own(ownStarred),
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
