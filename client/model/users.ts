import type { EventOf } from "../../api/event.ts";
import type { userAdded } from "../../api/events/users.ts";
import { unknownUser } from "../../api/people/unknown-user.ts";
import { type Role, roles } from "../../api/roles.ts";
import { canHold, type ProfileFields, type ProfileFieldsEvent, readField } from "./profile-fields.ts";
import { invariant, plainMap, type Subject } from "./subject.ts";
import { readFields, section, type WireObject } from "./wire.ts";

export interface User {
  id: number;
  email: string;
  deliveryEmail: string | null;
  fullName: string;
  role: Role;
  isActive: boolean;
  isBot: boolean;
  botType: number | null;
  botOwnerId: number | null;
  timezone: string;
  /** null: computed from the email. */
  avatarUrl: string | null;
  avatarVersion: number;
  dateJoined: string;
  /** Values of profile fields by the field's ID; people only. */
  profileData?: Record<string, ProfileValue>;
}

export interface ProfileValue {
  value: string;
  /** HTML, for fields that take Markdown. */
  renderedValue?: string;
}

const renamed = { user_id: "id" } as const;

/** Computed from the role, for older clients. */
const workedOut = new Set(["isOwner", "isAdmin", "isGuest"]);

interface UserEvent {
  op: "add" | "update" | "remove";
  person: WireObject & { user_id: number };
}

interface Sent {
  sender_id: number;
  sender_full_name: string;
  avatar_url: string | null;
}

/** All users whom the viewer can see, including bots and deactivated accounts. */
export class Users implements Subject {
  readonly byId = new Map<number, User>();
  readonly handlers = {
    realm_user: (event: UserEvent) => this.handleUserEvent(event),
    custom_profile_fields: (event: ProfileFieldsEvent) => this.handleFieldsEvent(event),
  };

  readonly keys = ["realm_users", "realm_non_active_users", "cross_realm_bots"];

  /** The host of addresses that stand for hidden ones. */
  readonly #host: string;
  /** Whether the client knows only some people, and nothing of the others. */
  readonly #isIncomplete: boolean;

  private constructor(host: string, isIncomplete: boolean) {
    this.#host = host;
    this.#isIncomplete = isIncomplete;
  }

  static fromSnapshot(snapshot: WireObject, isIncomplete = false): Users {
    const url = snapshot.realm_url as string | undefined;
    const users = new Users(url === undefined ? "" : new URL(url).hostname, isIncomplete);
    for (const key of users.keys) for (const record of section(snapshot, key)) users.#put(record);
    return users;
  }

  get(id: number): User | undefined {
    return this.byId.get(id);
  }

  handleUserEvent({ op, person }: UserEvent): void {
    if (op === "add") this.#put(person);
    else if (op === "remove") this.#remove(person.user_id);
    else this.#update(person);
  }

  /** For people without an account, who get no list of people: a message names its sender. */
  addSenders(messages: readonly Sent[]): void {
    for (const { sender_id, sender_full_name, avatar_url } of messages) {
      this.#put({ ...unknownUser(sender_id, this.#host), full_name: sender_full_name, avatar_url });
    }
  }

  /** Values of fields and options that are gone were deleted with them. */
  handleFieldsEvent({ fields }: ProfileFieldsEvent): void {
    const byId = new Map(fields.map((record) => [String(record.id), readField(record)]));
    for (const user of this.byId.values()) {
      if (!user.profileData) continue;
      const kept = Object.entries(user.profileData).filter(([id, { value }]) => {
        const field = byId.get(id);
        return field !== undefined && canHold(field, value);
      });
      user.profileData = Object.fromEntries(kept);
    }
  }

  #remove(id: number): void {
    if (this.#isIncomplete) this.byId.delete(id);
    else this.#put(unknownUser(id, this.#host));
  }

  comparable(): unknown {
    return plainMap(this.byId, (user) => user);
  }

  #put(record: WireObject): void {
    const { profile_data, ...fields } = record;
    const user = withoutWorkedOut(readFields<User>(fields, renamed));
    this.byId.set(user.id, {
      ...user,
      isActive: user.isActive ?? true,
      ...(profile_data !== undefined && { profileData: readProfile(profile_data as ProfileRecord) }),
    });
  }

  #update(person: WireObject & { user_id: number }): void {
    const user = this.byId.get(person.user_id);
    if (!user) return;
    const { new_email, avatar_source, avatar_url_medium, custom_profile_field, ...fields } = person;
    Object.assign(user, withoutWorkedOut(readFields<User>(fields, renamed)));
    if (new_email !== undefined) user.email = new_email as string;
    if (custom_profile_field) setProfileField(user, custom_profile_field as ProfileFieldChange);
  }
}

interface ProfileFieldChange {
  id: number;
  value: string | null;
  rendered_value?: string;
}

type UserRecord = EventOf<typeof userAdded>["person"];
type ProfileRecord = NonNullable<UserRecord["profile_data"]>;

function readProfile(record: ProfileRecord): Record<string, ProfileValue> {
  return Object.fromEntries(Object.entries(record).map(([id, entry]) => [id, readEntry(entry)]));
}

function readEntry({ value, rendered_value }: ProfileRecord[string]): ProfileValue {
  return { value, ...(rendered_value !== undefined && { renderedValue: rendered_value }) };
}

function setProfileField(user: User, { id, value, ...rendered }: ProfileFieldChange): void {
  const { [id]: _old, ...others } = user.profileData ?? {};
  user.profileData = value === null ? others : { ...others, [id]: readEntry({ value, ...rendered }) };
}

function withoutWorkedOut(user: User): User {
  return Object.fromEntries(Object.entries(user).filter(([name]) => !workedOut.has(name))) as unknown as User;
}

/** Each value belongs to a field, and is one that the field can have. */
export function checkProfiles(users: Users, fields: ProfileFields): void {
  if (!fields.isKnown) return;
  for (const [id, { profileData = {} }] of users.byId) {
    for (const [fieldId, { value }] of Object.entries(profileData)) {
      const field = fields.byId.get(Number(fieldId));
      invariant(field !== undefined, `user ${id} has a value of the field ${fieldId}, which is not there`);
      invariant(canHold(field, value), `user ${id} has chosen an option of ${fieldId} that is not there`);
    }
  }
}

export function checkInvariants(users: Users): void {
  for (const [id, user] of users.byId) {
    invariant(user.id === id, `user ${id} is filed under another id`);
    invariant(Object.values(roles).includes(user.role), `user ${id} has the role ${user.role}`);
    const owner = user.botOwnerId;
    invariant(user.isBot || owner === null, `user ${id} is no bot but has an owner`);
    invariant(user.fullName !== "" && user.email.includes("@"), `user ${id} has no name or address`);
  }
}
