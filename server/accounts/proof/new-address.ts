import type { NoteNewAddress } from "../../people/own-login.ts";
import type { Services } from "../../services.ts";
import { endCodesOfLogin } from "../mailed-codes/codes.ts";
import { mailChange } from "./mails.ts";

/**
 * Ends the links that were mailed for the account, since the former mailbox may be why there is another, and
 * mails both addresses about it. Bots have no mailbox.
 */
export function noteNewAddress(services: Pick<Services, "keyring" | "mailer">): NoteNewAddress {
  return async (tx, before, after) => {
    if (before.botType !== null || before.email === after.email) return;
    await endCodesOfLogin(tx, after.id);
    const what = `The account has another email address now: ${after.email}. You sign in with that one.`;
    await mailChange(tx, services, after, { what, before: before.email });
  };
}
