import { checkEmailAllowed } from "../../organization/allowed-emails/check-email.ts";
import { parseFreeEmail } from "../../people/email/free-email.ts";
import { changeAccount } from "../../people/update/update-user.ts";
import type { User } from "../../people/user.ts";
import type { ViewerChange } from "../../people/viewer/change.ts";
import type { Services } from "../../services.ts";
import { noteNewAddress } from "./new-address.ts";

/**
 * Gives a person another address in the name of the server's operator, who needs no permission for it. Links
 * that were mailed end, and both addresses get a mail. `isEmailExempt`: whatever the organization's rules for
 * addresses say. Throws `invalidEmail`, `emailTaken` and what these rules refuse.
 */
export async function changeAddress(
  tx: ViewerChange,
  services: Pick<Services, "keyring" | "mailer">,
  user: User,
  { email: text, isEmailExempt }: { email: string; isEmailExempt: boolean },
): Promise<User> {
  const email = parseFreeEmail(tx.state, text, user);
  const isSame = email.toLowerCase() === user.email.toLowerCase();
  if (!isSame && !isEmailExempt) checkEmailAllowed(tx.state, email);
  const changed = await changeAccount(tx, user, { ...user, email });
  await noteNewAddress(services)(tx, user, changed);
  return changed;
}
