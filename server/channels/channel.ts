import type { ChannelId, FolderId, UserId } from "../../api/ids.ts";
import type { GroupValue } from "../groups/group.ts";
import type { Projection } from "../platform/log/projection.ts";
import { NameIndex } from "../platform/std/name-index.ts";
import { listChannels } from "./store.ts";

export type TopicsPolicy = "inherit" | "allow_empty_topic" | "disable_empty_topic" | "empty_topic_only";

/** A channel, as every node keeps it in memory. */
export interface Channel {
  id: ChannelId;
  name: string;
  description: string;
  renderedDescription: string;
  isPrivate: boolean;
  isWebPublic: boolean;
  /** Whether subscribers see messages from before they subscribed. */
  isHistoryShared: boolean;
  /** New users are subscribed to it. */
  isDefault: boolean;
  topicsPolicy: TopicsPolicy;
  /** null: the organization's setting; -1: forever. */
  messageRetentionDays: number | null;
  folderId: FolderId | null;
  creatorId: UserId | null;
  /** Who may do what in it, by the setting's name; a setting that is absent has its default. */
  groupSettings: Record<string, GroupValue>;
  /** UNIX seconds. */
  createdAt: number;
  isArchived: boolean;
}

/** All channels of an organization. */
export class Channels {
  readonly byId = new Map<ChannelId, Channel>();
  readonly #byName = new NameIndex<Channel>();
  /** Grows with every change, so that caches derived from all channels can tell when they are stale. */
  version = 0;

  all(): IterableIterator<Channel> {
    return this.byId.values();
  }

  find(id: number): Channel | undefined {
    return this.byId.get(id as ChannelId);
  }

  findByName(name: string): Channel | undefined {
    return this.#byName.find(name);
  }

  /**
   * The channel that a client names. A number is an id. A text is a name first, and an id only where no
   * channel has that name. A number is never a name: else somebody could name a channel like another's id,
   * and would get the messages that clients send by id.
   */
  findNamed(named: number | string): Channel | undefined {
    if (typeof named === "number") return this.find(named);
    const text = named.trim();
    return this.findByName(text) ?? (/^\d{1,15}$/.test(text) ? this.find(Number(text)) : undefined);
  }

  put(channel: Channel): void {
    const old = this.byId.get(channel.id);
    if (old) this.#byName.remove(old);
    this.byId.set(channel.id, channel);
    this.#byName.add(channel);
    this.version++;
  }
}

export interface ChannelsPatch {
  put: readonly Channel[];
  /** The channel's former privacy, if that changes. Memory ignores it: the log keeps it for replays. */
  before?: PastPrivacy;
}

/** What a channel was before its privacy changed. */
export type PastPrivacy = Pick<Channel, "id" | "isPrivate" | "isWebPublic">;

export const channels: Projection<Channels, ChannelsPatch> = {
  name: "channels",
  async load(tx, organizationId) {
    const all = new Channels();
    for (const channel of await listChannels(tx, organizationId)) all.put(channel);
    return all;
  },
  apply(value, patch) {
    for (const channel of patch.put) value.put(channel);
  },
};
