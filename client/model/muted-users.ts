import type { EventOf } from "../../api/event.ts";
import type { mutedUsersChanged } from "../../api/events/muted-users.ts";
import { plainMap, type Subject } from "./subject.ts";
import { section, type WireObject } from "./wire.ts";

type MutedUser = EventOf<typeof mutedUsersChanged>["muted_users"][number];

/** The users whom the viewer has muted, with the time of muting in UNIX seconds. */
export class MutedUsers implements Subject {
  #since: ReadonlyMap<number, number> = new Map();
  readonly handlers = {
    muted_users: (event: EventOf<typeof mutedUsersChanged>) => this.#replace(event.muted_users),
  };

  readonly keys = ["muted_users"];

  static fromSnapshot(snapshot: WireObject): MutedUsers {
    const muted = new MutedUsers();
    muted.#replace(section<MutedUser>(snapshot, "muted_users"));
    return muted;
  }

  has(userId: number): boolean {
    return this.#since.has(userId);
  }

  /** With the time of muting. */
  all(): Iterable<readonly [number, number]> {
    return this.#since;
  }

  comparable(): unknown {
    return plainMap(this.#since, (since) => since);
  }

  #replace(muted: readonly MutedUser[]): void {
    this.#since = new Map(muted.map(({ id, timestamp }) => [id, timestamp]));
  }
}
