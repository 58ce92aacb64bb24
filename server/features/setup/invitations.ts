/**
 * One-time links that create the first organization of a server. The server prints them, so only a person who
 * can read its terminal may create the organization. Only the keyed hash of a link's token is stored, and a
 * link lives for a day. All links end when one of them is used, or when an organization is created in another
 * way.
 */
import type { Transaction } from "../../platform/db/database.ts";
import type { Services } from "../../services.ts";
import { insertInvitation, isOpenInvitation, useInvitation } from "./store.ts";

export const INVITATION_HOURS = 24;

/** Creates a link and returns its path; undefined if the server already has an organization. */
export async function createInvitation({
  database,
  organizations,
  keyring,
}: Services): Promise<string | undefined> {
  if (await organizations.primary()) return undefined;
  const token = keyring.newToken();
  await insertInvitation(database, keyring.hash(token));
  return `/new/${token}`;
}

export async function isInvitation({ database, keyring }: Services, token: string): Promise<boolean> {
  const hash = keyring.hashToken(token);
  return hash !== undefined && isOpenInvitation(database, hash, INVITATION_HOURS);
}

/** The invitation was used, has expired, or never existed. */
export class InvitationEnded extends Error {}

/** Returns a step of the creating transaction that uses the invitation up, or throws InvitationEnded. */
export function claimInvitation({ keyring }: Services, token: string): (tx: Transaction) => Promise<void> {
  return async (tx) => {
    const hash = keyring.hashToken(token);
    const isClaimed = hash !== undefined && (await useInvitation(tx, hash, INVITATION_HOURS));
    if (!isClaimed) throw new InvitationEnded("the invitation can't be used any more");
  };
}
