import type { Role } from "../../api/roles.ts";
import { checkEmailAllowed } from "../organization/allowed-emails/check-email.ts";
import type { Keyring } from "../platform/crypto/keyring.ts";
import { hashNewPassword, turnOfAccount } from "../platform/crypto/passwords.ts";
import type { Change } from "../platform/log/change.ts";
import { ChangeNote } from "../platform/log/change-note.ts";
import { createUser } from "./actions.ts";
import { parseEmail } from "./names.ts";
import type { User } from "./user.ts";
import { changeState } from "./viewer/change.ts";
import { checkAdministrator } from "./viewer/current-viewer.ts";
import type { Viewer } from "./viewer/viewer.ts";

export interface NewPerson {
  email: string;
  fullName: string;
  password: string;
  role: Role;
  /** Whether the organization's rules for email addresses do not count. */
  isEmailExempt?: boolean;
}

/** Subscribes a new person to the default channels, in the transaction that makes the account. */
export type JoinDefaultChannels = (tx: Change, person: User) => Promise<void>;

/** What the invitation says by which the person of `newcomers` joins. Absent if there was none. */
export const joinedInvitations = new ChangeNote<{
  /** In place of the organization's text in the welcome message. null: the organization's. */
  welcomeText: string | null;
  /** The person who gets a message that the new one has joined. */
  notifiedInviter: User | undefined;
}>();

/** The person who joins in a change, for the hook that posts messages: messages are in a layer above. */
export const newcomers = new ChangeNote<User>();

/**
 * Makes an account for a person, announces it to everyone, and has it join the default channels. Throws
 * `mustBeAdministrator` for other viewers, and what `checkEmailAllowed`, `createUser` and `parsePassword`
 * throw.
 */
export async function createPerson(
  keyring: Keyring,
  viewer: Viewer,
  { email, fullName, password, role, isEmailExempt = false }: NewPerson,
  joinDefaultChannels: JoinDefaultChannels,
): Promise<User> {
  const turn = turnOfAccount(viewer.state.organizationId, viewer.user.id);
  const passwordHash = await hashNewPassword(password, [email, fullName], turn);
  return changeState(viewer, async (tx) => {
    checkAdministrator(tx.viewer);
    if (!isEmailExempt) checkEmailAllowed(tx.state, parseEmail(email));
    return addPerson(tx, keyring, { email, fullName, role, passwordHash }, joinDefaultChannels);
  });
}

/**
 * Makes an account for a person in the given change, which is one of state. `join` subscribes them. The
 * caller checks permission and the organization's rules for email addresses. Throws what `createUser` throws.
 */
export async function addPerson<C extends Change>(
  tx: C,
  keyring: Keyring,
  person: { email: string; fullName: string; role: Role; passwordHash: string | null },
  join: (tx: C, person: User) => Promise<void>,
): Promise<User> {
  const user = await createUser(tx, keyring, person);
  await join(tx, user);
  newcomers.set(tx, user);
  return user;
}
