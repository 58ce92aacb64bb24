import type { Email } from "postal-mime";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { userSettings } from "../../../api/people/user-settings.ts";
import { expectSuccess } from "../../../test/harness/answers.ts";
import { type CastName, createHarness, type Harness, HOST } from "../../../test/harness/harness.ts";
import { runJobs } from "../../../test/harness/jobs.ts";
import {
  headerOf,
  type MailServer,
  mailSettings,
  startMailServer,
} from "../../../test/harness/mail-server.ts";
import { Node } from "../../../test/harness/node.ts";
import type { Channel } from "../../channels/channel.ts";
import { userSettingOf } from "../../people/settings/user-setting.ts";
import { sql } from "../../platform/db/sql.ts";
import { presences } from "../../profiles/presence/presences.ts";
import { mailDigests, mailDigestTo } from "./digest.ts";
import { digestDay } from "./digest-time.ts";

const DAY_MS = 24 * 3600 * 1000;
/** In six days at nine in UTC: the cast was away for more than five days, and what is sent now is news. */
const dueAt = new Date(Math.floor(Date.now() / DAY_MS + 6) * DAY_MS + 9 * 3600 * 1000);
const weekday = (dueAt.getUTCDay() + 6) % 7;

let mailServer: MailServer;
let harness: Harness;
let kitchen: Channel;
let count = 0;
beforeAll(async () => {
  mailServer = await startMailServer();
  harness = await createHarness(mailSettings(mailServer));
  await change("ada", "/realm", { digest_emails_enabled: true, digest_weekday: weekday });
});
afterAll(async () => {
  await harness.close();
  await mailServer.close();
});
beforeEach(async () => {
  kitchen = await harness.channel(`kitchen ${++count}`, ["ada", "ben", "dev", "elin"]);
});
afterEach(async () => {
  await forgetDigests();
  await expectSuccess(harness.as("elin").post("/mark_all_as_read"));
});

const change = (name: CastName, path: string, values: Record<string, unknown>) =>
  expectSuccess(harness.as(name).patch(path, values));
const forgetDigests = () => harness.services.database.query(sql`delete from digests`);
const say = async (name: CastName, content: string, topic = "lunch", to = kitchen): Promise<number> =>
  (await expectSuccess(harness.as(name).post("/messages", { type: "channel", to: to.id, topic, content })))
    .id;
const run = (at: Date) => ({ signal: new AbortController().signal, dueAt: at });

async function digests(at = dueAt): Promise<Email[]> {
  await mailDigests.run(harness.services, {}, run(at));
  await runJobs(harness.services);
  return mailServer.received();
}

const toElin = (mails: readonly Email[]) => mails.filter(({ to }) => to?.[0]?.address === "elin@demo.test");
const elinsDigest = async (at = dueAt): Promise<Email | undefined> => toElin(await digests(at))[0];
const all = (mail: Email | undefined) => `${mail?.subject}\n${mail?.text}\n${mail?.html}`;

describe("a digest", () => {
  test("names the busiest unread topics, how much came, who wrote, and nothing of the texts", async () => {
    await say("dev", "secret soup");
    for (const name of ["dev", "ben", "dev"] as const) await say(name, "secret cake", "cake & tea");
    const mail = await elinsDigest();
    expect(mail?.subject).toBe("What you missed this week");
    expect(mail?.text).toMatch(
      /4 unread messages from the last days in 2 topics[\s\S]*cake & tea\n {2}3 messages by Dev Rao and Ben Ito\n[\s\S]*lunch\n {2}1 message by Dev Rao/,
    );
    expect(all(mail)).not.toContain("secret");
    expect(mail?.text).toContain(
      `https://demo.test/#narrow/channel/${kitchen.id}-kitchen-${count}/topic/lunch/near/`,
    );
    // The cast joined within the week.
    expect(mail?.text).toMatch(/New: .*Gus Pike/);
  });

  test("leaves out what is read, muted, out of reach, or by somebody who is muted", async () => {
    const secret = await harness.channel(`secret ${count}`, ["ada", "dev", "elin"], { isPrivate: true });
    const loud = await harness.channel(`loud ${count}`, ["ada", "dev", "elin"]);
    const read = await say("dev", "x", "was read");
    await say("dev", "x", "was muted");
    await say("dev", "x", "out of reach", secret);
    await say("dev", "x", "of a muted channel", loud);
    await say("dev", "x", "followed there", loud);
    await say("cleo", "x", "by cleo", await harness.channel(`cleo ${count}`, ["cleo", "elin"]));
    await say("dev", "x", "is left");
    const elin = harness.as("elin");
    await expectSuccess(elin.post("/messages/flags", { messages: [read], op: "add", flag: "read" }));
    const policy = (channel: Channel, topic: string, visibility_policy: number) =>
      expectSuccess(elin.post("/user_topics", { stream_id: channel.id, topic, visibility_policy }));
    await policy(kitchen, "was muted", 1);
    await policy(loud, "followed there", 3);
    await expectSuccess(
      elin.post("/users/me/subscriptions/properties", {
        subscription_data: [{ stream_id: loud.id, property: "is_muted", value: true }],
      }),
    );
    const cleo = `/users/me/muted_users/${harness.user("cleo").id}`;
    await expectSuccess(elin.post(cleo));
    await expectSuccess(
      harness.as("ada").delete("/users/me/subscriptions", {
        subscriptions: [secret.name],
        principals: [harness.user("elin").id],
      }),
    );
    const mail = await elinsDigest();
    expect(mail?.text).toMatch(/2 unread messages/);
    expect(mail?.text).toContain("followed there");
    expect(mail?.text).toContain("is left");
    expect(all(mail)).not.toMatch(/was read|was muted|out of reach|of a muted|by cleo/);
    await expectSuccess(elin.delete(cleo));
  });

  test("names no place and nobody where mails hold no messages", async () => {
    await say("dev", "x");
    for (const [name, path] of [
      ["message_content_in_email_notifications", "/settings"],
      ["message_content_allowed_in_email_notifications", "/realm"],
    ] as const) {
      const who = path === "/realm" ? "ada" : "elin";
      await change(who, path, { [name]: false });
      const mail = await elinsDigest();
      expect(mail?.text).toContain("1 unread message from the last days in 1 topic");
      expect(mail?.text).toMatch(/\d people joined/);
      expect(all(mail)).not.toMatch(/Dev Rao|Gus Pike|kitchen|lunch/);
      await change(who, path, { [name]: true });
      await forgetDigests();
    }
  });

  test("is ended by one POST, and only then", async () => {
    await say("dev", "x");
    const mail = (await elinsDigest()) as Email;
    expect(headerOf(mail, "list-unsubscribe-post")).toBe("List-Unsubscribe=One-Click");
    const [, url = ""] =
      /<https:\/\/demo\.test(\/unsubscribe\/digest\/[^>]+)>/.exec(headerOf(mail, "list-unsubscribe") ?? "") ??
      [];
    const headers = { host: HOST, "content-type": "application/x-www-form-urlencoded" };
    const payload = "List-Unsubscribe=One-Click";
    expect((await harness.app.inject({ method: "POST", url, headers, payload })).statusCode).toBe(200);
    expect(userSettingOf(harness.user("elin").user, userSettings.enableDigestEmails)).toBe(false);
    expect(userSettingOf(harness.user("elin").user, userSettings.enableOfflineEmailNotifications)).toBe(true);
    await forgetDigests();
    expect(await elinsDigest()).toBeUndefined();
    await change("elin", "/settings", { enable_digest_emails: true });
    expect(await elinsDigest()).toBeDefined();
  });
});

