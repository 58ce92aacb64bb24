import net, { type AddressInfo } from "node:net";
import { SMTPServer } from "smtp-server";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { createHarness, type Harness } from "../../../test/harness/harness.ts";
import { countJobs, runJobs, runJobsEarly } from "../../../test/harness/jobs.ts";
import { type MailServer, mailSettings, startMailServer } from "../../../test/harness/mail-server.ts";
import { openServices } from "../../app.ts";
import type { Services } from "../../services.ts";
import { sql } from "../db/sql.ts";
import { html } from "../http/page.ts";
import { enqueueMail, forgetOldMails } from "./enqueue.ts";
import { forgetMailsTo } from "./forget-mails.ts";
import { mailerOfCopy } from "./mailer.ts";
import { readQueue, retryMails } from "./queue.ts";
import { countQueue, findLastSent } from "./queue-store.ts";
import { smtpMailer } from "./smtp.ts";

let mailServer: MailServer;
let harness: Harness;
beforeAll(async () => {
  mailServer = await startMailServer();
  harness = await createHarness(mailSettings(mailServer));
});
afterAll(async () => {
  await harness.close();
  await mailServer.close();
});
afterEach(async () => {
  const { database } = harness.services;
  await database.query(sql`delete from mails`);
  await database.query(sql`
    select from graphile_worker.complete_jobs(array(
      select id from graphile_worker.jobs where task_identifier = 'deliver_mail'))`);
  await mailServer.received();
});

const mail = (to: string) =>
  harness.services.database.transaction(({ query }) =>
    enqueueMail({ query, state: harness.state }, harness.services, {
      kind: "welcome",
      to,
      content: { subject: "Soup at noon", text: "http://demo.test/join/secret", html: html`<p>Come.</p>` },
    }),
  );
const queue = async () => (await readQueue(harness.services.database)).mails;
const counts = () => countQueue(harness.services.database);

/** The services with another mail server. */
function sendingTo(port: number, { isSecure = false } = {}): Services {
  const settings = { host: "127.0.0.1", port, isSecure, credentials: undefined };
  return { ...harness.services, mailer: smtpMailer(settings, { name: "", address: "chat@demo.test" }) };
}

async function listening(server: net.Server): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return (server.address() as AddressInfo).port;
}

const closed = (server: net.Server) => new Promise((resolve) => server.close(resolve));

describe("what the mail server answers is kept with the mail", () => {
  test.each([
    [
      "550",
      "550 5.1.1 <ben@elsewhere.test>: no such user",
      "550 5.1.1 <b…@elsewhere.test>: no such user",
      "refused",
    ],
    [
      "553 for the sender",
      "553 5.7.1 you don't own chat@demo.test",
      "553 5.7.1 you don't own c…@demo.test",
      "waiting",
    ],
    ["451", "451 4.7.1 greylisted, try again", "451 4.7.1 greylisted, try again", "waiting"],
  ])("%s", async (_name, answer, kept, state) => {
    mailServer.refuseNext(Number(answer.slice(0, 3)), answer.slice(4));
    await mail("ben@elsewhere.test");
    await runJobs(harness.services);
    expect(await queue()).toMatchObject([
      { kind: "welcome", recipient: "b…@elsewhere.test", attempts: 1, lastAnswer: kept, state },
    ]);
  });

  test("a server that is away", async () => {
    const away = net.createServer();
    const port = await listening(away);
    await closed(away);
    await mail("ben@elsewhere.test");
    await runJobs(sendingTo(port));
    await runJobsEarly(sendingTo(port));
    const [waiting] = await queue();
    expect(waiting).toMatchObject({ state: "waiting", attempts: 2, lastAnswer: "connection refused" });
    expect(waiting?.nextTryAt?.getTime()).toBeGreaterThan(Date.now());
  });

  test("a server that hangs up, and one whose certificate is not valid", async () => {
    const rude = net.createServer((socket) => socket.end());
    await mail("ben@elsewhere.test");
    await runJobs(sendingTo(await listening(rude)));
    await closed(rude);
    expect(await queue()).toMatchObject([{ lastAnswer: expect.stringContaining("closed the connection") }]);
    // Without a certificate of its own it takes one that the library brings.
    const secure = new SMTPServer({ secure: true });
    secure.on("error", () => {});
    await runJobsEarly(sendingTo(await listening(secure.server), { isSecure: true }));
    await new Promise<void>((resolve) => secure.close(() => resolve()));
    expect(await queue()).toMatchObject([{ attempts: 2, lastAnswer: expect.stringMatching(/certificate/) }]);
  });

  test("no address is stored in the clear", async () => {
    mailServer.refuseNext(550, "ben@elsewhere.test is unknown");
    await mail("ben@elsewhere.test");
    await runJobs(harness.services);
    const rows = await harness.services.database.query(
      sql`select to_jsonb(m) - 'encrypted' as row from mails m`,
    );
    expect(rows).toHaveLength(1);
    expect(JSON.stringify(rows)).not.toContain("ben");
  });
});

