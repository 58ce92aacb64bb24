/** Somebody with everything that can be held: browsers, programs, a bot, a second step, an identity. */
import type { ChannelId, UserId } from "../../../api/ids.ts";
import { roles } from "../../../api/roles.ts";
import { codeAt } from "../../../server/accounts/second-steps/totp.ts";
import { type User, users } from "../../../server/people/user.ts";
import { addPerson, PASSWORD } from "../../harness/accounts.ts";
import { expectSuccess } from "../../harness/answers.ts";
import { type Caller, callerOf, type Harness, HOST } from "../../harness/harness.ts";
import type { HttpNode } from "../../harness/http-node.ts";
import { addIdentity } from "../../harness/identities.ts";
import { TOTP_STEP_MS } from "../../harness/one-time-codes.ts";
import { ownPageHeaders } from "../../harness/own-page-headers.ts";
import { cookieIn } from "../../harness/sessions.ts";
import { uploaded } from "../../harness/uploads.ts";

export type Headers = Record<string, string>;

/** What a request shows, as headers. */
export interface Person {
  id: UserId;
  email: string;
  /** The browser that asks for what they end themselves. */
  here: Headers;
  /** Another browser. */
  elsewhere: Headers;
  /** A program. */
  key: Headers;
  apiKey: string;
  /** Codes that were not used. */
  recoveryCodes: string[];
  bot: { id: number; key: Headers };
  identityId: number;
  /** A private channel, and the address of a file in it that somebody else has uploaded. */
  channelId: ChannelId;
  fileUrl: string;
}

let count = 0;

/** An administrator in whose private channel is a file of ada's. */
export async function addEverything(harness: Harness): Promise<Person> {
  const email = `pia${++count}@demo.test`;
  const ada = harness.as("ada");
  const id = await addPerson(harness, email, `Pia Holm ${count}`);
  await expectSuccess(ada.patch(`/users/${id}`, { role: roles.administrator }));
  const apiKey = (await expectSuccess(harness.nobody().post("/fetch_api_key", loginOf(email)))).api_key;
  const { here, recoveryCodes } = await addSecondStep(harness, await signIn(harness, loginOf(email)));
  const elsewhere = await signIn(harness, { ...loginOf(email), code: recoveryCodes.pop() as string });
  const key = basic(email, apiKey);
  const as = callerOf(harness.app, key);
  const bot = await expectSuccess(as.post("/bots", { full_name: `Bot ${count}`, short_name: `bot${count}` }));
  const channel = { name: `secret ${count}`, subscribers: [id, harness.user("ada").id], invite_only: true };
  const { id: channelId } = await expectSuccess(ada.post("/channels/create", channel));
  const fileUrl = await uploaded(harness, "ada");
  const content = `[soup](${fileUrl})`;
  await expectSuccess(ada.post("/messages", { type: "channel", to: channelId, topic: "soup", content }));
  const user = harness.state.get(users).find(id) as User;
  const identityId = await addIdentity(harness, { state: harness.state, user });
  const { bots } = await expectSuccess(as.get("/bots"));
  const { username } = bots.find((each: { user_id?: number; username: string }) =>
    each.username.startsWith(`bot${count}-bot@`),
  );
  return {
    ...{ id, email, here, elsewhere, key, apiKey, recoveryCodes, identityId, channelId, fileUrl },
    bot: { id: bot.user_id, key: basic(username, bot.api_key) },
  };
}

export const callerAt = ({ app }: Pick<HttpNode, "app">, headers: Headers): Caller => callerOf(app, headers);

export const loginOf = (email: string) => ({ username: email, password: PASSWORD });

const browserHeaders = (cookie: string) => ({ host: HOST, cookie, ...ownPageHeaders });

function basic(email: string, apiKey: string): Headers {
  const authorization = `Basic ${Buffer.from(`${email}:${apiKey}`).toString("base64")}`;
  return { host: HOST, authorization, "user-agent": "ParleyTest/1.0" };
}

async function signIn(harness: Harness, login: Record<string, string>): Promise<Headers> {
  const answer = await harness.nobody().post("/session", login);
  await expectSuccess(Promise.resolve(answer));
  return browserHeaders(cookieIn(answer.headers["set-cookie"]));
}

/** The session that adds it goes on with another cookie. */
async function addSecondStep(harness: Harness, headers: Headers) {
  const browser = callerOf(harness.app, headers);
  const { secret } = await expectSuccess(browser.post("/second_steps/totp"));
  const code = codeAt(secret, Date.now() - TOTP_STEP_MS);
  const answer = await browser.post("/second_steps/totp/confirm", { code });
  const { recovery_codes } = await expectSuccess(Promise.resolve(answer));
  return {
    here: browserHeaders(cookieIn(answer.headers["set-cookie"])),
    recoveryCodes: recovery_codes as string[],
  };
}
