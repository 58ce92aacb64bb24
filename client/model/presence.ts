import type { EventOf } from "../../api/event.ts";
import type { legacyPresenceChanged, presenceChanged } from "../../api/events/presence.ts";
import { PRESENCE_OFFLINE_SECONDS } from "../../api/profiles/presence.ts";
import type { Subject } from "./subject.ts";
import type { Users } from "./users.ts";
import type { WireObject } from "./wire.ts";

type PresenceEvent = EventOf<typeof presenceChanged> | EventOf<typeof legacyPresenceChanged>;

interface ModernPresence {
  active_timestamp: number;
  idle_timestamp: number;
}

interface LegacyPresence {
  website: { status: "active" | "idle"; timestamp: number };
}

/** Times in UNIX seconds. */
interface Presence {
  activeAt: number;
  connectedAt: number;
}

/**
 * Who is there. Events say only who has come back. Everything else is in the answers to one's own reports,
 * which go to `add`.
 */
export class Presences implements Subject {
  readonly #byId = new Map<number, Presence>();
  readonly #users: Users;
  readonly #offlineAfter: number;
  readonly #now: () => number;
  /** What to send with the next report; undefined: the server's answers were in the older form. */
  lastUpdateId: number | undefined;
  readonly handlers = { presence: (event: PresenceEvent) => this.handlePresenceEvent(event) };

  /** How long somebody counts as there is one of the server's limits. */
  readonly keys = ["presences", "presence_last_update_id"];

  private constructor(users: Users, offlineAfter: number, now: () => number) {
    this.#users = users;
    this.#offlineAfter = offlineAfter;
    this.#now = now;
  }

  /** `now` gives the time in milliseconds. */
  static fromSnapshot(snapshot: WireObject, users: Users, now: () => number): Presences {
    const offlineAfter = snapshot.server_presence_offline_threshold_seconds as number | undefined;
    const presences = new Presences(users, offlineAfter ?? PRESENCE_OFFLINE_SECONDS, now);
    presences.add(snapshot);
    return presences;
  }

  /** Takes over an answer to a report, or a snapshot. */
  add(answer: WireObject): void {
    const section = (answer.presences ?? {}) as Record<string, ModernPresence | LegacyPresence>;
    for (const [key, presence] of Object.entries(section)) {
      const userId = "website" in presence ? this.#idOf(key) : Number(key);
      if (userId !== undefined) this.#put(userId, read(presence));
    }
    this.lastUpdateId = (answer.presence_last_update_id as number | undefined) ?? this.lastUpdateId;
  }

  statusOf(userId: number): "active" | "idle" | "offline" {
    const presence = this.#byId.get(userId);
    // A time far ahead was told while the server's clock was wrong.
    const isRecent = (at: number) => Math.abs(this.#now() / 1000 - at) < this.#offlineAfter;
    if (!presence) return "offline";
    return isRecent(presence.activeAt) ? "active" : isRecent(presence.connectedAt) ? "idle" : "offline";
  }

  /** In UNIX seconds; 0 if it is not known, or too long ago for the server to tell. */
  lastActiveAt(userId: number): number {
    return this.#byId.get(userId)?.activeAt ?? 0;
  }

  handlePresenceEvent(event: PresenceEvent): void {
    if ("presences" in event) this.add(event as unknown as WireObject);
    else this.#put(event.user_id, read(event.presence));
  }

  /** Reports of others change a snapshot without an event. */
  comparable(): unknown {
    return null;
  }

  #put(userId: number, { activeAt, connectedAt }: Presence): void {
    const old = this.#byId.get(userId) ?? { activeAt: 0, connectedAt: 0 };
    const limit = this.#now() / 1000 + this.#offlineAfter;
    const newest = (before: number, now: number) => (before < limit ? Math.max(before, now) : now);
    this.#byId.set(userId, {
      activeAt: newest(old.activeAt, activeAt),
      connectedAt: newest(old.connectedAt, connectedAt),
    });
  }

  #idOf(email: string): number | undefined {
    for (const user of this.#users.byId.values()) if (user.email === email) return user.id;
    return undefined;
  }
}

function read(presence: ModernPresence | LegacyPresence): Presence {
  if (!("website" in presence)) {
    return { activeAt: presence.active_timestamp, connectedAt: presence.idle_timestamp };
  }
  const { status, timestamp } = presence.website;
  return { activeAt: status === "active" ? timestamp : 0, connectedAt: timestamp };
}
