import type { EventOf } from "../../api/event.ts";
import type { userStatusChanged } from "../../api/events/user-status.ts";
import type { userRemoved } from "../../api/events/users.ts";
import type { ReactionType } from "./messages.ts";
import type { Subject } from "./subject.ts";
import type { Users } from "./users.ts";
import type { WireObject } from "./wire.ts";

type StatusEvent = EventOf<typeof userStatusChanged>;

/** What somebody says that they are doing. What they don't say is an empty text. */
export interface UserStatus {
  /** Whether the person does not show when they are there. */
  isAway: boolean;
  text: string;
  /** undefined: none. */
  emoji: { name: string; code: string; type: ReactionType } | undefined;
}

/** What people say that they are doing. Those who are deactivated say nothing. */
export class UserStatuses implements Subject {
  readonly #byId = new Map<number, UserStatus>();
  readonly #users: Users;
  readonly handlers = {
    user_status: (event: StatusEvent) => this.handleStatusEvent(event),
    realm_user: (event: EventOf<typeof userRemoved> | { op: "add" | "update" }) => {
      if (event.op === "remove") this.#byId.delete(event.person.user_id);
    },
  };

  readonly keys = ["user_status"];

  private constructor(users: Users) {
    this.#users = users;
  }

  static fromSnapshot(snapshot: WireObject, users: Users): UserStatuses {
    const statuses = new UserStatuses(users);
    const section = (snapshot.user_status ?? {}) as Record<string, Omit<StatusEvent, "user_id">>;
    for (const [id, status] of Object.entries(section)) statuses.#change(Number(id), status);
    return statuses;
  }

  of(userId: number): UserStatus | undefined {
    return this.#users.get(userId)?.isActive === false ? undefined : this.#byId.get(userId);
  }

  handleStatusEvent({ user_id, ...status }: StatusEvent): void {
    this.#change(user_id, status);
  }

  comparable(): unknown {
    const ids = [...this.#byId.keys()];
    return Object.fromEntries(
      ids.map((id) => [id, this.of(id)]).filter(([, status]) => status !== undefined),
    );
  }

  #change(userId: number, status: Omit<StatusEvent, "user_id" | "id" | "type">): void {
    const old = this.#byId.get(userId) ?? { isAway: false, text: "", emoji: undefined };
    const { away = old.isAway, status_text: text = old.text, emoji_name, emoji_code, reaction_type } = status;
    const emoji =
      emoji_name === undefined
        ? old.emoji
        : emoji_name === ""
          ? undefined
          : {
              name: emoji_name,
              code: emoji_code ?? "",
              type: (reaction_type ?? "unicode_emoji") as ReactionType,
            };
    if (!away && text === "" && !emoji) this.#byId.delete(userId);
    else this.#byId.set(userId, { isAway: away, text, emoji });
  }
}
