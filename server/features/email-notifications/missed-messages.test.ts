import type { Email } from "postal-mime";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { expectSuccess } from "../../../test/harness/answers.ts";
import {
  type CastName,
  createHarness,
  type Harness,
  HOST,
  OTHER_HOST,
} from "../../../test/harness/harness.ts";
import { runJobsEarly } from "../../../test/harness/jobs.ts";
import { listen } from "../../../test/harness/listener.ts";
import {
  headerOf,
  type MailServer,
  mailSettings,
  startMailServer,
} from "../../../test/harness/mail-server.ts";
import { Node } from "../../../test/harness/node.ts";
import { sql } from "../../platform/db/sql.ts";
import { runDueJobs } from "../../platform/jobs/run-due-jobs.ts";
import type { Channel } from "../channels/channel.ts";
import { presences } from "../presence/presences.ts";
import { followAll } from "./follower.ts";
import { mailHtml, textOfMailHtml } from "./mail-html.ts";
import { mailMissedMessages } from "./mail-missed.ts";

let mailServer: MailServer;
let harness: Harness;
let channel: Channel;
let count = 0;
beforeAll(async () => {
  mailServer = await startMailServer();
  harness = await createHarness(mailSettings(mailServer));
});
afterAll(async () => {
  await harness.close();
  await mailServer.close();
});
beforeEach(async () => {
  channel = await harness.channel(`kitchen ${++count}`, ["ada", "ben", "dev", "elin"]);
});
afterEach(async () => {
  await deliver();
  await query(sql`delete from missed_messages`);
});

const query = <Row>(statement: ReturnType<typeof sql>) =>
  harness.services.database.query<Row & Record<string, unknown>>(statement);
const id = (name: CastName) => harness.user(name).id;
const say = async (name: CastName, content: string, topic = "lunch"): Promise<number> =>
  (
    await expectSuccess(
      harness.as(name).post("/messages", { type: "channel", to: channel.id, topic, content }),
    )
  ).id;
const tell = async (name: CastName, to: CastName[], content: string): Promise<number> =>
  (await expectSuccess(harness.as(name).post("/messages", { type: "direct", to: to.map(id), content }))).id;
const set = (name: CastName, settings: Record<string, unknown>) =>
  expectSuccess(harness.as(name).patch("/settings", settings));
const choose = (name: CastName, property: string, value: unknown) =>
  expectSuccess(
    harness.as(name).post("/users/me/subscriptions/properties", {
      subscription_data: [{ stream_id: channel.id, property, value }],
    }),
  );
const policy = (name: CastName, topic: string, visibility: number) =>
  expectSuccess(
    harness.as(name).post("/user_topics", { stream_id: channel.id, topic, visibility_policy: visibility }),
  );
const missed = () => query<{ user: number }>(sql`select user_id as user from missed_messages order by 1`);
const run = () => ({ signal: new AbortController().signal, dueAt: new Date() });

/** All that is to be mailed by now, as if everybody had waited long enough. */
async function deliver(): Promise<Email[]> {
  await followAll(harness.state);
  await query(sql`update missed_messages set due_at = now()`);
  await mailMissedMessages.run(harness.services, {}, run());
  await runDueJobs(harness.services, harness.services.jobs);
  return mailServer.received();
}

const to = (mails: readonly Email[]) => mails.map((mail) => mail.to?.[0]?.address).sort();

