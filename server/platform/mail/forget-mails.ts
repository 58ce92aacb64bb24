import type { OrganizationId } from "../../../api/ids.ts";
import type { Keyring } from "../crypto/keyring.ts";
import type { Database } from "../db/database.ts";
import { openMail } from "./enqueue.ts";
import { deleteMail, listMailsAfter } from "./store.ts";

const AT_ONCE = 200;

/**
 * Deletes the mails to some addresses that wait to be sent, and those that a development server keeps. They
 * are encrypted, so all mails of the organization are opened. Addresses are compared in lower case.
 */
export async function forgetMailsTo(
  { database, keyring }: { database: Database; keyring: Keyring },
  organizationId: OrganizationId,
  addresses: readonly string[],
): Promise<void> {
  const folded = new Set(addresses.map((address) => address.toLowerCase()));
  for (let after = 0; ; ) {
    const mails = await listMailsAfter(database, organizationId, after, AT_ONCE);
    for (const { id, encrypted } of mails) {
      if (isTo(keyring, encrypted, folded)) await deleteMail(database, organizationId, id);
    }
    const last = mails.at(-1);
    if (!last) return;
    after = last.id;
  }
}

/** A mail of an earlier secret can't be opened, and so never be sent. It goes with those too old to send. */
function isTo(keyring: Keyring, encrypted: Buffer, addresses: ReadonlySet<string>): boolean {
  try {
    return addresses.has(openMail(keyring, encrypted).to.toLowerCase());
  } catch {
    return false;
  }
}
