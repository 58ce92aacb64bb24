/** How far people had read in each place, for sources that have a time for it. */
import type { ChannelId, UserId } from "../../../api/ids.ts";
import type { WrittenIds } from "./ids.ts";
import type { SourceReadMark } from "./records.ts";

/** A channel, or the people of a conversation in the order of their ids. */
export type ReadPlace = ChannelId | readonly UserId[];

export class ReadMarks {
  readonly #times = new Map<string, Map<UserId, number>>();

  constructor(marks: readonly SourceReadMark[], { people, channels }: WrittenIds) {
    for (const { personId, to, readUntil } of marks) {
      const userId = people.get(personId);
      const place = "channelId" in to ? channels.get(to.channelId) : conversationOf(to.personIds, people);
      if (userId === undefined || place === undefined) continue;
      const key = keyOf(place);
      let times = this.#times.get(key);
      if (!times) {
        times = new Map();
        this.#times.set(key, times);
      }
      // Two accounts of one person.
      times.set(userId, Math.max(readUntil, times.get(userId) ?? 0));
    }
  }

  /** Milliseconds; undefined where the source says nothing, which counts as read. */
  of(place: ReadPlace, userId: UserId): number | undefined {
    return this.#times.get(keyOf(place))?.get(userId);
  }
}

/** The people of a conversation, in the order of their ids. undefined: one of them is not here. */
export function conversationOf(
  personIds: readonly string[],
  people: WrittenIds["people"],
): UserId[] | undefined {
  const ids = personIds.map((id) => people.get(id));
  return ids.every((id) => id !== undefined) ? [...new Set(ids)].sort((a, b) => a - b) : undefined;
}

function keyOf(place: ReadPlace): string {
  return typeof place === "number" ? `c${place}` : place.join();
}