describe("who gets a message by mail", () => {
  test("the people of a direct message, but not its sender", async () => {
    await tell("dev", ["elin", "ben"], "Are you there?");
    const mails = await deliver();
    expect(to(mails)).toEqual(["ben@demo.test", "elin@demo.test"]);
    expect(mails[0]?.text).toContain("Are you there?");
    expect(mails[0]?.from).toEqual({ name: "Demo chat", address: "chat@demo.test" });
    expect(headerOf(mails[0] as Email, "auto-submitted")).toBe("auto-generated");
    expect(await deliver()).toEqual([]);
  });

  test("a mentioned person, and not the other subscribers", async () => {
    await say("dev", "@**Elin Berg** soup?");
    const [mail, ...others] = await deliver();
    expect([mail?.to?.[0]?.address, others]).toEqual(["elin@demo.test", []]);
    expect(mail?.subject).toBe(`#${channel.name} > lunch`);
  });

  test("a message to a channel where nobody gets mail costs no row", async () => {
    await say("dev", "soup?");
    await followAll(harness.state);
    expect(await missed()).toEqual([]);
    await choose("elin", "email_notifications", true);
    await say("dev", "bread?");
    await followAll(harness.state);
    expect(await missed()).toEqual([{ user: id("elin") }]);
    await choose("elin", "email_notifications", null);
  });

  test("who gets all channels by mail gets this one, unless they chose otherwise for it", async () => {
    await set("elin", { enable_stream_email_notifications: true });
    await say("dev", "soup?");
    expect(to(await deliver())).toEqual(["elin@demo.test"]);
    await choose("elin", "email_notifications", false);
    await say("dev", "soup?");
    expect(await deliver()).toEqual([]);
    await choose("elin", "email_notifications", null);
    await set("elin", { enable_stream_email_notifications: false });
  });

  test("a muted channel and a muted topic bring mentions by name alone", async () => {
    await choose("elin", "email_notifications", true);
    await choose("elin", "is_muted", true);
    await say("dev", "@**all** soup?");
    expect(to(await deliver())).not.toContain("elin@demo.test");
    await say("dev", "@**Elin Berg** soup?");
    expect(to(await deliver())).toEqual(["elin@demo.test"]);
    await choose("elin", "is_muted", false);
    await policy("elin", "bread", 1);
    await say("dev", "bread?", "bread");
    expect(await deliver()).toEqual([]);
    await choose("elin", "email_notifications", null);
  });

  test("a followed topic is mailed while its setting is on", async () => {
    await policy("elin", "cake", 3);
    await say("dev", "cake?", "cake");
    expect(to(await deliver())).toEqual(["elin@demo.test"]);
    await set("elin", { enable_followed_topic_email_notifications: false });
    await say("dev", "cake?", "cake");
    expect(await deliver()).toEqual([]);
    await set("elin", { enable_followed_topic_email_notifications: true });
  });

  test("a mention of everyone is mailed to those whom such mentions notify", async () => {
    await set("elin", { wildcard_mentions_notify: false });
    await say("dev", "@**all** soup?");
    expect(to(await deliver())).toEqual(["ada@demo.test", "ben@demo.test"]);
    await set("elin", { wildcard_mentions_notify: true });
  });

  test("nothing of a muted person, nothing to bots, nothing to who turned it off", async () => {
    await expectSuccess(harness.as("elin").post(`/users/me/muted_users/${id("dev")}`));
    await tell("dev", ["elin", "echo"], "psst");
    expect(await deliver()).toEqual([]);
    await expectSuccess(harness.as("elin").delete(`/users/me/muted_users/${id("dev")}`));
    await set("elin", { enable_offline_email_notifications: false });
    await tell("dev", ["elin"], "psst");
    expect(await deliver()).toEqual([]);
    await set("elin", { enable_offline_email_notifications: true });
    await tell("dev", ["elin"], "hello");
    expect(to(await deliver())).toEqual(["elin@demo.test"]);
  });
});

