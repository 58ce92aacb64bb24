/**
 * Mail that a change causes. It is stored in the change's transaction, and a job sends it after the commit. A
 * link in a mail works like a password, so the mail is stored encrypted, and the job's payload names its row.
 */
import { randomUUID } from "node:crypto";
import { Type } from "typebox";
import type { OrganizationId } from "../../../api/ids.ts";
import type { Keyring } from "../crypto/keyring.ts";
import type { Database, Queryable } from "../db/database.ts";
import { enqueue } from "../jobs/enqueue.ts";
import { defineJob, definePeriodicJob, type JobContext } from "../jobs/job.ts";
import { headerText, type Mail, type MailContent, type MailHeaders, type MailKind } from "./mail.ts";
import type { Mailer } from "./mailer.ts";
import { maskAddress } from "./mask.ts";
import { MailNotTaken } from "./refusal.ts";
import {
  deleteMail,
  deleteOldMails,
  deleteSentMail,
  findQueuedMail,
  insertMails,
  keepMail,
  updateAttempt,
} from "./store.ts";

/** What the job needs of the server. */
export interface MailContext extends JobContext {
  keyring: Keyring;
  mailer: Mailer;
}

/** The transaction of a change of an organization. */
interface OrganizationChange extends Queryable {
  readonly state: { readonly organizationId: OrganizationId };
}

/**
 * Longer than the job tries. What is left after that could not be sent, was refused, or waited for mail
 * settings in vain.
 */
const KEPT_DAYS = 7;

export interface NewMail {
  kind: MailKind;
  /** One address, which was checked to be one. */
  to: string;
  content: MailContent;
  headers?: MailHeaders;
}

/** Enqueues a mail. Ask `mailer.canSend` first: without mail settings nothing sends it. */
export function enqueueMail(
  tx: OrganizationChange,
  context: Pick<MailContext, "keyring">,
  mail: NewMail,
): Promise<void> {
  return enqueueMails(tx, context, [mail]);
}

export async function enqueueMails(
  tx: OrganizationChange,
  { keyring }: Pick<MailContext, "keyring">,
  mails: readonly NewMail[],
): Promise<void> {
  if (mails.length === 0) return;
  const { organizationId } = tx.state;
  const rows = mails.map((mail) => ({
    kind: mail.kind,
    recipient: maskAddress(mail.to),
    encrypted: keyring.encrypt(JSON.stringify(toMail(mail))),
  }));
  const ids = await insertMails(tx, organizationId, rows);
  // Sent together: the connection executes them in this order.
  await Promise.all(ids.map((mailId) => enqueue(tx, deliverMail, { organizationId, mailId })));
}

export const deliverMail = defineJob({
  name: "deliver_mail",
  payload: Type.Object({ organizationId: Type.Integer(), mailId: Type.Integer() }),
  async run({ database, keyring, mailer, log }: MailContext, payload) {
    const { mailId } = payload;
    const organizationId = payload.organizationId as OrganizationId;
    const encrypted = await findQueuedMail(database, organizationId, mailId);
    if (!encrypted) return;
    const mail = openMail(keyring, encrypted);
    const outcome = await mailer.send(mail).catch(async (error) => {
      if (error instanceof MailNotTaken) {
        await updateAttempt(database, organizationId, mailId, { answer: error.words, isRefused: false });
      }
      throw error;
    });
    if (outcome === "kept") return keepMail(database, organizationId, mailId);
    if (outcome === "sent") return noteSent(database, organizationId, mailId);
    log.warn({ organizationId, mailId, kind: mail.kind, ...outcome.described }, "a mail was refused");
    await updateAttempt(database, organizationId, mailId, { answer: outcome.words, isRefused: true });
  },
});

/** When each process last wrote down that a mail left. */
const notedAt = new WeakMap<Database, number>();
const NOTE_EVERY_MS = 5 * 60_000;

/** Deletes the mail. Now and then the same statement writes down that mails leave. */
async function noteSent(database: Database, organizationId: OrganizationId, mailId: number): Promise<void> {
  const now = performance.now();
  if (now - (notedAt.get(database) ?? Number.NEGATIVE_INFINITY) < NOTE_EVERY_MS)
    return deleteMail(database, organizationId, mailId);
  await deleteSentMail(database, organizationId, mailId);
  notedAt.set(database, now);
}

/** Mail that could not be sent for days, refused mail, and what a development server has kept for as long. */
export const forgetOldMails = definePeriodicJob({
  name: "forget_old_mails",
  schedule: "17 4 * * *",
  async run({ database }: { database: Database }) {
    await deleteOldMails(database, KEPT_DAYS);
  },
});

export function openMail(keyring: Keyring, encrypted: Buffer): Mail {
  return JSON.parse(keyring.decrypt(encrypted)) as Mail;
}

function toMail({ kind, to, content: { subject, text, html }, headers = {} }: NewMail): Mail {
  if (/[\s,<>]/.test(to)) throw new Error("a mail is to one address");
  const { unsubscribeUrl, threadId } = headers;
  if (/[\s<>]/.test(unsubscribeUrl ?? "") || !/^[\w-]*$/.test(threadId ?? "")) {
    throw new Error("a header of a mail has other characters than it may have");
  }
  return {
    kind,
    to,
    subject: headerText(subject),
    text,
    html: html.text,
    uniqueId: randomUUID(),
    ...headers,
  };
}
