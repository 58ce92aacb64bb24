/** Reactions and topic policies, which name messages and topics that are there by now. */

import { ApiError } from "../../../api/errors.ts";
import type { MessageId, OrganizationId } from "../../../api/ids.ts";
import { addPastPolicies, type PastPolicy } from "../../attention/user-topics/past.ts";
import { parseTopicName } from "../../channels/recipients/topic-name.ts";
import { findTopic } from "../../channels/recipients/topic-store.ts";
import { type PastReaction, writePastReactions } from "../../messages/past-messages.ts";
import type { Database } from "../../platform/db/database.ts";
import type { WrittenIds } from "./ids.ts";
import type { ImportSource, SourceReaction } from "./records.ts";
import type { Report } from "./report.ts";
import type { Spool } from "./spool.ts";

const BATCH = 1000;
const MAX_NAME = 100;

interface Target {
  database: Database;
  organizationId: OrganizationId;
  source: ImportSource;
  ids: WrittenIds;
  emoji: ReadonlyMap<string, number>;
  signal: AbortSignal | undefined;
}

/** Reactions that can come. `isKnown`: whether somebody is in the archive. */
export async function* checkReactions(
  source: ImportSource,
  spool: Spool,
  isKnown: (personId: string) => boolean,
  hasEmoji: (id: string) => boolean,
  report: Report,
): AsyncGenerator<SourceReaction & { place: number }> {
  for await (const reaction of source.reactions(report)) {
    const place = spool.placeOf(reaction.messageId);
    if (place === undefined) report.lose("reactions to messages that do not come were left out");
    else if (!isKnown(reaction.personId))
      report.lose("reactions of people who are not in the archive were left out");
    else if (reaction.reactionType === "realm_emoji" && !hasEmoji(reaction.emojiCode)) {
      report.lose("reactions with emoji that do not come were left out", reaction.emojiName);
    } else if (reaction.emojiName.length > MAX_NAME || reaction.emojiCode.length > MAX_NAME) {
      report.lose("reactions that can't be read were left out");
    } else {
      report.taken("reactions");
      yield { ...reaction, place };
    }
  }
}

/** Those that an earlier run has written stay. */
export async function writeReactions(target: Target, spool: Spool, report: Report): Promise<void> {
  const { database, organizationId, source, ids, emoji } = target;
  let batch: PastReaction[] = [];
  const write = async () => {
    target.signal?.throwIfAborted();
    await database.transaction((tx) => writePastReactions(tx, { organizationId }, batch), {
      lane: "background",
    });
    batch = [];
  };
  const isKnown = (id: string) => ids.people.has(id);
  for await (const reaction of checkReactions(source, spool, isKnown, (id) => emoji.has(id), report)) {
    const { place, personId, reactionType, emojiCode, emojiName } = reaction;
    const userId = ids.people.get(personId);
    if (userId === undefined) continue;
    const isCustom = reactionType === "realm_emoji";
    batch.push({
      messageId: place as MessageId,
      userId,
      reactionType: reactionType === "zulip_extra_emoji" ? "service_extra_emoji" : reactionType,
      emojiCode: isCustom ? String(emoji.get(emojiCode)) : emojiCode,
      emojiName,
    });
    if (batch.length >= BATCH) await write();
  }
  if (batch.length > 0) await write();
}

export async function writeTopicPolicies(
  { database, organizationId, source, ids }: Target,
  report: Report,
): Promise<void> {
  const policies: PastPolicy[] = [];
  // Those of one topic follow each other in most sources.
  let last: { key: string; found: Awaited<ReturnType<typeof findTopic>> } | undefined;
  for (const { channelId, topic, personId, policy, at } of source.topicPolicies) {
    const [channel, userId] = [ids.channels.get(channelId), ids.people.get(personId)];
    const name = topicName(topic);
    const key = `${channel} ${name}`;
    if (last?.key !== key) {
      const isThere = channel !== undefined && name !== undefined;
      last = { key, found: isThere ? await findTopic(database, organizationId, channel, name) : undefined };
    }
    const { found } = last;
    if (!found || userId === undefined) {
      report.lose("policies for topics without a message do not come", topic);
      continue;
    }
    policies.push({ userId, topicId: found.id, policy, at });
    report.taken("topic policies");
  }
  for (let start = 0; start < policies.length; start += BATCH) {
    const part = policies.slice(start, start + BATCH);
    await database.transaction((tx) => addPastPolicies(tx, organizationId, part), { lane: "background" });
  }
}

function topicName(text: string): string | undefined {
  try {
    return parseTopicName(text);
  } catch (error) {
    if (error instanceof ApiError) return undefined;
    throw error;
  }
}