describe("everything is decided again before a mail is made", () => {
  const find = async () => {
    await followAll(harness.state);
    expect(await missed()).not.toEqual([]);
  };

  test("what was read meanwhile is not mailed", async () => {
    const read = await tell("dev", ["elin"], "first");
    await tell("dev", ["elin"], "second");
    await find();
    await expectSuccess(
      harness.as("elin").post("/messages/flags", { messages: [read], op: "add", flag: "read" }),
    );
    const [mail, ...others] = await deliver();
    expect(others).toEqual([]);
    expect(mail?.text).toContain("second");
    expect(mail?.text).not.toContain("first");
  });

  test("a deleted message is not mailed, and an edited one as it is now", async () => {
    const gone = await say("dev", "@**Elin Berg** secret");
    const edited = await say("dev", "@**Elin Berg** wrong");
    await find();
    await expectSuccess(harness.as("ada").delete(`/messages/${gone}`));
    await expectSuccess(harness.as("dev").patch(`/messages/${edited}`, { content: "@**Elin Berg** right" }));
    const [mail, ...others] = await deliver();
    expect(others).toEqual([]);
    expect(mail?.text).toContain("right");
    expect(`${mail?.text}${mail?.html}`).not.toMatch(/wrong|secret/);
  });

  test("what somebody can no longer read is not mailed", async () => {
    const secret = await harness.channel(`secret ${count}`, ["ada", "ben"], { isPrivate: true });
    const left = await say("dev", "@**Elin Berg** left");
    const moved = await say("dev", "@**Elin Berg** moved", "tea");
    await find();
    expect(left).toBeLessThan(moved);
    await expectSuccess(
      harness.as("ada").patch(`/messages/${moved}`, { stream_id: secret.id, propagate_mode: "change_all" }),
    );
    await expectSuccess(
      harness.as("elin").delete("/users/me/subscriptions", { subscriptions: [channel.name] }),
    );
    expect(await deliver()).toEqual([]);
    expect(await missed()).toEqual([]);
  });

  test("a setting that was turned off counts, and so does a deactivated account", async () => {
    await tell("dev", ["elin"], "hello");
    await find();
    await set("elin", { enable_offline_email_notifications: false });
    expect(await deliver()).toEqual([]);
    await set("elin", { enable_offline_email_notifications: true });
    await tell("dev", ["gus"], "hello");
    await find();
    await expectSuccess(harness.as("ada").delete(`/users/${id("gus")}`));
    expect(await deliver()).toEqual([]);
    await expectSuccess(harness.as("ada").post(`/users/${id("gus")}/reactivate`));
  });

  test("while somebody is at a client their mail waits, at most for a day", async () => {
    await tell("dev", ["elin"], "hello");
    harness.state.get(presences).report(harness.user("elin").user.id, true, Date.now());
    expect(await deliver()).toEqual([]);
    expect(await missed()).toEqual([{ user: id("elin") }]);
    const [row] = await query<{ waits: boolean }>(sql`
      select due_at > now() + interval '100 seconds' as waits from missed_messages`);
    expect(row?.waits).toBe(true);
    const known = harness.state.get(presences).find(harness.user("elin").user.id);
    Object.assign(known ?? {}, { activeAt: Date.now() - 200_000 });
    expect(to(await deliver())).toEqual(["elin@demo.test"]);
    await tell("dev", ["elin"], "again");
    await find();
    await query(sql`update missed_messages set sent_at = now() - interval '25 hours'`);
    expect(await deliver()).toEqual([]);
    expect(await missed()).toEqual([]);
  });

  test("the first message of a person waits for the period of their setting", async () => {
    await set("elin", { email_notifications_batching_period_seconds: 600 });
    await tell("dev", ["elin"], "hello");
    await followAll(harness.state);
    const [row] = await query<{ seconds: number }>(sql`
      select extract(epoch from due_at - sent_at)::int as seconds from missed_messages`);
    expect(row?.seconds).toBe(600);
    await mailMissedMessages.run(harness.services, {}, run());
    await runDueJobs(harness.services, harness.services.jobs);
    expect(await mailServer.received()).toEqual([]);
    await set("elin", { email_notifications_batching_period_seconds: 120 });
  });
});

