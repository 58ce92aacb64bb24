import type { NoteNewAddress } from "../../people/own-login.ts";
import type { Services } from "../../services.ts";
import { mailChange } from "./mails.ts";

/** Mails the former and the new address that an account has another one. Bots have no mailbox. */
export function noteNewAddress(services: Pick<Services, "keyring" | "mailer">): NoteNewAddress {
  return async (tx, before, after) => {
    if (before.botType !== null || before.email === after.email) return;
    const what = `The account has another email address now: ${after.email}. You sign in with that one.`;
    await mailChange(tx, services, after, { what, before: before.email });
  };
}
