/**
 * Older topics of one channel may have names that are equal by now. The name then means the oldest of them,
 * and messages to it go there. This joins them on demand, as a move of all messages of the others.
 */

import type { ChannelId, MessageId } from "../../../api/ids.ts";
import { moveTopicPolicies } from "../../attention/user-topics/actions.ts";
import type { Channel } from "../../channels/channel.ts";
import { findOrMakeTopic, recipients } from "../../channels/recipients/recipients.ts";
import { parseTopicName } from "../../channels/recipients/topic-name.ts";
import { listTopicsNamed, type Topic } from "../../channels/recipients/topic-store.ts";
import type { ViewerChange } from "../../people/viewer/change.ts";
import { patchOf } from "../../platform/log/projection.ts";
import { lockMessages } from "../delete/store.ts";
import { announceUpdate } from "../delivery/update-event.ts";
import { insertMoves } from "../edit/edit.ts";
import { listTopicFrom } from "../edit/store.ts";
import type { FetchedRow } from "../model/message.ts";
import { listFetched } from "../query/fetch.ts";
import { shareReadStateLock } from "../read-state/read-state-lock.ts";
import { applyMove, type Move } from "./move.ts";

export interface MergedTopics {
  /** The topic that all messages are in now. */
  topic: string;
  /** How many topics with messages were merged into it, and how many messages they had. */
  topics: number;
  messages: number;
}

/**
 * Moves all messages of the topics of that name into the one that the name means, with people's policies. The
 * clients of those who can read them get an event. Nobody gets a notice: the topic looked the same before.
 * What people have read of them stays.
 */
export async function mergeTopics(tx: ViewerChange, channel: Channel, text: string): Promise<MergedTopics> {
  const name = parseTopicName(text);
  const target = await findOrMakeTopic(tx.state, channel.id, name);
  await shareReadStateLock(tx, tx.state.organizationId);
  const twins = await listTopicsNamed(tx, tx.state.organizationId, channel.id, name);
  const merged: MergedTopics = { topic: target.name, topics: 0, messages: 0 };
  for (const twin of twins) {
    if (twin.id === target.id) continue;
    const count = await moveAll(tx, channel, twin, target);
    if (count > 0) merged.topics++;
    merged.messages += count;
  }
  tx.appendPatch(patchOf(recipients, [channel.id]));
  return merged;
}

async function moveAll(tx: ViewerChange, channel: Channel, from: Topic, to: Topic): Promise<number> {
  const { organizationId } = tx.state;
  const listed = await listTopicFrom(tx, organizationId, from.id, 0);
  const locked = await lockMessages(
    tx,
    organizationId,
    listed.map(({ id }) => id),
  );
  const ids = locked.map(({ id }) => id);
  const places = { from: placeOf(channel, from), to: placeOf(channel, to) };
  if (ids.length === 0) {
    await moveTopicPolicies(tx, placed(from, channel.id), placed(to, channel.id), { isMerge: true });
    return 0;
  }
  const move: Move = { ...places, mode: "change_all", isRespelling: false, ids, isWholeTopic: true };
  const [row] = await listFetched(tx, organizationId, undefined, ids[0] as MessageId);
  const at = new Date();
  await applyMove(tx, move, at);
  await insertMoves(tx, row as FetchedRow, { content: undefined, move, editedAt: at });
  await announceUpdate(tx, row as FetchedRow, { content: undefined, move, editedAt: at });
  return ids.length;
}

function placeOf(channel: Channel, { id, name }: Topic): Move["from"] {
  return { channel, topic: name, topicId: id };
}

function placed({ id, name }: Topic, channelId: ChannelId) {
  return { id, channelId, name };
}
