import type { Email } from "postal-mime";
import { describe, expect, test } from "vitest";
import { expectSuccess } from "../../../test/harness/answers.ts";
import { runJobs, runJobsEarly } from "../../../test/harness/jobs.ts";
import { headerOf } from "../../../test/harness/mail-server.ts";
import { useMissedMail } from "../../../test/harness/missed-mail.ts";
import { Node } from "../../../test/harness/node.ts";
import { sql } from "../../platform/db/sql.ts";
import { followAll } from "./follower.ts";
import { mailMissedMessages } from "./mail-missed.ts";

const servers = useMissedMail();
const { query, id, say, tell, set, missed, run, deliver, to } = servers;

describe("a mail", () => {
  test("holds the messages of one conversation, oldest first, and is threaded with its next ones", async () => {
    await tell("dev", ["elin"], "one");
    await tell("dev", ["elin"], "two");
    await say("dev", "@**Elin Berg** three");
    const mails = await deliver();
    expect(mails.map(({ subject }) => subject).sort()).toEqual([
      `#${servers.channel.name} > lunch`,
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
    await followAll(servers.harness.state);
    await say("dev", "@**Elin Berg** does");
    // The person who starts a topic follows it, so it is mailed to ben too.
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
          ? expectSuccess(servers.harness.as("ada").patch("/realm", { [name]: value }))
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
      where email = 'elin@demo.test' and organization_id = ${servers.harness.otherState.organizationId}`);
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
    servers.mailServer.refuseNext(451);
    expect(await deliver()).toEqual([]);
    await runJobsEarly(servers.harness.services);
    await runJobsEarly(servers.harness.services);
    expect(to(await servers.mailServer.received())).toEqual(["elin@demo.test"]);
  });

  test("comes once although two nodes follow the log and two jobs run", async () => {
    const { database, config } = servers.harness.services;
    const other = await Node.start(config, database.connection, {
      organizationId: servers.harness.state.organizationId,
    });
    await tell("dev", ["elin"], "hello");
    await other.state.catchUp();
    await Promise.all([followAll(servers.harness.state), followAll(other.state)]);
    await Promise.all([followAll(servers.harness.state), followAll(other.state)]);
    expect(await missed()).toEqual([{ user: id("elin") }]);
    await query(sql`update missed_messages set due_at = now()`);
    await mailMissedMessages.run(servers.harness.services, {}, run());
    await Promise.all([runJobs(servers.harness.services), runJobs(other.services)]);
    expect(to(await servers.mailServer.received())).toEqual(["elin@demo.test"]);
    await other.stop();
  });
});