describe("when a digest comes", () => {
  test("once a week on the day of the organization, in the morning where the person is", async () => {
    await say("dev", "x");
    const hours = (number: number) => new Date(dueAt.getTime() + number * 3600 * 1000);
    expect(await digests(hours(4))).toEqual([]);
    expect(await digests(hours(-24))).toEqual([]);
    await change("elin", "/settings", { timezone: "Asia/Tokyo" });
    expect(await elinsDigest()).toBeUndefined();
    await change("elin", "/settings", { timezone: "UTC" });
    // The others got theirs already.
    expect(await digests()).toHaveLength(1);
    expect(await digests(hours(1))).toEqual([]);
    expect(digestDay(new Date("2026-03-01T23:30:00Z"), "Asia/Tokyo", 0)).toBe("2026-03-02");
    expect(digestDay(new Date("2026-03-01T22:30:00Z"), "Asia/Tokyo", 0)).toBeUndefined();
  });

  test("not to somebody who was there or wrote, who has read all, or where it is off", async () => {
    await say("dev", "x");
    const own = await say("elin", "I am here");
    const wroteAt = new Date(dueAt.getTime() - 4 * DAY_MS);
    await harness.services.database.query(sql`update messages set sent_at = ${wroteAt} where id = ${own}`);
    const addresses = (await digests()).map(({ to }) => to?.[0]?.address);
    expect(addresses).toContain("ben@demo.test");
    // gus is in no channel, so there is nothing to say.
    expect(addresses).not.toContain("gus@demo.test");
    expect(addresses).not.toContain("elin@demo.test");
    await harness.services.database.query(sql`update messages set sent_at = now() where id = ${own}`);
    await forgetDigests();
    harness.state.get(presences).report(harness.user("ben").user.id, false, dueAt.getTime() - 4 * DAY_MS);
    expect((await digests()).map(({ to }) => to?.[0]?.address)).not.toContain("ben@demo.test");
    await forgetDigests();
    await change("ada", "/realm", { digest_emails_enabled: false });
    expect(await digests()).toEqual([]);
    await change("ada", "/realm", { digest_emails_enabled: true });
  });

  test("once although two nodes run the jobs, and a job runs again", async () => {
    await say("dev", "x");
    const { database, config } = harness.services;
    const other = await Node.start(config, database.connection, {
      organizationId: harness.state.organizationId,
    });
    const since = await say("dev", "y");
    const day = dueAt.toISOString().slice(0, 10);
    const { organizationId } = harness.state;
    const payload = { organizationId, userId: harness.user("elin").id, at: dueAt.getTime(), day, since };
    await other.state.catchUp();
    await Promise.all(
      [harness.services, other.services].map((services) => mailDigestTo.run(services, payload, run(dueAt))),
    );
    await mailDigestTo.run(other.services, payload, run(dueAt));
    const [mails] = await Promise.all([digests(), runJobs(other.services)]);
    expect(toElin([...mails, ...(await mailServer.received())])).toHaveLength(1);
    await other.stop();
  });
});