describe("an operator who asks for another try", () => {
  test("lets waiting, refused and failed mails be sent, and each once", async () => {
    for (const code of [451, 550, 451]) mailServer.refuseNext(code);
    await mail("waits@elsewhere.test");
    await runJobs(harness.services);
    await mail("refused@elsewhere.test");
    await runJobs(harness.services);
    await mail("failed@elsewhere.test");
    await runJobs(harness.services);
    await harness.services.database.query(sql`
      update graphile_worker._private_jobs set attempts = max_attempts
      where payload ->> 'mailId' = (select max(id)::text from mails)`);
    expect(await counts()).toMatchObject({ waiting: 1, failed: 1, refused: 1 });
    // Two at once, as on two nodes.
    const [one, two] = await Promise.all([
      retryMails(harness.services.database, {}),
      retryMails(harness.services.database, {}),
    ]);
    expect([one.length, two.length]).toEqual([3, 3]);
    expect(await counts()).toMatchObject({ waiting: 3, failed: 0, refused: 0 });
    await runJobs(harness.services);
    const to = (await mailServer.received()).map(({ to: [address] = [] }) => address?.address);
    expect(to.sort()).toEqual(["failed@elsewhere.test", "refused@elsewhere.test", "waits@elsewhere.test"]);
    expect([await queue(), await countJobs(harness.services, "deliver_mail")]).toEqual([[], 0]);
    expect((await findLastSent(harness.services.database))?.getTime()).toBeGreaterThan(Date.now() - 60_000);
  });

  test("chooses mails, and an organization", async () => {
    mailServer.refuseNext(550);
    await mail("ben@elsewhere.test");
    await runJobs(harness.services);
    const { database } = harness.services;
    const [{ id } = { id: 0 }] = await queue();
    const { organizationId } = harness.otherState;
    expect(await retryMails(database, { organizationId, ids: [id] })).toEqual([]);
    expect(await retryMails(database, { ids: [id + 1000] })).toEqual([]);
    expect(await counts()).toMatchObject({ refused: 1 });
    expect(await retryMails(database, { ids: [id] })).toEqual([id]);
  });
});

test("two nodes at once send a mail once", async () => {
  const { config, log, database } = harness.services;
  const other = await openServices(config, log, database.connection);
  await mail("ben@elsewhere.test");
  await Promise.all([runJobs(harness.services), runJobs(other)]);
  await other.database.close();
  expect(await mailServer.received()).toHaveLength(1);
  expect(await queue()).toEqual([]);
});

test("a mail of an earlier release waits with what is known of it", async () => {
  await harness.services.database.query(sql`
    insert into mails (organization_id, encrypted) values (${harness.state.organizationId}, '')`);
  expect(await queue()).toMatchObject([{ kind: null, recipient: null, lastAnswer: null, state: "failed" }]);
});

test("a refused mail is forgotten a week after it was refused, or with its person", async () => {
  mailServer.refuseNext(550);
  await mail("ben@elsewhere.test");
  await runJobs(harness.services);
  const { database } = harness.services;
  const forget = () =>
    forgetOldMails.run(harness.services, {}, { signal: new AbortController().signal, dueAt: new Date() });
  await database.query(sql`update mails set queued_at = now() - interval '9 days'`);
  await forget();
  expect(await queue()).toHaveLength(1);
  await database.query(sql`update mails set refused_at = now() - interval '8 days'`);
  await forget();
  expect(await queue()).toEqual([]);
  mailServer.refuseNext(550);
  await mail("ben@elsewhere.test");
  await runJobs(harness.services);
  await forgetMailsTo(harness.services, harness.state.organizationId, ["BEN@elsewhere.test"]);
  expect(await queue()).toEqual([]);
});

test("a copy of an installation sends nothing, also when asked to", async () => {
  await mail("ben@elsewhere.test");
  const copy = { ...harness.services, mailer: mailerOfCopy };
  await retryMails(copy.database, {});
  await runJobs(copy);
  expect(await mailServer.received()).toEqual([]);
  expect(await queue()).toMatchObject([{ state: "waiting", attempts: 0 }]);
});
