/** Accounts with a password: making them, signing in by it, the forms on the way, and the mails to them. */
import { expect } from "vitest";
import type { UserId } from "../../api/ids.ts";
import { openMail } from "../../server/platform/mail/enqueue.ts";
import type { Mail } from "../../server/platform/mail/mail.ts";
import { listKeptMails } from "../../server/platform/mail/store.ts";
import { expectSuccess } from "./answers.ts";
import { type Caller, type Harness, HOST } from "./harness.ts";
import { runJobs } from "./jobs.ts";
import { browserOf, cookieIn } from "./sessions.ts";

/** Good enough for any account. */
export const PASSWORD = "correct horse battery";
export const OTHER_PASSWORD = "seven quiet lanterns";

/** What somebody types to sign in. Not an interface, so that it can be the parameters of a call. */
export type Login = { username: string; password: string };

/** Somebody with a password, which nobody of the cast has. `addRosa` makes the account. */
export const rosa: Login = { username: "rosa@demo.test", password: PASSWORD };

export function addRosa(harness: Harness): Promise<UserId> {
  return addPerson(harness, rosa.username, "Rosa Vale");
}

/** Makes an account, as ada does, with `PASSWORD`. */
export async function addPerson(harness: Harness, email: string, fullName: string): Promise<UserId> {
  const account = { email, full_name: fullName, password: PASSWORD };
  return (await expectSuccess(harness.as("ada").post("/users", account))).user_id;
}

/** Signs in by password, and gives the cookie of the session. */
export async function signInForCookie(
  harness: Harness,
  login: Login & Record<string, string> = rosa,
): Promise<string> {
  const answer = await harness.nobody().post("/session", login);
  expect(answer.body.msg).toBe("");
  return cookieIn(answer.headers["set-cookie"]);
}

/** Signs in by password, and by whatever else the parameters say. */
export async function signIn(
  harness: Harness,
  login: Login & Record<string, string> = rosa,
): Promise<Caller> {
  return browserOf(harness, await signInForCookie(harness, login));
}

/** Calls with the cookie that an answer has set, such as one that renewed the session. */
export function browserAfter(harness: Harness, answer: { headers: Record<string, unknown> }): Caller {
  return browserOf(harness, cookieIn(answer.headers["set-cookie"]));
}

/** What the server has mailed, the oldest first. */
export async function mailsOf({ services, state }: Harness): Promise<Mail[]> {
  await runJobs(services);
  const kept = await listKeptMails(services.database, state.organizationId, 5000);
  return kept.map(({ encrypted }) => openMail(services.keyring, encrypted)).reverse();
}

export async function mailsTo(harness: Harness, email: string): Promise<Mail[]> {
  return (await mailsOf(harness)).filter(({ to }) => to === email);
}

/** The path of the link in the newest mail to an address that has one. */
export async function mailedPath(harness: Harness, email: string): Promise<string> {
  const links = (await mailsTo(harness, email)).flatMap(({ text }) => /http\S+/.exec(text)?.[0] ?? []);
  const link = links.at(-1);
  if (!link) throw new Error(`no mail with a link to ${email}`);
  return new URL(link).pathname;
}

interface Sent {
  host?: string;
  headers?: Record<string, string>;
  /** The address from which it comes. By default the loopback address. */
  address?: string;
}

/** A page of the server, as a browser without script opens it. */
export function openPage({ app }: Harness, url: string, { host = HOST, headers = {} }: Sent = {}) {
  return app.inject({ method: "GET", url, headers: { host, ...headers } });
}

/** A form of such a page. The headers say from where it is sent, and nothing does by default. */
export function sendForm(
  { app }: Harness,
  url: string,
  fields: Record<string, string>,
  { host = HOST, headers = {}, address }: Sent = {},
) {
  return app.inject({
    method: "POST",
    url,
    headers: { host, "content-type": "application/x-www-form-urlencoded", ...headers },
    payload: new URLSearchParams(fields).toString(),
    ...(address !== undefined && { remoteAddress: address }),
  });
}
