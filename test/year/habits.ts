/** What people, their programs and strangers do in a month, in small. Each month is like the others. */
import { expect } from "vitest";
import type { ChannelId, UserId } from "../../api/ids.ts";
import { keepStep } from "../../server/accounts/providers/steps.ts";
import { expireMessagesOf } from "../../server/messages/retention/expire.ts";
import { followAll } from "../../server/notifications/email/follower.ts";
import { sql } from "../../server/platform/db/sql.ts";
import { enqueue } from "../../server/platform/jobs/enqueue.ts";
import { rosa, sendForm, signIn } from "../harness/accounts.ts";
import { expectSuccess } from "../harness/answers.ts";
import { type CastName, type Harness, HOST, OTHER_HOST } from "../harness/harness.ts";
import { ownPageHeaders } from "../harness/own-page-headers.ts";
import { addSession } from "../harness/sessions.ts";
import { authorizationOf, uploaded } from "../harness/uploads.ts";

export interface Company {
  harness: Harness;
  /** Keeps messages for ever, and one that keeps them for a month. */
  kept: ChannelId;
  limited: ChannelId;
  /** A bot whose program is gone. */
  bot: UserId;
  group: number;
  rosaId: UserId;
}

/** Seconds since the epoch, so many days from now. */
const inDays = (days: number) => Math.floor(Date.now() / 1000) + days * 24 * 3600;

/** Everything that one month has. `month` makes names of their own. */
export async function aMonth(company: Company, month: number): Promise<void> {
  const { harness } = company;
  await personal(harness, "dev", company.kept, month);
  await personal(harness, "elin", company.kept, month);
  await writing(company, month);
  await signingIn(harness, month);
  await strangers(harness, month);
  await programs(company, month);
  await administration(company, month);
  // A server does that behind each send.
  await followAll(harness.state);
}

/** What one person does for themselves. */
export async function personal(
  harness: Harness,
  name: CastName,
  channel: ChannelId,
  month: number,
): Promise<void> {
  const as = harness.as(name);
  await addSession(harness, name);
  const { ids } = await expectSuccess(
    as.post("/drafts", { drafts: [{ type: "", to: [], topic: "", content: "Sou" }] }),
  );
  await expectSuccess(as.delete(`/drafts/${ids[0]}`));
  const to = { type: "channel", to: channel, topic: "lunch" };
  const { id } = await expectSuccess(as.post("/messages", { ...to, content: "Soup today?" }));
  const at = { scheduled_delivery_timestamp: inDays(1) };
  await expectSuccess(as.post("/reminders", { message_id: id, note: "Soup", ...at }));
  await expectSuccess(as.post("/scheduled_messages", { ...to, content: "Soup tomorrow.", ...at }));
  const snippet = { title: "Soup", content: "Soup." };
  const { saved_snippet_id } = await expectSuccess(as.post("/saved_snippets", snippet));
  await expectSuccess(as.delete(`/saved_snippets/${saved_snippet_id}`));
  await expectSuccess(as.post("/users/me/alert_words", { alert_words: ["soup"] }));
  await expectSuccess(as.delete("/users/me/alert_words", { alert_words: ["soup"] }));
  const topic = { stream_id: channel, topic: "lunch" };
  await expectSuccess(as.post("/user_topics", { ...topic, visibility_policy: 3 }));
  await expectSuccess(as.post("/user_topics", { ...topic, visibility_policy: 0 }));
  await expectSuccess(as.post("/users/me/apns_device_token", { token: "c0ffee", appid: "org.example.chat" }));
  await expectSuccess(as.post("/users/me/status", { status_text: `Month ${month}` }));
  await expectSuccess(as.post("/users/me/presence", { status: "active" }));
  await expectSuccess(as.post("/register", {}));
  await expectSuccess(as.post("/register", { idle_queue_timeout: 7 * 24 * 3600 }));
  await expectSuccess(as.post("/users/me/data_copy"));
  await cutOffUpload(harness, name);
  await uploaded(harness, name, `never linked ${month}`);
}

async function cutOffUpload(harness: Harness, name: CastName): Promise<void> {
  const headers = {
    host: name === "zed" ? OTHER_HOST : HOST,
    authorization: authorizationOf(harness, name),
    "tus-resumable": "1.0.0",
  };
  const begun = await harness.app.inject({
    method: "POST",
    url: "/api/v1/tus",
    headers: { ...headers, "upload-length": "100", "upload-metadata": "filename YQ==" },
  });
  expect(begun.statusCode, begun.body).toBe(201);
  const url = new URL(String(begun.headers.location), "http://demo.test");
  const part = await harness.app.inject({
    method: "PATCH",
    url: url.pathname,
    headers: { ...headers, "upload-offset": "0", "content-type": "application/offset+octet-stream" },
    payload: "a part",
  });
  expect(part.statusCode, part.body).toBe(204);
}

