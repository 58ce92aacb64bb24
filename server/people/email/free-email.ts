import { ApiError, errors } from "../../../api/errors.ts";
import type { OrganizationState } from "../../platform/log/organization-state.ts";
import { parseEmail } from "../names.ts";
import { type User, users } from "../user.ts";
import { parseHiddenEmail } from "./hidden-email.ts";

/**
 * An address that a new account, or this one, can have. Throws `invalidEmail`, also for the form that stands
 * for hidden addresses: it would pass for another person's. Throws `emailTaken` for an address that is in
 * use.
 */
export function parseFreeEmail(state: OrganizationState, text: string, target?: User): string {
  const email = parseEmail(text);
  if (parseHiddenEmail(state, email) !== undefined) throw new ApiError(errors.invalidEmail);
  const holder = state.get(users).findByEmail(email);
  if (holder && holder.id !== target?.id) throw new ApiError(errors.emailTaken, { email });
  return email;
}
