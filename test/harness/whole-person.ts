/** A person of the cast who has used each feature that keeps something of somebody. */
import { writeFile } from "node:fs/promises";
import { onboardingStepNames } from "../../api/personal/onboarding-steps.ts";
import { tomorrow } from "../../api/personal/scheduled-messages.ts";
import { mailPasswordReset } from "../../server/accounts/password-reset/reset-password.ts";
import { mailSignUp } from "../../server/accounts/sign-up/sign-up.ts";
import { countSome } from "../../server/administration/statistics/count.ts";
import { permitEmailChanges } from "../../server/people/update/permit-email-changes.ts";
import { sql } from "../../server/platform/db/sql.ts";
import { html } from "../../server/platform/http/page.ts";
import { enqueue } from "../../server/platform/jobs/enqueue.ts";
import { runContentChange, runStateChange } from "../../server/platform/log/change.ts";
import { enqueueMail } from "../../server/platform/mail/enqueue.ts";
import { PresenceExchange } from "../../server/profiles/presence/exchange.ts";
import { expectSuccess } from "./answers.ts";
import { type Answer, type Caller, type CastName, type Harness, HOST } from "./harness.ts";
import { MULTIPART, multipartBody } from "./multipart.ts";
import { picture } from "./pictures.ts";
import { addSession } from "./sessions.ts";
import { authorizationOf, uploaded } from "./uploads.ts";

/** What tells who the person is. No other text of the tests has these. */
export const tellingTexts = {
  formerName: "Orrin Vexley",
  name: "Quillon Zephyrby",
  formerAddress: "orrin.vexley@mailbox.test",
  address: "quillon.zephyrby@mailbox.test",
  profile: "beekeeper of xanthippe",
  status: "harvesting quinces",
  draft: "draughtwording",
  scheduled: "scheduledwording",
  reminder: "reminderwording",
  snippet: "snippetwording",
  view: "viewwording",
  alertWord: "alertwordling",
  device: "tokenoftelephone",
  agent: "ZephyrBrowser",
  network: "203.0.113.0",
  passkey: "keyringdongle",
  subject: "subject-at-provider-zq",
  earlierText: "regrettedwording",
  unsentFile: "unsentfilebody",
  unsentFileName: "unsent-curriculum",
  mail: "mailedwording",
} as const;

/** The name of an upload that arrives in several requests. */
const PARTIAL = "p".repeat(32);

export interface WholePerson {
  /** Messages of others that mention the person. */
  mentioning: { plain: number; silent: number; code: number; edited: number };
  /** The person's own: one whose text was edited, one with a file, and a direct one. */
  own: { edited: number; withFile: number; direct: number };
  /** Where the files of their messages and of no message are. */
  urls: { sent: string; unsent: string; picture: string };
}