describe("a mail", () => {
  test("holds the messages of one conversation, oldest first, and is threaded with its next ones", async () => {
    await tell("dev", ["elin"], "one");
    await tell("dev", ["elin"], "two");
    await say("dev", "@**Elin Berg** three");
    const mails = await deliver();
    expect(mails.map(({ subject }) => subject).sort()).toEqual([
      `#${channel.name} > lunch`,
      "Direct messages with Dev Rao",
    ]);
    const direct = mails.find(({ subject }) => subject?.startsWith("Direct")) as Email;
    expect(direct.text).toMatch(/one[\s\S]*two/);
    expect(direct.text).toContain("Replies to this mail are not read.");
    await tell("dev", ["elin"], "four");
    const [next] = await deliver();
    expect(next?.references).toBe(direct.references);
    expect(next?.messageId).not.toBe(direct.messageId);
    const other = mails.find((mail) => mail !== direct);
    expect(other?.references).not.toBe(direct.references);
  });

  test("shows twenty messages and counts the others", async () => {
    for (let number = 1; number <= 23; number++) await tell("dev", ["elin"], `number ${number};`);
    const [mail, ...others] = await deliver();
    expect(others).toEqual([]);
    expect(mail?.text).toContain("number 20;");
    expect(mail?.text).not.toContain("number 21;");
    expect(mail?.text).toContain("… and 3 more.");
  });

  test("shows what came before a mention", async () => {
    await say("ben", "Who cooks?");
    await followAll(harness.state);
    await say("dev", "@**Elin Berg** does");
    // Who starts a topic follows it, so it is mailed to ben too.
    const mail = (await deliver()).find((each) => each.to?.[0]?.address === "elin@demo.test");
    expect(mail?.text).toMatch(/Before that:[\s\S]*Who cooks\?[\s\S]*New:[\s\S]*does/);
  });

  test("does not show what is behind a spoiler, in either form", async () => {
    await tell("dev", ["elin"], "~~~quote\n```spoiler The end\nHe *dies*.\n```\n~~~");
    const [mail] = await deliver();
    expect(mail?.text).toContain("The end");
    expect(`${mail?.text}${mail?.html}`).not.toContain("dies");
  });

  test("has no pictures, and links that work outside", async () => {
    await tell(
      "dev",
      ["elin"],
      "[a](/user_uploads/1/ab/a.png) :smile: https://example.com/b.png #**Nowhere**",
    );
    const [mail] = await deliver();
    expect(mail?.html).toContain('href="https://demo.test/user_uploads/1/ab/a.png"');
    expect(mail?.html).not.toMatch(/<img|src=|style=|class=/);
  });

  test("says nothing but that there is something, if the person or the organization wants that", async () => {
    for (const [name, path] of [
      ["message_content_in_email_notifications", "elin"],
      ["message_content_allowed_in_email_notifications", "realm"],
    ] as const) {
      const change = (value: boolean) =>
        path === "realm"
          ? expectSuccess(harness.as("ada").patch("/realm", { [name]: value }))
          : set("elin", { [name]: value });
      await change(false);
      await tell("dev", ["elin"], "private");
      await say("ben", "@**Elin Berg** public");
      const [mail, ...others] = await deliver();
      expect([mail?.subject, others]).toEqual(["New messages", []]);
      expect(JSON.stringify(mail)).not.toMatch(/private|public|Dev Rao|Ben Ito|kitchen|lunch/);
      await change(true);
    }
  });

  test("names the organization if the person wants that, or has accounts in several", async () => {
    const subject = async () => {
      await tell("dev", ["elin"], "hello");
      return (await deliver())[0]?.subject;
    };
    expect(await subject()).toBe("Direct messages with Dev Rao");
    await set("elin", { realm_name_in_email_notifications_policy: 2 });
    expect(await subject()).toBe("[Demo] Direct messages with Dev Rao");
    await set("elin", { realm_name_in_email_notifications_policy: 1 });
    await query(sql`update users set email = 'elin@demo.test' where email = 'zed@other.test'`);
    expect(await subject()).toBe("[Demo] Direct messages with Dev Rao");
    await set("elin", { realm_name_in_email_notifications_policy: 3 });
    expect(await subject()).toBe("Direct messages with Dev Rao");
    await query(sql`update users set email = 'zed@other.test'
      where email = 'elin@demo.test' and organization_id = ${harness.otherState.organizationId}`);
    await set("elin", { realm_name_in_email_notifications_policy: 1 });
  });

  test("no name adds a header or reorders one", async () => {
    const topic = "x\u202eBcc: zed@other.test";
    await say("dev", "@**Elin Berg** hello", topic);
    const [mail] = await deliver();
    expect(mail?.subject).not.toContain("\u202e");
    expect(mail?.to).toHaveLength(1);
    expect(headerOf(mail as Email, "bcc")).toBeUndefined();
  });

  test("is tried again while the mail server is down, and comes once", async () => {
    await tell("dev", ["elin"], "hello");
    mailServer.refuseNext(451);
    expect(await deliver()).toEqual([]);
    await runJobsEarly(harness.services);
    await runJobsEarly(harness.services);
    expect(to(await mailServer.received())).toEqual(["elin@demo.test"]);
  });

  test("comes once although two nodes follow the log and two jobs run", async () => {
    const { database, config } = harness.services;
    const other = await Node.start(config, database.connection, {
      organizationId: harness.state.organizationId,
    });
    await tell("dev", ["elin"], "hello");
    await other.state.catchUp();
    await Promise.all([followAll(harness.state), followAll(other.state)]);
    await Promise.all([followAll(harness.state), followAll(other.state)]);
    expect(await missed()).toEqual([{ user: id("elin") }]);
    await query(sql`update missed_messages set due_at = now()`);
    await mailMissedMessages.run(harness.services, {}, run());
    await Promise.all([
      runDueJobs(harness.services, harness.services.jobs),
      runDueJobs(other.services, other.services.jobs),
    ]);
    expect(to(await mailServer.received())).toEqual(["elin@demo.test"]);
    await other.stop();
  });
});

