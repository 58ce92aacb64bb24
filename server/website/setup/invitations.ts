/**
 * One-time links that create an organization. The server prints those for its first organization, so only a
 * person who can read its terminal may create it. Links for further ones are mailed. Only the keyed hash of a
 * link's token is stored, and a link lives for a day. The printed links end when one of them is used, or when
 * an organization is created in another way.
 */
import type { Database, Queryable, Transaction } from "../../platform/db/database.ts";
import { definePeriodicJob } from "../../platform/jobs/job.ts";
import type { Services } from "../../services.ts";
import {
  deleteOldInvitations,
  findInvitation,
  insertInvitation,
  isMailedInvitation,
  useAllInvitations,
  useInvitation,
} from "./store.ts";

export const INVITATION_HOURS = 24;

/** Creates a link and returns its path; undefined if the server already has an organization. */
export async function createInvitation({
  database,
  organizations,
  keyring,
}: Pick<Services, "database" | "keyring" | "organizations">): Promise<string | undefined> {
  if (await organizations.primary()) return undefined;
  const token = keyring.newToken();
  await insertInvitation(database, keyring.hash(token));
  return `/new/${token}`;
}

/** The links that the server has printed end, since it gets its organization in another way. */
export function endPrintedInvitations(tx: Queryable): Promise<void> {
  return useAllInvitations(tx);
}

/** An open link, with the address that it was mailed to; null if it was printed. */
export async function lookUpInvitation(
  { database, keyring }: Pick<Services, "database" | "keyring">,
  token: string,
): Promise<{ email: string | null } | undefined> {
  const hash = keyring.hashToken(token);
  return hash && findInvitation(database, hash, INVITATION_HOURS);
}

/** Whether it is a link, open or ended, that was sent to an address. */
export async function wasMailed(
  { database, keyring }: Pick<Services, "database" | "keyring">,
  token: string,
): Promise<boolean> {
  const hash = keyring.hashToken(token);
  return hash !== undefined && isMailedInvitation(database, hash);
}

/** The invitation was used, has expired, or never existed. */
export class InvitationEnded extends Error {}

/** Returns a step of the creating transaction that uses the invitation up, or throws InvitationEnded. */
export function claimInvitation(
  { keyring }: Pick<Services, "keyring">,
  token: string,
): (tx: Transaction) => Promise<void> {
  return async (tx) => {
    const hash = keyring.hashToken(token);
    const isClaimed = hash !== undefined && (await useInvitation(tx, hash, INVITATION_HOURS));
    if (!isClaimed) throw new InvitationEnded("the invitation can't be used any more");
  };
}

/** Ended links, with the addresses of people who never used theirs. */
export const forgetOrganizationInvitations = definePeriodicJob({
  name: "forget_organization_invitations",
  schedule: "43 * * * *",
  async run({ database }: { database: Database }) {
    await deleteOldInvitations(database, INVITATION_HOURS);
  },
});
