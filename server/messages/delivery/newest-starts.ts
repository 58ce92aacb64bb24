import type { ChannelId, MessageId, Position } from "../../../api/ids.ts";
import { type Channel, channels } from "../../channels/channel.ts";
import { subscribers } from "../../channels/subscriptions/subscribers.ts";
import type { OrganizationState } from "../../platform/log/organization-state.ts";

const MAX_CHANNELS = 200;

/** What a start was read with. When a channel comes back from the archive, its subscriptions start again. */
interface Start {
  channel: Channel;
  version: number;
  newest: Position;
}

const startsOf = new WeakMap<OrganizationState, NewestStarts>();

export function newestStartsOf(state: OrganizationState): NewestStarts {
  let starts = startsOf.get(state);
  if (!starts) {
    starts = new NewestStarts(state);
    startsOf.set(state, starts);
  }
  return starts;
}

/**
 * Where the newest subscription to a channel began. No subscription began after a message that is newer. It
 * holds while the channel and its subscribers stay as they are in memory. If memory was behind the database,
 * nothing is committed that was decided by it.
 */
export class NewestStarts {
  readonly #state: OrganizationState;
  readonly #known = new Map<ChannelId, Start>();

  constructor(state: OrganizationState) {
    this.#state = state;
  }

  /** Whether it is known that all subscriptions began before this message. */
  isAfterAll(channelId: ChannelId, id: MessageId): boolean {
    const start = this.#known.get(channelId);
    return start !== undefined && this.#holds(channelId, start) && start.newest < id;
  }

  /** All that is known. */
  known(): { channelIds: ChannelId[]; newest: Position[] } {
    const held = [...this.#known].filter(([channelId, start]) => this.#holds(channelId, start));
    return {
      channelIds: held.map(([channelId]) => channelId),
      newest: held.map(([, { newest }]) => newest),
    };
  }

  /** To be called before the start is read. The returned function keeps what was read. */
  reading(channelId: ChannelId): (newest: Position) => void {
    const channel = this.#state.get(channels).byId.get(channelId);
    const version = this.#state.get(subscribers).versionOf(channelId);
    return (newest) => {
      if (!channel) return;
      if (this.#known.size >= MAX_CHANNELS) this.#known.clear();
      this.#known.set(channelId, { channel, version, newest });
    };
  }

  #holds(channelId: ChannelId, { channel, version }: Start): boolean {
    return (
      this.#state.get(channels).byId.get(channelId) === channel &&
      this.#state.get(subscribers).versionOf(channelId) === version
    );
  }
}
