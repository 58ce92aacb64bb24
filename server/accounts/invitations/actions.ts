import { ApiError, errors } from "../../../api/errors.ts";
import { MAX_INVITATIONS, MAX_INVITATIONS_A_DAY } from "../../../api/limits.ts";
import { roles } from "../../../api/roles.ts";
import { changesBetween } from "../../organization/audit-log/changes.ts";
import { recordAudit } from "../../organization/audit-log/record.ts";
import { Quotas } from "../../people/quotas/quotas.ts";
import { users } from "../../people/user.ts";
import type { ViewerChange } from "../../people/viewer/change.ts";
import type { Change } from "../../platform/log/change.ts";
import { enqueueMails } from "../../platform/mail/enqueue.ts";
import type { Services } from "../../services.ts";
import { accessInvitation, canInvite, type InvitationKind } from "./access.ts";
import { announceInvitations } from "./announce.ts";
import type { Grant, Invitation } from "./invitation.ts";
import { inviteeMail } from "./invitee-mail.ts";
import { checkInvitees, type Skipped } from "./invitees.ts";
import { linkOf } from "./mails.ts";
import {
  addDayUse,
  countInvitations,
  deleteInvitation,
  insertLink,
  type NewInvitation,
  updateToken,
  upsertInvitations,
} from "./store.ts";

type InvitationServices = Pick<Services, "config" | "keyring" | "mailer">;

export interface InvitationRequest {
  /** What `accessGrant` returned. */
  grant: Grant;
  /** By the same clock as `expiresAt`, so that an invitation lasts as long as was asked for. */
  invitedAt: Date;
  expiresAt: Date | null;
  /** The address of the organization, for the links. */
  site: string;
}

/**
 * Invites addresses by mail, and returns those that were skipped since they have an account. Administrators
 * and the inviter get an event. Throws `mailNotConfigured`, what `checkInvitees` throws, and for too many.
 */
export async function sendInvitations(
  tx: ViewerChange,
  services: InvitationServices,
  {
    emails,
    notifiesInviter,
    ...request
  }: InvitationRequest & { emails: readonly string[]; notifiesInviter: boolean },
): Promise<readonly Skipped[]> {
  const { keyring, mailer } = services;
  if (!mailer.canSend) throw new ApiError(errors.mailNotConfigured);
  const { invited, skipped } = checkInvitees(tx.viewer, emails);
  await useQuotas(tx, services, invited.length);
  const tokens = await inviteAddresses(tx, services, { ...request, emails: invited, notifiesInviter });
  const inviterName = tx.viewer.user.fullName;
  const { expiresAt, site } = request;
  const mails = [...tokens].map(([email, token]) =>
    inviteeMail(tx.state, { email, token, site, inviterName, expiresAt }),
  );
  await enqueueMails(tx, { keyring }, mails);
  return skipped;
}

/** Invites one address, and returns the link in place of a mail: for the server's operator. */
export async function createInvitation(
  tx: ViewerChange,
  services: InvitationServices,
  { email, ...request }: InvitationRequest & { email: string },
): Promise<string> {
  const { invited } = checkInvitees(tx.viewer, [email]);
  const tokens = await inviteAddresses(tx, services, { ...request, emails: invited, notifiesInviter: false });
  return linkOf(request.site, [...tokens.values()][0] as string);
}

/** Returns the token of each address. */
async function inviteAddresses(
  tx: ViewerChange,
  { keyring }: InvitationServices,
  {
    emails,
    notifiesInviter,
    ...request
  }: Omit<InvitationRequest, "site"> & { emails: readonly string[]; notifiesInviter: boolean },
): Promise<Map<string, string>> {
  await checkRoom(tx, emails.length);
  const tokens = new Map(emails.map((email) => [email, keyring.newToken()]));
  const row = { ...rowOf(tx, request), encryptedToken: null, notifiesInviter };
  const ids = await upsertInvitations(
    tx,
    tx.state.organizationId,
    row,
    [...tokens].map(([email, token]) => ({ email, tokenHash: keyring.hash(token) })),
  );
  const changes = changesBetween({}, { ...auditFields(request.grant), count: ids.length });
  await recordAudit(tx, {
    action: "invitations_sent",
    targetId: ids.length === 1 ? ids[0] : undefined,
    changes,
  });
  announceInvitations(tx, [tx.viewer.user.id]);
  return tokens;
}

/**
 * Creates a link for many people, and returns it. Administrators and the inviter get an event. Throws
 * `mailNeededForLinks` on a server without mail, if the viewer is no administrator: see `checkUsable`.
 */
