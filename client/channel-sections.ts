/** The subscribed channels as a list on the screen has them: in sections, each in the order of names. */
import type { Channel } from "./model/channels.ts";
import type { Model } from "./model/model.ts";
import type { Subscription } from "./model/subscriptions.ts";

export type SectionKey = "pinned" | "others" | `folder ${number}`;

export interface ChannelSection {
  key: SectionKey;
  /** undefined: the section has no name of its own. */
  folderName: string | undefined;
  active: readonly number[];
  /** Nobody has written there for a while. */
  inactive: readonly number[];
  muted: readonly number[];
}

export interface SectionOptions {
  /** The order of names in the reader's language. */
  compare: (one: string, other: string) => number;
  hasFolders: boolean;
  /** As the setting has it: 1 if there are many channels, 2 always, 3 never. */
  demotesInactive: 1 | 2 | 3;
}

/** With fewer channels, the list is short enough as it is. */
const MANY = 30;

interface Listed {
  channel: Channel;
  subscription: Subscription;
}

/** The pinned ones, the folders in their order, and the others. Sections without channels are left out. */
export function channelSections(model: Model, options: SectionOptions): ChannelSection[] {
  const all = [...model.subscriptions.byChannel.values()].flatMap((subscription): Listed[] => {
    const channel = model.channels.get(subscription.channelId);
    return channel && subscription.isSubscribed && !channel.isArchived ? [{ channel, subscription }] : [];
  });
  all.sort((a, b) => options.compare(a.channel.name, b.channel.name));
  const demotes = options.demotesInactive === 2 || (options.demotesInactive === 1 && all.length >= MANY);
  const byKey = new Map<SectionKey, Listed[]>();
  for (const channel of all) {
    const key = sectionOf(channel, model, options);
    byKey.set(key, [...(byKey.get(key) ?? []), channel]);
  }
  const folders = [...model.folders.byId.values()].sort((a, b) => a.order - b.order);
  const keys: SectionKey[] = ["pinned", ...folders.map(({ id }) => `folder ${id}` as const), "others"];
  return keys.flatMap((key) => {
    const listed = byKey.get(key);
    if (!listed) return [];
    const folderName = folders.find(({ id }) => key === `folder ${id}`)?.name;
    return [{ key, folderName, ...parts(listed, demotes && key !== "pinned") }];
  });
}

function sectionOf(
  { channel, subscription }: Listed,
  model: Model,
  { hasFolders }: SectionOptions,
): SectionKey {
  if (subscription.isPinned) return "pinned";
  const folder = channel.folderId === null ? undefined : model.folders.byId.get(channel.folderId);
  return hasFolders && folder && !folder.isArchived ? `folder ${folder.id}` : "others";
}

function parts(listed: readonly Listed[], demotes: boolean) {
  const isInactive = ({ channel }: Listed) => demotes && !channel.isRecentlyActive;
  const ids = (some: readonly Listed[]) => some.map(({ channel }) => channel.id);
  const unmuted = listed.filter(({ subscription }) => !subscription.isMuted);
  return {
    active: ids(unmuted.filter((channel) => !isInactive(channel))),
    inactive: ids(unmuted.filter(isInactive)),
    muted: ids(listed.filter(({ subscription }) => subscription.isMuted)),
  };
}