async function writing({ harness, kept, limited }: Company, month: number): Promise<void> {
  const [dev, elin] = [harness.as("dev"), harness.as("elin")];
  const say = async (to: ChannelId, content: string, topic = "lunch") =>
    (await expectSuccess(dev.post("/messages", { type: "channel", to, topic, content }))).id as number;
  for (const to of [kept, limited]) {
    const url = await uploaded(harness, "dev", `linked ${month} ${to}`);
    const linking = await say(to, `[soup](${url})`, `month ${month}`);
    await expectSuccess(elin.post(`/messages/${linking}/reactions`, { emoji_name: "heart" }));
    const flag = { messages: [linking], op: "add", flag: "starred" };
    await expectSuccess(elin.post("/messages/flags", flag));
    await expectSuccess(dev.patch(`/messages/${linking}`, { content: `[Soup](${url})!` }));
    const poll = await say(to, "/poll Soup?\nYes\nNo");
    const vote = { type: "vote", key: "canned,0", vote: 1 };
    await expectSuccess(elin.post("/submessage", { message_id: poll, msg_type: "widget", content: vote }));
    for (let count = 0; count < 5; count++) await say(to, `@**Elin Berg** soup number ${count}?`);
    const mistake = await say(
      to,
      `a mistake [f](${await uploaded(harness, "dev", `mistake ${month} ${to}`)})`,
    );
    await expectSuccess(harness.as("ada").delete(`/messages/${mistake}`));
  }
  const direct = { type: "direct", to: [harness.user("elin").id], content: "Soup?" };
  await expectSuccess(dev.post("/messages", direct));
}

async function signingIn(harness: Harness, month: number): Promise<void> {
  const { services, state } = harness;
  await signIn(harness);
  const headers = ownPageHeaders;
  await sendForm(harness, "/reset", { email: rosa.username }, { headers });
  for (const address of [`192.0.2.${month + 1}`, "192.0.2.200"]) {
    await harness
      .nobody(HOST, { address })
      .post("/fetch_api_key", { username: rosa.username, password: "no" });
  }
  await expectSuccess(harness.nobody().post("/session/passkey_options"));
  const { id: userId } = harness.user("cleo");
  // What needs a provider of accounts, or a second step.
  const identity = { issuer: "https://id.test", subject: "cleo", providerId: "id" };
  await keepStep(state, services.keyring, { kind: "desktop", userId, identity, next: "/" });
  await services.database.query(sql`
    insert into pending_sign_ins (organization_id, token_hash, user_id, password_hash, expires_at)
    values (${state.organizationId}, ${services.keyring.hash(`${month}`)}, ${userId}, 'a hash',
      now() + interval '10 minutes')`);
}

async function strangers(harness: Harness, month: number): Promise<void> {
  const { services, state } = harness;
  await sendForm(harness, "/join", { email: `stranger-${month}@demo.test` }, { headers: ownPageHeaders });
  const { keyring, database, files } = services;
  const { organizationId } = state;
  await database.query(sql`
    insert into organization_invitations (token_hash, email, network)
    values (${keyring.hash(`founder ${month}`)}, ${`founder-${month}@else.test`}, '192.0.2.0/24')`);
  const digest = keyring.hash(`page ${month}`);
  await database.query(sql`
    insert into external_pages (organization_id, digest, title, expires_at)
    values (${organizationId}, ${digest}, 'Soup', now() + interval '1 hour')`);
  const fileName = `${digest.toString("hex")}.webp`;
  const picture = { bytes: Buffer.from("a picture"), contentType: "image/webp" };
  await files.put(`${organizationId}/external/${fileName}`, picture);
  await database.query(sql`
    insert into external_images (organization_id, digest, file_name, size_bytes)
    values (${organizationId}, ${digest}, ${fileName}, 9)`);
}

async function programs({ harness, bot }: Company, month: number): Promise<void> {
  const message = { type: "direct", to: [bot], content: `call ${month}` };
  await expectSuccess(harness.as("dev").post("/messages", message));
  const { apiKey } = harness.user("echo");
  const query = new URLSearchParams({ api_key: apiKey, stream: "soups" });
  const called = await harness.app.inject({
    method: "POST",
    url: `/api/v1/external/github?${query}`,
    headers: {
      host: HOST,
      "content-type": "application/json",
      "x-github-event": "ping",
      "x-github-delivery": `delivery ${month}`,
    },
    payload: JSON.stringify({ zen: "Soup.", repository: { full_name: "soup/soup" } }),
  });
  expect(called.statusCode, called.body).toBe(200);
  // A job that fails for good: there is no such organization.
  const once = { ...expireMessagesOf, attempts: 1 };
  await enqueue(harness.services.database, once, { organizationId: 1_000_000 + month });
}

async function administration({ harness, kept, group, rosaId }: Company, month: number): Promise<void> {
  const ada = harness.as("ada");
  const people = [1, 2, 3].map((count) => `guest-${month}-${count}@else.test`).join(",");
  await expectSuccess(ada.post("/invites", { invitee_emails: people, stream_ids: [] }));
  await expectSuccess(ada.post("/invites/multiuse", { invite_expires_in_minutes: 60 * 24 * 5 }));
  await expectSuccess(ada.post("/export/realm", { export_type: 1 }));
  for (const new_email of ["rosa.vale@demo.test", rosa.username])
    await expectSuccess(ada.patch(`/users/${rosaId}`, { new_email }));
  const members = `/user_groups/${group}/members`;
  await expectSuccess(ada.post(members, { add: [rosaId] }));
  const mention = { type: "channel", to: kept, topic: "lunch", content: "@*cooks* soup?" };
  await expectSuccess(harness.as("dev").post("/messages", mention));
  await expectSuccess(ada.post(members, { delete: [rosaId] }));
  const subscriptions = JSON.stringify([{ name: "months" }]);
  await expectSuccess(ada.post("/users/me/subscriptions", { subscriptions, principals: [rosaId] }));
  await expectSuccess(
    ada.delete("/users/me/subscriptions", { subscriptions: ["months"], principals: [rosaId] }),
  );
}
