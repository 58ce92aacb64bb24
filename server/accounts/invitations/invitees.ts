import { ApiError, errors } from "../../../api/errors.ts";
import { MAX_INVITATIONS_A_CALL } from "../../../api/limits.ts";
import { checkEmailAllowed } from "../../organization/allowed-emails/check-email.ts";
import { canSeeEmail } from "../../people/email/email-visibility.ts";
import { parseHiddenEmail } from "../../people/email/hidden-email.ts";
import { parseEmail } from "../../people/names.ts";
import { type User, users } from "../../people/user.ts";
import type { Viewer } from "../../people/viewer/viewer.ts";
import type { OrganizationState } from "../../platform/log/organization-state.ts";

/** An address that is not invited, the reason, and whether it is a deactivated account's. */
export type Skipped = readonly [email: string, reason: string, isDeactivated: boolean];

/**
 * The addresses in a text, each once: with commas or line breaks between them, alone or as `Name <address>`.
 * Throws `noInvitees` or `tooManyInvitees`.
 */
export function parseInvitees(text: string): string[] {
  const found = new Map<string, string>();
  for (const part of text.split(/[,\n]/)) {
    const email = (/<([^<>]*)>/.exec(part)?.[1] ?? part).trim();
    if (email !== "" && !found.has(email.toLowerCase())) found.set(email.toLowerCase(), email);
  }
  if (found.size === 0) throw new ApiError(errors.noInvitees);
  if (found.size > MAX_INVITATIONS_A_CALL) {
    throw new ApiError(errors.tooManyInvitees, { limit: MAX_INVITATIONS_A_CALL });
  }
  return [...found.values()];
}

/**
 * Sorts out the addresses that have an account which the viewer may see. Others are invited like any address:
 * no answer tells who has an account (`inviteeMail`). Throws `invitationFailed` if an address is not valid or
 * not allowed, or if nobody is left.
 */
export function checkInvitees(
  viewer: Viewer,
  emails: readonly string[],
): { invited: string[]; skipped: Skipped[] } {
  const { state } = viewer;
  const invited: string[] = [];
  const wrong: Skipped[] = [];
  const skipped: Skipped[] = [];
  for (const email of emails) {
    const problem = problemWith(state, email);
    const account = findSeen(viewer, email);
    if (problem !== undefined) wrong.push([email, problem, false]);
    else if (account) skipped.push([email, "Already has an account.", !account.isActive]);
    else invited.push(email);
  }
  const failed = { skipped: [...wrong, ...skipped], hasSent: false, isDailyLimit: false };
  if (wrong.length > 0) {
    const reason = "Some addresses are not valid here, so no invitations were sent.";
    throw new ApiError(errors.invitationFailed, { ...failed, reason });
  }
  if (invited.length === 0) {
    const reason = "All of these addresses already have an account.";
    throw new ApiError(errors.invitationFailed, { ...failed, reason });
  }
  return { invited, skipped };
}

function findSeen({ state, user, isOperator }: Viewer, email: string): User | undefined {
  const holder = state.get(users).findByEmail(email);
  return holder && (isOperator || canSeeEmail(user, holder)) ? holder : undefined;
}

function problemWith(state: OrganizationState, text: string): string | undefined {
  try {
    const email = parseEmail(text);
    if (parseHiddenEmail(state, email) !== undefined) throw new ApiError(errors.invalidEmail);
    checkEmailAllowed(state, email);
    return undefined;
  } catch (error) {
    if (error instanceof ApiError) return error.message;
    throw error;
  }
}
