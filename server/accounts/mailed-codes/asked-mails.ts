/**
 * How often an address gets a mail of one kind that anybody can have sent to it. Ten mails in a day may
 * follow each other by five minutes, and all others by an hour. So nobody fills another's mailbox, and nobody
 * shuts another out: a link for another password lasts an hour, so its owner has one that works, or gets one.
 */
import type { OrganizationId, UserId } from "../../../api/ids.ts";
import type { Keyring } from "../../platform/crypto/keyring.ts";
import type { Queryable } from "../../platform/db/database.ts";
import type { Change } from "../../platform/log/change.ts";
import { countAskedMail, deleteAskedMails, findAskedMailDelay } from "./store.ts";

/** What is asked for. Mails of one kind do not count for another. */
export type AskedMail = "password" | "sign-up" | `link ${number}` | `address of ${number}`;

/**
 * Counts a mail, and returns whether it may be sent. It is counted in the transaction that sends it, by a row
 * that the transaction holds. So of two at the same moment one is sent. To be asked before it is known
 * whether the address has an account.
 */
export function mayMailTo(
  tx: Change,
  { keyring }: { keyring: Keyring },
  kind: AskedMail,
  email: string,
): Promise<boolean> {
  return countAskedMail(tx, tx.state.organizationId, { kind, addressHash: hashOf(keyring, email) });
}

/** In how many seconds the address may get another one. */
export async function secondsToNextMail(
  tx: Change,
  { keyring }: { keyring: Keyring },
  kind: AskedMail,
  email: string,
): Promise<number> {
  const asked = { kind, addressHash: hashOf(keyring, email) };
  return Math.max(1, Math.ceil(await findAskedMailDelay(tx, tx.state.organizationId, asked)));
}

/** Forgets how often an address was mailed, and which mails the person of an account asked for. */
export function forgetAskedMails(
  tx: Queryable & { state: { organizationId: OrganizationId } },
  { keyring }: { keyring: Keyring },
  userId: UserId,
  addresses: readonly string[],
): Promise<void> {
  const hashes = addresses.map((address) => hashOf(keyring, address));
  const kind: AskedMail = `address of ${userId}`;
  return deleteAskedMails(tx, tx.state.organizationId, { kind, hashes });
}

/**
 * Addresses are compared as those of accounts are, but for what follows a `+`: such addresses are one mailbox
 * as a rule.
 */
function hashOf(keyring: Keyring, email: string): Buffer {
  return keyring.hash(
    `mail to ${email
      .trim()
      .toLowerCase()
      .replace(/(?<=.)\+.*(?=@)/, "")}`,
  );
}
