import { mkdtempSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { expectSuccess } from "../../../test/harness/answers.ts";
import { type CastName, createHarness, type Harness } from "../../../test/harness/harness.ts";
import { runJobs } from "../../../test/harness/jobs.ts";
import { type MailServer, mailSettings, startMailServer } from "../../../test/harness/mail-server.ts";
import { notificationBotOf } from "../../people/notification-bot.ts";
import { markCopy } from "../../platform/backup/copy-mark.ts";
import { sql } from "../../platform/db/sql.ts";
import { readQueue } from "../../platform/mail/queue.ts";
import { discardMails } from "./discard.ts";
import { tellInviters } from "./tell-inviters.ts";
import { warnOfStuckMails } from "./warn-owners.ts";

let dataDir: string;
let mailServer: MailServer;
let harness: Harness;

beforeAll(async () => {
  dataDir = mkdtempSync(path.join(os.tmpdir(), "parley-undelivered-"));
  mailServer = await startMailServer();
  harness = await createHarness({ ...mailSettings(mailServer), PARLEY_DATA_DIR: dataDir });
});
afterAll(async () => {
  await harness.close();
  await mailServer.close();
  rmSync(dataDir, { recursive: true, force: true });
});
afterEach(async () => {
  const { database } = harness.services;
  await database.query(sql`delete from mails`);
  await database.query(sql`delete from mail_warnings`);
  await database.query(sql`delete from last_mail`);
});

/** What the notification bot says to the person while `act` runs. */
async function told(name: CastName, act: () => Promise<void>): Promise<string[]> {
  const all = async (): Promise<string[]> => {
    const narrow = [{ operator: "dm", operand: [notificationBotOf(harness.state).id] }];
    const { body } = await harness
      .as(name)
      .get("/messages", { anchor: "newest", num_before: 100, num_after: 0, narrow, apply_markdown: false });
    return body.messages.map(({ content }: { content: string }) => content);
  };
  const before = (await all()).length;
  await act();
  return (await all()).slice(before);
}

const run = () => ({ signal: new AbortController().signal, dueAt: new Date() });
const warn = () => warnOfStuckMails.run(harness.services, {}, run());
const tell = () => tellInviters.run(harness.services, {}, run());
const queueMail = (minutes: number) =>
  harness.services.database.query(sql`
    insert into mails (organization_id, encrypted, queued_at)
    values (${harness.state.organizationId}, '', now() - make_interval(mins => ${minutes}))`);

describe("owners hear of mails that wait", () => {
  test("after an hour without one that left, once a day", async () => {
    await queueMail(59);
    expect(await told("ada", warn)).toEqual([]);
    await queueMail(61);
    // Two nodes at once.
    const both = async () => void (await Promise.all([warn(), warn()]));
    expect(await told("ada", both)).toEqual([
      expect.stringMatching(
        /^No mail has left this server for an hour, and one mail of this organization waits, the oldest since <time:.*Z>\. .* `parley mail queue` on the server says why\.$/,
      ),
    ]);
    expect(await told("ada", warn)).toEqual([]);
    await harness.services.database.query(
      sql`update mail_warnings set told_at = now() - interval '25 hours'`,
    );
    expect(await told("ada", warn)).toHaveLength(1);
  });

  test("and nobody else does", async () => {
    await queueMail(61);
    expect(await told("dev", warn)).toEqual([]);
  });

  test("unless another mail has left meanwhile, or this is a copy of an installation", async () => {
    const { database } = harness.services;
    await queueMail(90);
    await database.query(sql`insert into last_mail (sent_at) values (now() - interval '30 minutes')`);
    expect(await told("ada", warn)).toEqual([]);
    await database.query(sql`delete from last_mail`);
    markCopy(dataDir, "c");
    try {
      expect(await told("ada", warn)).toEqual([]);
    } finally {
      rmSync(path.join(dataDir, "copy"));
    }
    expect(await told("ada", warn)).toHaveLength(1);
  });
});

describe("the person who invited somebody", () => {
  const invite = async (email: string) => {
    await expectSuccess(harness.as("dev").post("/invites", { invitee_emails: email, stream_ids: [] }));
    await runJobs(harness.services);
  };

  test("hears once that the mail was refused, with words that mention nobody", async () => {
    mailServer.refuseNext(550, "5.1.1 no `such` user @**all** <ben@elsewhere.test>");
    await invite("ben@elsewhere.test");
    const both = async () => void (await Promise.all([tell(), tell()]));
    const [message, ...more] = await told("dev", both);
    expect(message).toBe(
      "The mail with your invitation to `b…@elsewhere.test` could not be delivered: `550 5.1.1 no 'such' user @**all** <b…@elsewhere.test>`. Check the address, or give the person an invitation link.",
    );
    expect(more).toEqual([]);
    expect(await told("dev", tell)).toEqual([]);
  });

  test("learns nothing about a mail that waits, and nobody else about one that was refused", async () => {
    mailServer.refuseNext(451);
    await invite("cem@elsewhere.test");
    expect(await told("dev", tell)).toEqual([]);
    mailServer.refuseNext(550);
    await invite("dan@elsewhere.test");
    expect(await told("ada", tell)).toEqual([]);
  });

  test("hears that a mail has failed, and nothing of the installation's fault", async () => {
    mailServer.refuseNext(451, "4.7.1 your plan of relay.internal.test has ended");
    await invite("fay@elsewhere.test");
    await harness.services.database.query(sql`
      update graphile_worker._private_jobs set attempts = max_attempts
      where task_id = (select id from graphile_worker._private_tasks where identifier = 'deliver_mail')`);
    expect(await told("dev", tell)).toEqual([
      "The mail with your invitation to `f…@elsewhere.test` could not be delivered. Check the address, or give the person an invitation link.",
    ]);
  });

  test("hears nothing after the invitation has ended", async () => {
    mailServer.refuseNext(550);
    await invite("eva@elsewhere.test");
    await harness.services.database.query(sql`delete from invitations`);
    expect(await told("dev", tell)).toEqual([]);
  });
});

test("mails are thrown away by their numbers, with an entry that counts them", async () => {
  await queueMail(1);
  await queueMail(2);
  await queueMail(3);
  const { database } = harness.services;
  const queued = async () => (await readQueue(database)).mails.map(({ id }) => id);
  const [kept = 0, ...chosen] = await queued();
  expect((await discardMails(harness.services, [...chosen, 999_999])).sort()).toEqual([...chosen].sort());
  expect(await queued()).toEqual([kept]);
  expect(await discardMails(harness.services, chosen)).toEqual([]);
  const { body } = await harness.as("ada").get("/realm/audit_log", { action: "mails_discarded" });
  expect(body.entries).toMatchObject([{ actor_id: null, changes: { mails: { old: 2, new: 0 } } }]);
});
