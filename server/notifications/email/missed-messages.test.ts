import type { Email } from "postal-mime";
import { describe, expect, test } from "vitest";
import { expectSuccess } from "../../../test/harness/answers.ts";
import { HOST, OTHER_HOST } from "../../../test/harness/harness.ts";
import { runJobs } from "../../../test/harness/jobs.ts";
import { listen } from "../../../test/harness/listener.ts";
import { headerOf } from "../../../test/harness/mail-server.ts";
import { useMissedMail } from "../../../test/harness/missed-mail.ts";
import { Node } from "../../../test/harness/node.ts";
import { sql } from "../../platform/db/sql.ts";
import { presences } from "../../profiles/presence/presences.ts";
import { followAll } from "./follower.ts";
import { mailMissedMessages } from "./mail-missed.ts";

const servers = useMissedMail();
const { query, id, say, tell, set, choose, policy, missed, run, deliver, to } = servers;

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
    expect(mail?.subject).toBe(`#${servers.channel.name} > lunch`);
  });

  test("the people of a mentioned group, by who was in it at the send or at the edit that added it", async () => {
    const as = servers.harness.as("ada");
    const group = { name: "cooks", description: "", members: [id("elin")] };
    const { group_id } = await expectSuccess(as.post("/user_groups/create", group));
    const exchange = (added: "ben" | "elin", removed: "ben" | "elin") => {
      const change = { add: [id(added)], delete: [id(removed)] };
      return expectSuccess(as.post(`/user_groups/${group_id}/members`, change));
    };
    const toChannel = async () =>
      to((await deliver()).filter(({ subject }) => subject?.startsWith(`#${servers.channel.name}`)));
    const first = await say("dev", "@*cooks* soup?");
    await exchange("ben", "elin");
    expect(await toChannel()).toEqual(["elin@demo.test"]);
    const edit = { content: "@*cooks* @**Ben Ito** soup?" };
    await expectSuccess(servers.harness.as("dev").patch(`/messages/${first}`, edit));
    expect(await toChannel()).toEqual(["ben@demo.test"]);
    const second = await say("dev", "bread?", "another topic");
    const adding = { content: "@*cooks* bread?" };
    await expectSuccess(servers.harness.as("dev").patch(`/messages/${second}`, adding));
    await exchange("elin", "ben");
    expect(await toChannel()).toEqual(["ben@demo.test"]);
  });

  test("a message to a channel where nobody gets mail costs no row", async () => {
    await say("dev", "soup?");
    await followAll(servers.harness.state);
    expect(await missed()).toEqual([]);
    await choose("elin", "email_notifications", true);
    await say("dev", "bread?");
    await followAll(servers.harness.state);
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
    await expectSuccess(servers.harness.as("elin").post(`/users/me/muted_users/${id("dev")}`));
    await tell("dev", ["elin", "echo"], "psst");
    expect(await deliver()).toEqual([]);
    await expectSuccess(servers.harness.as("elin").delete(`/users/me/muted_users/${id("dev")}`));
    await set("elin", { enable_offline_email_notifications: false });
    await tell("dev", ["elin"], "psst");
    expect(await deliver()).toEqual([]);
    await set("elin", { enable_offline_email_notifications: true });
    await tell("dev", ["elin"], "hello");
    expect(to(await deliver())).toEqual(["elin@demo.test"]);
  });
});

describe("a mention that an edit adds", () => {
  const edit = (message: number, content: string) =>
    expectSuccess(servers.harness.as("dev").patch(`/messages/${message}`, { content }));

  test("is mailed to those whom the message did not mention before", async () => {
    const message = await say("dev", "soup?");
    expect(await deliver()).toEqual([]);
    await edit(message, "@**Elin Berg** soup? Not @_**Ben Ito**.");
    const [mail, ...others] = await deliver();
    expect([mail?.to?.[0]?.address, others]).toEqual(["elin@demo.test", []]);
    expect(mail?.text).toContain("soup? Not");
    await edit(message, "@**Elin Berg** soup! Not @_**Ben Ito**.");
    expect(await deliver()).toEqual([]);
    await edit(message, "@**Elin Berg** @**all** soup!");
    expect(to(await deliver())).toEqual(["ada@demo.test", "ben@demo.test"]);
  });

  test("is not mailed to who has read the message", async () => {
    const message = await say("dev", "soup?");
    await expectSuccess(
      servers.harness.as("elin").post("/messages/flags", { messages: [message], op: "add", flag: "read" }),
    );
    await edit(message, "@**Elin Berg** soup?");
    expect(await deliver()).toEqual([]);
  });

  test("is found in the rows of the log by a node that was not there", async () => {
    await edit(await say("dev", "soup?"), "@**Elin Berg** soup?");
    const { database, config } = servers.harness.services;
    const { organizationId } = servers.harness.state;
    const other = await Node.start(config, database.connection, { organizationId });
    await followAll(other.state);
    expect(await missed()).toEqual([{ user: id("elin") }]);
    await other.stop();
  });
});

