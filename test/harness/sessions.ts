/** Browsers of the cast that are signed in. */
import type { UserId } from "../../api/ids.ts";
import { sessions } from "../../server/accounts/sessions/live-sessions.ts";
import { type SignInPlace, startSession } from "../../server/accounts/sessions/start.ts";
import { sql } from "../../server/platform/db/sql.ts";
import { SessionCookie } from "../../server/platform/http/session-cookie.ts";
import { type Caller, type CastName, callerOf, type Harness, HOST, OTHER_HOST } from "./harness.ts";
import { ownPageHeaders } from "./own-page-headers.ts";

export interface TestSession {
  id: number;
  token: string;
  /** The name and value of the cookie, as a browser sends it back. */
  cookie: string;
}

const PASSWORD_HASH = "no hash of any password";

/** Where a browser signs in that has no cookie yet. */
export function aBrowser(): SignInPlace & { cookie: SessionCookie } {
  const headers = { "user-agent": "Mozilla/5.0 (X11; Linux) Firefox/140.0" };
  const cookie = new SessionCookie(headers, "http://toy.test");
  return { cookie, address: "192.0.2.7", client: "website" };
}

/** Starts a session of somebody who has no password of their own. */
export async function addSession(harness: Harness, name: CastName): Promise<TestSession> {
  const { viewer, user } = harness.user(name);
  const { state } = viewer;
  await harness.services.database.query(sql`
    update users set password_hash = ${PASSWORD_HASH} where id = ${user.id} and password_hash is null`);
  const [row] = await harness.services.database.query<{ hash: string }>(
    sql`select password_hash as hash from users where id = ${user.id}`,
  );
  const place = aBrowser();
  const { hash: passwordHash } = row as { hash: string };
  const signedIn = { user, passwordHash, by: "second step" as const };
  await startSession(harness.services, state, signedIn, place);
  const pair = cookieIn(place.cookie.header);
  const token = pair.slice(pair.indexOf("=") + 1);
  const hash = harness.services.keyring.hash(token).toString("base64");
  const session = state.get(sessions).find(hash);
  if (session?.userId !== (user.id as UserId)) throw new Error("the session did not start");
  return { id: session.id, token, cookie: pair };
}

/** Calls as the web client makes them, with a session's cookie. */
export function browserOf(harness: Harness, cookie: string, host: string = HOST): Caller {
  return callerOf(harness.app, { host, cookie, ...ownPageHeaders });
}

export async function browserAs(harness: Harness, name: CastName): Promise<Caller> {
  const { cookie } = await addSession(harness, name);
  return browserOf(harness, cookie, name === "zed" ? OTHER_HOST : HOST);
}

/** The name and value in a Set-Cookie header. */
export function cookieIn(header: unknown): string {
  const [first] = Array.isArray(header) ? header : [header];
  const pair = `${first ?? ""}`.split(";")[0] as string;
  if (!pair.includes("=")) throw new Error("no cookie is set");
  return pair;
}
