import type { Subject } from "./subject.ts";
import type { User, Users } from "./users.ts";
import type { WireObject } from "./wire.ts";

interface AvatarEvent {
  op: string;
  person: {
    user_id: number;
    avatar_url?: string | null;
    avatar_source?: string;
    avatar_url_medium?: string;
  };
}

/** The user whose model it is, with the facts that only this user gets. Without an account the ID is 0. */
export class Viewer implements Subject {
  readonly id: number;
  avatarSource: string | undefined;
  avatarUrlMedium: string | undefined;
  readonly #users: Users;
  readonly handlers = {
    realm_user: (event: AvatarEvent) => this.handleUserEvent(event),
  };

  /** Many of these repeat the viewer's own record, or follow from the permissions. */
  readonly keys = [
    "user_id",
    "email",
    "delivery_email",
    "full_name",
    "is_owner",
    "is_admin",
    "is_moderator",
    "is_guest",
    "avatar_source",
    "avatar_url",
    "avatar_url_medium",
    "can_create_streams",
    "can_create_public_streams",
    "can_create_private_streams",
    "can_create_web_public_streams",
    "can_invite_others_to_realm",
  ];

  private constructor(id: number, users: Users) {
    this.id = id;
    this.#users = users;
  }

  static fromSnapshot(snapshot: WireObject, users: Users): Viewer {
    const viewer = new Viewer((snapshot.user_id as number | undefined) ?? 0, users);
    viewer.avatarSource = snapshot.avatar_source as string | undefined;
    viewer.avatarUrlMedium = snapshot.avatar_url_medium as string | undefined;
    return viewer;
  }

  get user(): User | undefined {
    return this.#users.get(this.id);
  }

  handleUserEvent({ op, person }: AvatarEvent): void {
    if (op !== "update" || person.user_id !== this.id || person.avatar_source === undefined) return;
    this.avatarSource = person.avatar_source;
    this.avatarUrlMedium = person.avatar_url_medium;
  }

  comparable(): unknown {
    return { id: this.id, avatarSource: this.avatarSource, avatarUrlMedium: this.avatarUrlMedium };
  }
}
