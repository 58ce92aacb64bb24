/**
 * One-time links by which the first organization of a server is created: whoever reads the terminal of the server may make
 * it. Only the keyed hash of a link's token is stored, a link lives for a day, and they all end when one of them is used or
 * an organization is created in another way.
 */
import type { Transaction } from "../../platform/db/database.ts";
import type { Services } from "../../services.ts";
import { insertInvitation, isOpenInvitation, useInvitation } from "./store.ts";

export const INVITATION_HOURS = 24;
const TOKEN = /^[A-Za-z0-9_-]{43}$/;

/** Makes a link and returns its path; undefined when the server has an organization already. */
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
  return TOKEN.test(token) && isOpenInvitation(database, keyring.hash(token), INVITATION_HOURS);
}

/** The invitation was used, has expired, or never was. */
export class InvitationEnded extends Error {}

/** Uses an invitation up, as part of the transaction that makes what it invites to. */
export function claimInvitation({ keyring }: Services, token: string): (tx: Transaction) => Promise<void> {
  return async (tx) => {
    const isMine = TOKEN.test(token) && (await useInvitation(tx, keyring.hash(token), INVITATION_HOURS));
    if (!isMine) throw new InvitationEnded("the invitation can't be used any more");
  };
}
