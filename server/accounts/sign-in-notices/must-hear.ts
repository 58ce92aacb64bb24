import { roles } from "../../../api/roles.ts";
import type { User } from "../../people/user.ts";

/**
 * Whether somebody gets the mails in any case: with such an account everybody's can be changed. A setting of
 * the time before they had the role does not count.
 */
export function mustHearOfSignIns({ role }: User): boolean {
  return role <= roles.administrator;
}
