import { channels } from "../../../channels/channel.ts";
import { listDefaultChannels } from "../../../channels/defaults/join-default-channels.ts";
import { subscribe } from "../../../channels/subscriptions/subscribe.ts";
import { canAddToGroup } from "../../../groups/access.ts";
import { addNewcomer } from "../../../groups/change-members.ts";
import { groups } from "../../../groups/group.ts";
import { checkEmailAllowed } from "../../../organization/allowed-emails/check-email.ts";
import { addPerson, joinedInvitations } from "../../../people/create-person.ts";
import { type User, users } from "../../../people/user.ts";
import { changeState, type ViewerChange } from "../../../people/viewer/change.ts";
import { hashNewPassword, type PasswordTurn } from "../../../platform/crypto/passwords.ts";
import type { OrganizationState } from "../../../platform/log/organization-state.ts";
import type { Services } from "../../../services.ts";
import type { SignedIn } from "../../sessions/start.ts";
import { canInviteToChannel } from "../access.ts";
import { useDay } from "../actions.ts";
import { announceInvitations } from "../announce.ts";
import type { Grant, Invitation } from "../invitation.ts";
import { deleteInvitationsTo, lockByToken } from "../store.ts";
import { findUsable, InvitationEnded, isUsable } from "./usable.ts";

export interface Joining {
  fullName: string;
  /** null: the person signs in by a provider. `turn` says where it waits for its hash. */
  password: { text: string; turn: PasswordTurn } | null;
  /** For a link alone. An invited address can't be changed. */
  email: string;
  /** Whether a provider has confirmed the address, so that no mail needs to. */
  isEmailVerified?: boolean;
  /** More that belongs to the new account, in the same change. */
  afterJoining?(tx: ViewerChange, user: User): Promise<void>;
}

/**
 * Makes the account of a person who joins by an invitation. The change is the inviter's, so everything is
 * checked again by what the inviter may do now. What they may no longer do to channels and groups is left
 * out. All other invitations of the address end. Throws `InvitationEnded`, and what is wrong with the form.
 */
export async function joinBy(
  services: Pick<Services, "config" | "keyring" | "mailer">,
  state: OrganizationState,
  code: string,
  person: Joining,
): Promise<SignedIn> {
  const { keyring } = services;
  const found = await findUsable(services, state, code);
  const inviter = found && state.get(users).byId.get(found.inviterId);
  if (!found || !inviter) throw new InvitationEnded();
  const { password } = person;
  const passwordHash =
    password === null
      ? null
      : await hashNewPassword(password.text, [found.email ?? person.email, person.fullName], password.turn);
  const viewer = { state, user: inviter, client: "invitation", isOperator: found.isByOperator };
  const joined = await changeState(viewer, async (tx) => {
    const invitation = await lockByToken(tx, state.organizationId, keyring.hash(code));
    if (!invitation || !isUsable(services, state, invitation)) throw new InvitationEnded();
    const email = await addressOf(tx, services, invitation, person);
    checkEmailAllowed(state, email);
    const { role, welcomeText, notifiesInviter } = invitation;
    const account = { email, fullName: person.fullName, role, passwordHash };
    const user = await addPerson(tx, keyring, account, (_, newcomer) => grantTo(tx, newcomer, invitation));
    joinedInvitations.set(tx, {
      welcomeText,
      notifiedInviter: notifiesInviter ? tx.viewer.user : undefined,
    });
    await person.afterJoining?.(tx, user);
    const inviterIds = await deleteInvitationsTo(tx, state.organizationId, email);
    if (inviterIds.length > 0) announceInvitations(tx, inviterIds);
    return user;
  });
  return passwordHash === null ? { user: joined } : { user: joined, passwordHash };
}

async function addressOf(
  tx: ViewerChange,
  services: Pick<Services, "config" | "mailer">,
  { email }: Invitation,
  person: Joining,
): Promise<string> {
  if (email !== null) return email;
  // Where there is mail, the address is confirmed first: see `mailConfirmation`.
  if (services.mailer.canSend && !person.isEmailVerified) throw new InvitationEnded();
  await useDay(tx, services, 1);
  return person.email.trim();
}

async function grantTo(tx: ViewerChange, newcomer: User, grant: Grant): Promise<void> {
  const { state, viewer } = tx;
  const known = state.get(channels).byId;
  const named = grant.channelIds
    .flatMap((id) => known.get(id) ?? [])
    .filter((channel) => canInviteToChannel(state, viewer.user, channel));
  const defaults = grant.joinsDefaultChannels ? listDefaultChannels(state) : [];
  const joined = [...new Set([...named, ...defaults])];
  if (joined.length > 0) await subscribe(tx, joined, [newcomer]);
  const joinedGroups = grant.groupIds
    .flatMap((id) => state.get(groups).byId.get(id) ?? [])
    .filter((group) => group.isActive && canAddToGroup(viewer, group));
  await addNewcomer(tx, newcomer.id, joinedGroups);
}