export async function createLink(
  tx: ViewerChange,
  services: InvitationServices,
  { site, ...request }: InvitationRequest,
): Promise<string> {
  const { config, keyring, mailer } = services;
  if (!mailer.canSend && tx.viewer.user.role > roles.administrator) {
    throw new ApiError(errors.mailNeededForLinks);
  }
  await new Quotas(config).use(tx, "invitations");
  await checkRoom(tx, 1);
  const token = keyring.newToken();
  const id = await insertLink(
    tx,
    tx.state.organizationId,
    { ...rowOf(tx, request), encryptedToken: keyring.encrypt(token), notifiesInviter: false },
    keyring.hash(token),
  );
  const changes = changesBetween({}, auditFields(request.grant));
  await recordAudit(tx, { action: "invitation_link_created", targetId: id, changes });
  announceInvitations(tx, [tx.viewer.user.id]);
  return linkOf(site, token);
}

/** Mails an invitation again, with a new token. Administrators and the inviter get an event. */
export async function resendInvitation(
  tx: ViewerChange,
  services: InvitationServices,
  { id, site }: { id: number; site: string },
): Promise<void> {
  const { keyring, mailer } = services;
  const { state, viewer } = tx;
  if (!mailer.canSend) throw new ApiError(errors.mailNotConfigured);
  const invitation = await accessInvitation(viewer, tx, "addresses", id);
  if (!canInvite(state, viewer.user, "addresses")) throw new ApiError(errors.insufficientPermission);
  await useQuotas(tx, services, 1);
  const token = keyring.newToken();
  await updateToken(tx, state.organizationId, invitation.id, keyring.hash(token));
  const { expiresAt, inviterId, email } = invitation;
  const inviterName = state.get(users).byId.get(inviterId)?.fullName;
  const mail = inviteeMail(state, { email: email as string, token, site, inviterName, expiresAt });
  await enqueueMails(tx, { keyring }, [mail]);
  await recordAudit(tx, { action: "invitation_resent", targetId: invitation.id });
  announceInvitations(tx, [inviterId]);
}

/** Ends an invitation or a link. Administrators and the inviter get an event. */
export async function revokeInvitation(tx: ViewerChange, kind: InvitationKind, id: number): Promise<void> {
  const invitation = await accessInvitation(tx.viewer, tx, kind, id);
  await deleteInvitation(tx, tx.state.organizationId, invitation.id);
  const changes = changesBetween(auditFields(invitation), {});
  await recordAudit(tx, { action: "invitation_revoked", targetId: invitation.id, changes });
  announceInvitations(tx, [invitation.inviterId]);
}

/**
 * Counts addresses that get mail, and people who join by a link. Throws `invitationFailed` for too many. With
 * 0 it only looks whether one more is possible.
 */
export async function useDay(
  tx: Change,
  { config }: Pick<Services, "config">,
  amount: number,
): Promise<void> {
  if (!config.hasRateLimits) return;
  const used = await addDayUse(tx, tx.state.organizationId, amount);
  if (used + (amount === 0 ? 1 : 0) <= MAX_INVITATIONS_A_DAY) return;
  throw new ApiError(errors.invitationFailed, {
    reason: `An organization can invite at most ${MAX_INVITATIONS_A_DAY} people a day. No invitations were sent.`,
    skipped: [],
    hasSent: false,
    isDailyLimit: true,
  });
}

async function useQuotas(tx: ViewerChange, services: InvitationServices, amount: number): Promise<void> {
  await new Quotas(services.config).use(tx, "invitations", amount);
  await useDay(tx, services, amount);
}

async function checkRoom(tx: Change, more: number): Promise<void> {
  if ((await countInvitations(tx, tx.state.organizationId)) + more <= MAX_INVITATIONS) return;
  throw new ApiError(errors.tooManyInOrganization, { what: "open invitations", limit: MAX_INVITATIONS });
}

function rowOf(
  { viewer }: ViewerChange,
  { grant, invitedAt, expiresAt }: Omit<InvitationRequest, "site">,
): Omit<NewInvitation, "encryptedToken" | "notifiesInviter"> {
  const { role, channelIds, groupIds, joinsDefaultChannels, welcomeText } = grant;
  return {
    inviterId: viewer.user.id,
    parentId: null,
    role,
    channelIds,
    groupIds,
    joinsDefaultChannels,
    welcomeText,
    isByOperator: viewer.isOperator === true,
    invitedAt,
    expiresAt,
  };
}

function auditFields({ role, channelIds, groupIds }: Pick<Invitation, "role" | "channelIds" | "groupIds">) {
  return {
    role,
    stream_ids: channelIds.length > 0 ? channelIds : undefined,
    group_ids: groupIds.length > 0 ? groupIds : undefined,
  };
}