describe("everything is decided again before a mail is made", () => {
  const find = async () => {
    await followAll(servers.harness.state);
    expect(await missed()).not.toEqual([]);
  };

  test("what was read meanwhile is not mailed", async () => {
    const read = await tell("dev", ["elin"], "first");
    await tell("dev", ["elin"], "second");
    await find();
    await expectSuccess(
      servers.harness.as("elin").post("/messages/flags", { messages: [read], op: "add", flag: "read" }),
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
    await expectSuccess(servers.harness.as("ada").delete(`/messages/${gone}`));
    await expectSuccess(
      servers.harness.as("dev").patch(`/messages/${edited}`, { content: "@**Elin Berg** right" }),
    );
    const [mail, ...others] = await deliver();
    expect(others).toEqual([]);
    expect(mail?.text).toContain("right");
    expect(`${mail?.text}${mail?.html}`).not.toMatch(/wrong|secret/);
  });

  test("what somebody can no longer read is not mailed", async () => {
    const secret = await servers.harness.channel(`secret of ${servers.channel.name}`, ["ada", "ben"], {
      isPrivate: true,
    });
    const left = await say("dev", "@**Elin Berg** left");
    const moved = await say("dev", "@**Elin Berg** moved", "tea");
    await find();
    expect(left).toBeLessThan(moved);
    await expectSuccess(
      servers.harness
        .as("ada")
        .patch(`/messages/${moved}`, { stream_id: secret.id, propagate_mode: "change_all" }),
    );
    await expectSuccess(
      servers.harness.as("elin").delete("/users/me/subscriptions", { subscriptions: [servers.channel.name] }),
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
    await expectSuccess(servers.harness.as("ada").delete(`/users/${id("gus")}`));
    expect(await deliver()).toEqual([]);
    await expectSuccess(servers.harness.as("ada").post(`/users/${id("gus")}/reactivate`));
  });

  test("while somebody is at a client their mail waits, at most for a day", async () => {
    await tell("dev", ["elin"], "hello");
    servers.harness.state.get(presences).report(servers.harness.user("elin").user.id, true, Date.now());
    expect(await deliver()).toEqual([]);
    expect(await missed()).toEqual([{ user: id("elin") }]);
    const [row] = await query<{ waits: boolean }>(sql`
      select due_at > now() + interval '100 seconds' as waits from missed_messages`);
    expect(row?.waits).toBe(true);
    const known = servers.harness.state.get(presences).find(servers.harness.user("elin").user.id);
    Object.assign(known ?? {}, { activeAt: Date.now() - 200_000 });
    expect(to(await deliver())).toEqual(["elin@demo.test"]);
    await tell("dev", ["elin"], "again");
    await find();
    await query(sql`
      update missed_messages set sent_at = now() - interval '25 hours', news_since = array[now() - interval '25 hours']`);
    expect(await deliver()).toEqual([]);
    expect(await missed()).toEqual([]);
  });

  test("the first message of a person waits for the period of their setting", async () => {
    await set("elin", { email_notifications_batching_period_seconds: 600 });
    await tell("dev", ["elin"], "hello");
    await followAll(servers.harness.state);
    const [row] = await query<{ seconds: number }>(sql`
      select extract(epoch from due_at - sent_at)::int as seconds from missed_messages`);
    expect(row?.seconds).toBe(600);
    await mailMissedMessages.run(servers.harness.services, {}, run());
    await runJobs(servers.harness.services);
    expect(await servers.mailServer.received()).toEqual([]);
    await set("elin", { email_notifications_batching_period_seconds: 120 });
  });
});

describe("the link that ends mails", () => {
  const linkOf = (mail: Email | undefined) =>
    /<(https:\/\/demo\.test)([^>]+)>/.exec(headerOf(mail as Email, "list-unsubscribe") ?? "")?.[2] ?? "";
  const press = (url: string, { host = HOST, payload = "List-Unsubscribe=One-Click" } = {}) =>
    servers.harness.app.inject({
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
    const page = await servers.harness.app.inject({ url, headers: { host: HOST } });
    expect([page.statusCode, page.headers["referrer-policy"]]).toEqual([200, "no-referrer"]);
    await tell("dev", ["elin"], "still on");
    expect(await deliver()).toHaveLength(1);
    const { heard } = await listen(servers.harness.as("elin"));
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