describe("the link that ends mails", () => {
  const linkOf = (mail: Email | undefined) =>
    /<(https:\/\/demo\.test)([^>]+)>/.exec(headerOf(mail as Email, "list-unsubscribe") ?? "")?.[2] ?? "";
  const press = (url: string, { host = HOST, payload = "List-Unsubscribe=One-Click" } = {}) =>
    harness.app.inject({
      method: "POST",
      url,
      headers: { host, "content-type": "application/x-www-form-urlencoded" },
      payload,
    });

  test("ends them with one POST and no sign-in, as often as it is sent", async () => {
    await tell("dev", ["elin"], "hello");
    const [mail] = await deliver();
    expect(headerOf(mail as Email, "list-unsubscribe-post")).toBe("List-Unsubscribe=One-Click");
    const url = linkOf(mail);
    expect(mail?.text).toContain(`https://demo.test${url}`);
    const page = await harness.app.inject({ url, headers: { host: HOST } });
    expect([page.statusCode, page.headers["referrer-policy"]]).toEqual([200, "no-referrer"]);
    await tell("dev", ["elin"], "still on");
    expect(await deliver()).toHaveLength(1);
    const { heard } = await listen(harness.as("elin"));
    expect((await press(url)).statusCode).toBe(200);
    const changed = (await heard()).filter(({ type }) => type === "user_settings");
    expect(changed).toMatchObject([
      { property: "enable_offline_email_notifications", value: false },
      { property: "enable_followed_topic_email_notifications", value: false },
    ]);
    expect((await press(url)).statusCode).toBe(200);
    expect(await heard()).toEqual([]);
    await tell("dev", ["elin"], "no more");
    expect(await deliver()).toEqual([]);
    await set("elin", {
      enable_offline_email_notifications: true,
      enable_followed_topic_email_notifications: true,
    });
  });

  test("works for its person, kind and organization alone", async () => {
    await tell("dev", ["elin"], "hello");
    const url = linkOf((await deliver())[0]);
    const forDev = url.replace(`/${id("elin")}-`, `/${id("dev")}-`);
    const forWelcome = url.replace("missed-messages", "welcome");
    for (const wrong of [forDev, forWelcome, `${url}x`, "/unsubscribe/missed-messages/x"]) {
      expect((await press(wrong)).statusCode).toBe(404);
    }
    expect((await press(url, { host: OTHER_HOST })).statusCode).toBe(404);
    expect((await press(url, { payload: "a=b" })).body).toContain("Get no more mails?");
    await tell("dev", ["elin"], "still on");
    expect(await deliver()).toHaveLength(1);
  });
});

describe("the HTML of a message in a mail", () => {
  test.each([
    ['<p><span class="user-mention" data-user-id="1">@Ada</span></p>', "<p>@Ada</p>"],
    ['<p><img alt=":bear:" class="emoji" src="/x.png" title="bear"></p>', "<p>:bear:</p>"],
    ['<p><span class="emoji emoji-1f642" role="img">:smile:</span></p>', "<p>🙂</p>"],
    ['<p><a href="/#narrow/id/1">x</a></p>', '<p><a href="https://a.test/#narrow/id/1">x</a></p>'],
    ['<p><a href="//evil.test">x</a></p>', "<p>x</p>"],
    ['<p><a href="javascript:x">x</a></p>', "<p>x</p>"],
    [
      '<p>a</p><div class="message_inline_image"><a href="https://b.test"><img src="x"></a></div>',
      "<p>a</p>",
    ],
    ['<p>a<span class="katex"><math><mi>x</mi><annotation>x^2</annotation></math></span></p>', "<p>ax^2</p>"],
    [
      '<div class="spoiler-content"><p>x<span class="katex"><math><annotation>y</annotation></math></span></p></div>',
      "<p>(hidden: open the conversation to see it)</p>",
    ],
    ["<p>a &lt;b&gt;</p><script>x</script>", "<p>a &lt;b&gt;</p>"],
    ['<p onclick="x">a</p></p></div>', "<p>a</p>"],
    ["<p><b>a", "<p>a</p>"],
  ])("%s is %s", (rendered, shown) => {
    expect(mailHtml(rendered, "https://a.test").text).toBe(shown);
  });

  test("becomes text with one line for each block", () => {
    const page = mailHtml("<p>a &lt;b&gt;<br>c</p><ul><li>d</li></ul>", "https://a.test");
    expect(textOfMailHtml(page)).toBe("a <b>\nc\n* d");
  });
});
