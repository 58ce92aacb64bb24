import { organizationSettings } from "../../../api/administration/organization-settings.ts";
import { ApiError, errors } from "../../../api/errors.ts";
import { joinDefaultChannels } from "../../channels/defaults/join-default-channels.ts";
import { checkEmailAllowed } from "../../organization/allowed-emails/check-email.ts";
import { settingOf } from "../../organization/setting.ts";
import { addPerson } from "../../people/create-person.ts";
import { isEmail, isSameMailbox } from "../../people/names.ts";
import { type User, users } from "../../people/user.ts";
import { changeState } from "../../people/viewer/change.ts";
import type { Queryable } from "../../platform/db/database.ts";
import type { OrganizationState } from "../../platform/log/organization-state.ts";
import type { ExternalProfile } from "../../platform/oidc/profile.ts";
import type { SignInProvider } from "../../platform/oidc/providers.ts";
import type { Services } from "../../services.ts";
import { joinBy } from "../invitations/join/redeem.ts";
import { InvitationEnded } from "../invitations/join/usable.ts";
import { initialRole, mapAttributes } from "./attribute-mapping.ts";
import type { Flow } from "./flow-cookie.ts";
import { connect, needsSecondStep, type Shown, SignInOver } from "./identities.ts";
import { operatorViewer } from "./operator-viewer.ts";
import { newName } from "./person-name.ts";
import { type ExternalIdentity, hasIdentityAt, insertIdentity, updateIdentityUse } from "./store.ts";

/**
 * Somebody has signed in to an account, or must show which account is theirs. `needsStep`: they must show the
 * account's second step first. `isConnected`: whether the identity is the account's already.
 */
export type AccountMatch = { user: User; needsStep?: boolean; isConnected: boolean } | { reason: string };

/**
 * The account of somebody whom a provider knows. It is found by issuer and subject. An address alone never
 * opens an account, unless the operator trusts the provider with that. A person who has none may get one.
 */
export async function findAccount(
  services: Pick<Services, "config" | "keyring" | "mailer">,
  state: OrganizationState,
  provider: SignInProvider,
  profile: ExternalProfile,
  { join }: Pick<Flow, "join">,
  from: Shown["from"],
): Promise<AccountMatch> {
  const identity = identityOf(provider, profile);
  const known = await updateIdentityUse(state.database, state.organizationId, identity);
  if (known) {
    const user = activeUser(state.get(users).byId.get(known.userId));
    return {
      user,
      needsStep: await needsSecondStep(state.database, state.organizationId, known),
      isConnected: true,
    };
  }
  const given = profile.email?.trim() ?? "";
  const email = profile.isEmailVerified && isEmail(given) ? given : undefined;
  const holder = email === undefined ? undefined : state.get(users).findManaged(email);
  if (holder) return connectHolder(services, state, { provider, identity, email: given, holder, from });
  const applicant = { provider, profile, identity, email };
  return join === undefined
    ? joinByPolicy(services, state, applicant)
    : joinByInvitation(services, state, applicant, join);
}

export function identityOf({ id }: SignInProvider, { issuer, subject }: ExternalProfile): ExternalIdentity {
  return { issuer, subject, providerId: id };
}

interface Applicant {
  provider: SignInProvider;
  profile: ExternalProfile;
  identity: ExternalIdentity;
  /** Absent unless the provider has verified it. */
  email: string | undefined;
}

const ELSEWHERE = "If you have an account here, sign in with its password once to connect it.";

/**
 * An account with another identity at the issuer is another person's: the provider has given the address to
 * somebody else since.
 */
async function connectHolder(
  services: Pick<Services, "config" | "keyring" | "mailer">,
  state: OrganizationState,
  {
    provider: { trustsEmail, name },
    identity,
    email,
    holder,
    from,
  }: {
    provider: SignInProvider;
    identity: ExternalIdentity;
    email: string;
    holder: User;
    from: Shown["from"];
  },
): Promise<AccountMatch> {
  const isOpen =
    trustsEmail &&
    isSameMailbox(holder.email, email) &&
    holder.isActive &&
    holder.botType === null &&
    !(await hasIdentityAt(state.database, state.organizationId, holder.id, identity.issuer));
  if (!isOpen) {
    return {
      reason:
        "There is an account with your email address. If it is yours, sign in with its password once. " +
        `From then on ${name} is enough.`,
    };
  }
  const unproven = { userId: holder.id, secondStepAt: null };
  if (await needsSecondStep(state.database, state.organizationId, unproven))
    return { user: holder, needsStep: true, isConnected: false };
  await connect(services, state, identity, holder, { by: "email", hasShownStep: false, from });
  return { user: holder, isConnected: true };
}

async function joinByPolicy(
  { keyring }: Pick<Services, "keyring">,
  state: OrganizationState,
  { provider, profile, identity, email }: Applicant,
): Promise<AccountMatch> {
  if (email === undefined) {
    return {
      reason: `${provider.name} does not confirm an email address of yours. ${ELSEWHERE}`,
    };
  }
  const isInvitedByAll = provider.join === "always";
  if (!isInvitedByAll && settingOf(state, organizationSettings.inviteRequired)) {
    return {
      reason: `You need an invitation to join. ${ELSEWHERE}`,
    };
  }
  return tryToJoin(() =>
    changeState(operatorViewer(state), async (tx) => {
      if (!isInvitedByAll) checkEmailAllowed(state, email);
      const role = initialRole(mapAttributes(provider, profile));
      const account = { email, fullName: newName(state, profile), role, passwordHash: null };
      const user = await addPerson(tx, keyring, account, joinDefaultChannels);
      await insertJoined(tx, state, identity, user);
      return user;
    }),
  );
}

/** An invitation of an address has proved it: only its person has the code. */
function joinByInvitation(
  services: Pick<Services, "config" | "keyring" | "mailer">,
  state: OrganizationState,
  { profile, identity, email }: Applicant,
  code: string,
): Promise<AccountMatch> {
  return tryToJoin(async () => {
    const { user } = await joinBy(services, state, code, {
      fullName: newName(state, profile),
      password: null,
      email: email ?? "",
      isEmailVerified: email !== undefined,
      afterJoining: (tx, user) => insertJoined(tx, state, identity, user),
    });
    return user;
  });
}

/** The entry and the mail about the new account say enough. */
async function insertJoined(
  tx: Queryable,
  { organizationId }: OrganizationState,
  identity: ExternalIdentity,
  { id: userId }: User,
): Promise<void> {
  const row = { ...identity, userId, connectedBy: "joining", hasShownStep: false } as const;
  if (!(await insertIdentity(tx, organizationId, row))) throw new SignInOver();
}

async function tryToJoin(join: () => Promise<User>): Promise<AccountMatch> {
  try {
    return { user: await join(), isConnected: true };
  } catch (error) {
    if (error instanceof ApiError) return { reason: `You can't join: ${error.message}` };
    if (error instanceof InvitationEnded) {
      return {
        reason: "Your invitation does not work, or your email address is not confirmed. Ask for a new one.",
      };
    }
    throw error;
  }
}

export function activeUser(user: User | undefined): User {
  if (!user?.isActive) throw new ApiError(errors.userDeactivated);
  return user;
}
