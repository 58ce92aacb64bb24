import { ApiError, errors } from "../../../api/errors.ts";
import type { OrganizationState } from "../../platform/log/organization-state.ts";
import { parseEmail } from "../names.ts";
import { type User, users } from "../user.ts";
import { parseHiddenEmail } from "./hidden-email.ts";

/**
 * An address that can be a person's. Throws `invalidEmail`, also for the form that stands for hidden
 * addresses: it would pass for another person's.
 */
export function parseOwnEmail(state: OrganizationState, text: string): string {
  const email = parseEmail(text);
  if (parseHiddenEmail(state, email) !== undefined) throw new ApiError(errors.invalidEmail);
  return email;
}

/**
 * An address that a new account, or this one, can have. Throws what `parseOwnEmail` throws, and `emailTaken`
 * for an address that is in use. That tells who has an account: only for people who have shown that the
 * address is theirs, and for administrators.
 */
export function parseFreeEmail(state: OrganizationState, text: string, target?: User): string {
  const email = parseOwnEmail(state, text);
  const holder = state.get(users).findByEmail(email);
  if (holder && holder.id !== target?.id) throw new ApiError(errors.emailTaken, { email });
  return email;
}
