/** The unread conversations of the inbox by channel: what needs the reader comes first. */
import { fold } from "../../client/autocomplete/fold.ts";
import { t } from "../i18n/t.ts";
import { channelLink } from "../shared/routing/links.ts";
import type { UnreadConversation } from "../shared/routing/unread-places.ts";
import { directView } from "../shared/routing/views.ts";
import { keptChoice, readTexts } from "../shared/state/kept.ts";
import { state } from "../shared/state/state.ts";
import { channelName, peopleNames, topicName } from "../shared/text/names.ts";

export interface Group {
  key: string;
  name: string;
  link: string;
  /** undefined: direct messages. */
  channelId: number | undefined;
  conversations: UnreadConversation[];
  /** Unread messages in all of them. */
  count: number;
  hasMention: boolean;
}

/** From so many conversations on, the channels are folded at first. */
const MANY = 60;

/** Those whose topic, channel or people have the text in their names. */
export function filterUnread(
  all: readonly UnreadConversation[],
  text: string,
): readonly UnreadConversation[] {
  const wanted = fold(text.trim());
  if (wanted === "") return all;
  const namesOf = ({ place }: UnreadConversation) =>
    "channelId" in place
      ? [topicName(place.topic), `#${channelName(place.channelId)}`]
      : [peopleNames(place.userIds)];
  return all.filter((one) => namesOf(one).some((name) => fold(name).includes(wanted)));
}

/** In the order of the list. */
export function groupByChannel(all: readonly UnreadConversation[]): Group[] {
  const groups = new Map<string, Group>();
  for (const conversation of all) {
    const { place, count, hasMention } = conversation;
    const channelId = "channelId" in place ? place.channelId : undefined;
    const key = channelId === undefined ? "direct" : `channel ${channelId}`;
    const group = groups.get(key) ?? {
      ...{ key, channelId, conversations: [], count: 0, hasMention: false },
      name: channelId === undefined ? t("sidebar.direct") : channelName(channelId),
      link: channelId === undefined ? directView.hash : channelLink(channelId),
    };
    groups.set(key, group);
    group.conversations.push(conversation);
    group.count += count;
    group.hasMention ||= hasMention;
  }
  return [...groups.values()];
}

/**
 * Which groups are folded. What the person has folded or opened stays so. Where there are many conversations,
 * those of channels without a mention are folded.
 */
export function createFolding(total: () => number) {
  const kept = keptChoice("inbox-groups", readTexts);
  const opened = (key: string) => `${key} open`;
  const folded = (key: string) => `${key} folded`;
  const isFolded = ({ key, channelId, hasMention }: Group) => {
    if (kept.value().includes(folded(key))) return true;
    if (kept.value().includes(opened(key))) return false;
    return total() > MANY && channelId !== undefined && !hasMention;
  };
  return {
    isFolded,
    toggle(group: Group): void {
      const { key } = group;
      const others = kept.value().filter((one) => one !== folded(key) && one !== opened(key));
      const known = others.filter((one) => isKnown(one));
      kept.keep([...known, isFolded(group) ? opened(key) : folded(key)]);
    },
  };
}

/** What is kept of channels that are gone is forgotten. */
function isKnown(kept: string): boolean {
  const id = /^channel (\d+) /.exec(kept)?.[1];
  return id === undefined || state.model.channels.get(Number(id)) !== undefined;
}