/** `name` must be a member other than `ben`, who writes of them. `ada` must be the owner. */
export async function liveThrough(harness: Harness, name: CastName): Promise<WholePerson> {
  const { services, state } = harness;
  const { database } = services;
  const { organizationId } = state;
  const { id } = harness.user(name);
  const by = harness.as(name);
  const ada = harness.as("ada");
  const channel = await harness.channel("apiary", ["ada", "ben", name]);
  const done = (call: Promise<Answer>) => expectSuccess(call);

  // Two names and addresses one after another, each by an administrator.
  await runStateChange(state, (tx) => permitEmailChanges(tx, harness.user("ada").user, true));
  const t = tellingTexts;
  await done(ada.patch(`/users/${id}`, { full_name: t.formerName, new_email: t.formerAddress }));
  const say = (caller: Caller, content: string) =>
    done(caller.post("/messages", { type: "channel", to: channel.id, topic: "bees", content })).then(
      ({ id: messageId }) => messageId as number,
    );
  const edited = await say(ada, `Ask @**${t.formerName}** and @**Ben Ito** about it`);
  await done(ada.patch(`/messages/${edited}`, { content: `Ask @_**${t.formerName}|${id}** first` }));
  await done(ada.patch(`/users/${id}`, { full_name: t.name, new_email: t.address }));
  const mentioning = {
    plain: await say(ada, `Hello @**${t.name}**!`),
    silent: await say(
      ada,
      `@_**${t.name}|${id}** [said](http://${HOST}/#narrow):\n\`\`\`quote\nBees\n\`\`\``,
    ),
    code: await say(ada, `\`@**${t.name}**\` is for @**${t.name}|${id}**`),
    edited,
  };

  // What they say.
  const withText = await say(by, t.earlierText);
  await done(by.patch(`/messages/${withText}`, { content: "Never mind" }));
  const sent = await uploaded(harness, name, "Honey prices\n", "prices.txt");
  const unsent = await uploaded(harness, name, t.unsentFile, `${t.unsentFileName}.txt`);
  const withFile = await say(by, `Here are [the prices](${sent})`);
  const direct = (
    await done(by.post("/messages", { type: "direct", to: [harness.user("ada").id], content: "Psst" }))
  ).id;
  await done(by.post(`/messages/${mentioning.plain}/reactions`, { emoji_name: "thumbs_up" }));
  await done(by.post("/messages/flags", { messages: [mentioning.plain], op: "add", flag: "starred" }));
  await done(by.post("/messages/flags", { messages: [mentioning.silent], op: "add", flag: "read" }));

  // What they show of themselves.
  const field = await done(ada.post("/realm/profile_fields", { name: "Trade", field_type: 1 }));
  await done(by.patch("/users/me/profile_data", { data: [{ id: field.id, value: t.profile }] }));
  await done(by.post("/users/me/status", { status_text: t.status }));
  await done(by.post("/users/me/presence", { status: "active", last_update_id: -1 }));
  await new PresenceExchange(services, () => {}).run();
  const avatar = await uploadPicture(harness, name);

  // What somebody else writes of them, outside of messages.
  const ben = harness.as("ben");
  const praise = `Learned from @**${t.name}**`;
  await done(ben.patch("/users/me/profile_data", { data: [{ id: field.id, value: praise }] }));
  const place = { type: "channel", to: channel.id, topic: "bees" };
  await done(
    ben.post("/scheduled_messages", { ...place, content: praise, scheduled_delivery_timestamp: tomorrow() }),
  );
  const ofTheirs = { message_id: withFile, note: `Ask @**${t.name}**` };
  await done(ben.post("/reminders", { ...ofTheirs, scheduled_delivery_timestamp: tomorrow() }));

  // What they keep for themselves.
  await done(by.post("/drafts", { drafts: [{ type: "", to: [], topic: "", content: t.draft }] }));
  await done(by.post("/saved_snippets", { title: t.snippet, content: t.snippet }));
  const later = { type: "channel", to: channel.id, topic: "bees", content: t.scheduled };
  await done(by.post("/scheduled_messages", { ...later, scheduled_delivery_timestamp: tomorrow() }));
  const reminder = { message_id: mentioning.plain, note: t.reminder };
  await done(by.post("/reminders", { ...reminder, scheduled_delivery_timestamp: tomorrow() }));
  const view = { fragment: `narrow/search/${t.view}`, is_pinned: true, name: t.view };
  await done(by.post("/navigation_views", view));
  await done(by.post("/users/me/onboarding_steps", { onboarding_step: onboardingStepNames[0] }));
  await done(by.post("/users/me/alert_words", { alert_words: [t.alertWord] }));
  await done(by.post(`/users/me/muted_users/${harness.user("elin").id}`));
  const policy = { stream_id: channel.id, topic: "bees", visibility_policy: 3 };
  await done(by.post("/user_topics", policy));
  const muted = { stream_id: channel.id, property: "is_muted", value: true };
  await done(by.post("/users/me/subscriptions/properties", { subscription_data: [muted] }));
  await done(by.post("/users/me/android_gcm_reg_id", { token: t.device }));
  await done(by.patch("/settings", { timezone: "Asia/Kolkata", twenty_four_hour_time: true }));

  // How they get in. What takes a mailbox, a telephone or a provider is written as its row.
  await addSession(harness, name);
  const signIn = { username: t.address, password: "no password of anybody" };
  await harness.nobody(HOST, { address: "203.0.113.77" }).post("/fetch_api_key", signIn);
  const bytes = Buffer.from("bytes of a credential");
  for (const statement of [
    sql`update sessions set device = ${t.agent}, network = ${t.network} where user_id = ${id}`,
    sql`insert into external_identities (organization_id, issuer, subject, user_id, provider_id)
      values (${organizationId}, 'https://provider.test', ${t.subject}, ${id}, 'company')`,
    sql`insert into passkeys (organization_id, user_id, credential_id, public_key, counter, transports, name)
      values (${organizationId}, ${id}, ${t.passkey}, ${bytes}, 0, '{}', ${t.passkey})`,
    sql`insert into totp_secrets (organization_id, user_id, secret, confirmed_at)
      values (${organizationId}, ${id}, ${services.keyring.encrypt("JBSWY3DPEHPK3PXP")}, now())`,
    sql`insert into recovery_codes (organization_id, user_id, code_hash) values (${organizationId}, ${id}, ${bytes})`,
    sql`insert into known_devices (organization_id, user_id, device_hash)
      values (${organizationId}, ${id}, ${bytes}) on conflict do nothing`,
    sql`insert into sign_in_networks (organization_id, user_id, network_hash)
      values (${organizationId}, ${id}, ${bytes}) on conflict do nothing`,
    sql`insert into pending_sign_ins (organization_id, token_hash, user_id, password_hash, expires_at)
      values (${organizationId}, ${bytes}, ${id}, 'no hash', now() + interval '1 hour')`,
    sql`insert into mailed_codes (organization_id, token_hash, purpose, user_id, email, expires_at)
      values (${organizationId}, ${bytes}, 'password', ${id}, ${t.address}, now() + interval '1 hour')`,
    sql`insert into quota_usage (organization_id, user_id, quota, used)
      values (${organizationId}, ${id}, 'drafts', 1) on conflict do nothing`,
    sql`insert into digests (organization_id, user_id, last_day) values (${organizationId}, ${id}, now())`,
    sql`insert into missed_messages (organization_id, user_id, position, message_ids, news_since, due_at, sent_at)
      values (${organizationId}, ${id}, 1, '{1}', array[now()], now() + interval '1 day', now())`,
    sql`insert into old_read_states (organization_id, user_id, channel_id)
      values (${organizationId}, ${id}, ${channel.id}) on conflict do nothing`,
    sql`insert into import_sources (organization_id, source, kind, source_id, id)
      values (${organizationId}, 'slack', 'person', ${t.subject}, ${id})`,
    sql`insert into organization_invitations (token_hash, email, network)
      values (${bytes}, ${t.address}, ${t.network})`,
    sql`insert into partial_uploads (organization_id, id, owner_id, file_name, length)
      values (${organizationId}, ${PARTIAL}, ${id}, ${t.unsentFileName}, 9)`,
    sql`insert into audit_log (organization_id, action, target_type, target_id, changes, network)
      values (${organizationId}, 'sign_in_failed', 'user', ${id}, '{"reason": {"new": "password"}}', ${t.network})`,
    sql`update audit_log set network = ${t.network}, client = ${t.agent} where actor_id = ${id}`,
  ])
    await database.query(statement);
  const asked = { organizationId, site: `http://${HOST}` };
  const runAt = new Date(tomorrow() * 1000);
  await enqueue(database, mailSignUp, { ...asked, email: t.formerAddress }, { runAt });
  await enqueue(database, mailPasswordReset, { ...asked, email: t.address.toUpperCase() }, { runAt });
  await database.query(sql`
    update graphile_worker._private_jobs set attempts = max_attempts
    where payload ->> 'email' = ${t.address.toUpperCase()}`);
  await writeFile(await services.files.partialPath(PARTIAL), t.unsentFile);
  await done(ada.post("/invites", { invitee_emails: t.formerAddress, stream_ids: [] }));
  await runContentChange(state, (tx) =>
    enqueueMail(tx, services, {
      kind: "account notice",
      to: t.address,
      content: { subject: t.mail, text: t.mail, html: html`${t.mail}` },
    }),
  );
  while (await countSome(database, organizationId));
  return {
    mentioning,
    own: { edited: withText, withFile, direct },
    urls: { sent, unsent, picture: avatar },
  };
}

async function uploadPicture(harness: Harness, name: CastName): Promise<string> {
  const content = await picture("png", 300, 200);
  const response = await harness.app.inject({
    method: "POST",
    url: "/api/v1/users/me/avatar",
    headers: { host: HOST, authorization: authorizationOf(harness, name), "content-type": MULTIPART },
    payload: multipartBody([{ name: "file", fileName: "me.png", contentType: "image/png", content }]),
  });
  return response.json().avatar_url as string;
}
