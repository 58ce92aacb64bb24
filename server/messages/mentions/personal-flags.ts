import type { UserId } from "../../../api/ids.ts";
import { alertWords } from "../../attention/alert-words/alert-words.ts";
import { mutedUsers } from "../../attention/muted-users/muted-users.ts";
import type { OrganizationState } from "../../platform/log/organization-state.ts";
import { personalFlags } from "../model/message.ts";

/** Bits of `personalFlags` by person. */
export type PersonalBits = readonly (readonly [UserId, number])[];

const nobody: PersonalBits = [];

/** The input that decides the bits. */
export interface PersonalText {
  senderId: UserId;
  content: string;
  mentionedUserIds: readonly number[];
  /** The people who take part in the topic, if the text mentions the topic. */
  topicParticipantIds?: readonly UserId[];
}

/**
 * The personal flags of a message for the people who receive it. A person gets a flag if the message mentions
 * them by name, or with all who take part in its topic. Other reasons are an alert word of theirs, and a
 * sender whom they have muted. Nearly all messages give nobody a flag and cost nothing here. `isCalled`:
 * whether a mention by name reaches a person who does not receive the message (`isMentionedBot`).
 */
export function personalBitsOf(
  state: OrganizationState,
  message: PersonalText,
  receives: (userId: UserId) => boolean,
  isCalled: (userId: UserId) => boolean = () => false,
): PersonalBits {
  const mentioned = message.mentionedUserIds as readonly UserId[];
  const { topicParticipantIds } = message;
  const muters = state.get(mutedUsers).mutersOf(message.senderId);
  const words = state.get(alertWords);
  if (mentioned.length === 0 && muters === undefined && words.isEmpty && !topicParticipantIds) return nobody;
  const bits = new Map<UserId, number>();
  const add = (people: Iterable<UserId>, bit: number) => {
    for (const userId of people) if (receives(userId)) bits.set(userId, (bits.get(userId) ?? 0) | bit);
  };
  add(mentioned, personalFlags.mentioned);
  for (const userId of mentioned) if (isCalled(userId)) bits.set(userId, personalFlags.mentioned);
  if (topicParticipantIds) add(topicParticipantIds, personalFlags.topicMentioned);
  if (!words.isEmpty) add(words.hearersOf(message.content), personalFlags.alertWord);
  if (muters) add(muters, personalFlags.readOnArrival);
  return bits.size === 0 ? nobody : [...bits];
}
