import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { roles } from "../../../api/roles.ts";
import { addPerson, PASSWORD } from "../../../test/harness/accounts.ts";
import { expectSuccess } from "../../../test/harness/answers.ts";
import { callerOf, createHarness, type Harness, HOST } from "../../../test/harness/harness.ts";
import { runJobs } from "../../../test/harness/jobs.ts";
import {
  headerOf,
  type MailServer,
  mailSettings,
  startMailServer,
} from "../../../test/harness/mail-server.ts";
import { users } from "../../people/user.ts";
import { sql } from "../../platform/db/sql.ts";

const FIREFOX = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0";
const SAFARI =
  "Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 Version/18.0 Mobile/15E148 Safari/604.1";

let mailServer: MailServer;
let harness: Harness;
let count = 0;
let email: string;
beforeAll(async () => {
  mailServer = await startMailServer();
  harness = await createHarness(mailSettings(mailServer));
});
afterAll(async () => {
  await harness.close();
  await mailServer.close();
});
beforeEach(async () => {
  email = `person${++count}@demo.test`;
  await addPerson(harness, email, `Person ${count}`);
  // The mail of welcome.
  await mails();
});

const signIn = async (userAgent = FIREFOX, remoteAddress = "198.51.100.7", password = PASSWORD) => {
  const browser = callerOf(harness.app, { host: HOST, "user-agent": userAgent }, remoteAddress);
  const { body } = await browser.post("/fetch_api_key", { username: email, password });
  return body.api_key as string | undefined;
};
const mails = async () => {
  await runJobs(harness.services);
  return mailServer.received();
};
const devices = async () => {
  const id = harness.state.get(users).findByEmail(email)?.id;
  return harness.services.database.query<{ hash: Buffer }>(sql`
    select device_hash as hash from known_devices where user_id = ${id ?? 0}`);
};

test("a sign-in from a new device is mailed, once, and not the first of an account", async () => {
  expect(await signIn()).toBeDefined();
  expect(await mails()).toEqual([]);
  expect(await signIn(SAFARI)).toBeDefined();
  const [mail, ...others] = await mails();
  expect([mail?.to?.[0]?.address, mail?.subject, others]).toEqual([email, "Sign-in from a new device", []]);
  expect(mail?.text).toContain("Device: Safari on iOS");
  expect(mail?.text).toContain("Address: 198.51.100.7");
  expect(mail?.text).toMatch(/Time: \d+ \w+ \d{4}, \d\d:\d\d \(UTC\)/);
  if (mail) expect(headerOf(mail, "list-unsubscribe")).toContain("/unsubscribe/sign-in-notices/");
  await signIn(SAFARI);
  await signIn(FIREFOX.replaceAll("140.0", "141.0"));
  expect(await mails()).toEqual([]);
  await signIn(FIREFOX, "203.0.113.9");
  expect(await mails()).toHaveLength(1);
});

test("a wrong password is no sign-in", async () => {
  await signIn();
  await signIn(SAFARI, "198.51.100.7", "wrong");
  expect(await mails()).toEqual([]);
  expect(await devices()).toHaveLength(1);
});

test("nothing is mailed to people who turned it off, by the link of a mail too", async () => {
  const apiKey = await signIn();
  await signIn(SAFARI);
  const [mail] = await mails();
  const [, path = ""] =
    /<https:\/\/demo\.test([^>]+)>/.exec((mail && headerOf(mail, "list-unsubscribe")) ?? "") ?? [];
  const headers = { host: HOST, "content-type": "application/x-www-form-urlencoded" };
  await harness.app.inject({ method: "POST", url: path, headers, payload: "List-Unsubscribe=One-Click" });
  expect((await mails()).map(({ text }) => text)).toEqual([
    expect.stringContaining("You get no more mails about sign-ins from new devices."),
  ]);
  await signIn(SAFARI, "203.0.113.9");
  expect(await mails()).toEqual([]);
  const authorization = `Basic ${Buffer.from(`${email}:${apiKey}`).toString("base64")}`;
  await harness.app.inject({
    method: "PATCH",
    url: "/api/v1/settings",
    headers: { ...headers, authorization },
    payload: "enable_login_emails=true",
  });
  await signIn(SAFARI, "203.0.113.10");
  expect(await mails()).toHaveLength(1);
});

test("administrators and owners get the mails in any case", async () => {
  await signIn();
  await signIn(SAFARI);
  const [before] = await mails();
  const [, path = ""] =
    /<https:\/\/demo\.test([^>]+)>/.exec((before && headerOf(before, "list-unsubscribe")) ?? "") ?? [];
  const id = harness.state.get(users).findByEmail(email)?.id;
  await expectSuccess(harness.as("ada").patch(`/users/${id}`, { role: roles.administrator }));
  await mails();
  const headers = { host: HOST, "content-type": "application/x-www-form-urlencoded" };
  const link = { method: "POST", url: path, headers, payload: "List-Unsubscribe=One-Click" } as const;
  const answer = await harness.app.inject(link);
  expect([answer.statusCode, answer.body.includes("can&#39;t be switched off")]).toEqual([404, true]);
  const refused = await harness.as("ada").patch("/settings", { enable_login_emails: false });
  expect(refused.body.msg).toContain("can't switch it off");
  await signIn(SAFARI, "203.0.113.20");
  const [mail] = await mails();
  expect(mail?.subject).toBe("Sign-in from a new device");
  expect(mail && headerOf(mail, "list-unsubscribe")).toBeUndefined();
});

test("fifty devices are remembered, those that were used last", async () => {
  await signIn();
  const id = harness.state.get(users).findByEmail(email)?.id ?? 0;
  await harness.services.database.query(sql`
    insert into known_devices (organization_id, user_id, device_hash, seen_at)
    select ${harness.state.organizationId}, ${id}, decode(lpad(to_hex(n), 64, '0'), 'hex'), now() + interval '1 hour'
    from generate_series(1, 49) as n`);
  await signIn(SAFARI);
  expect(await devices()).toHaveLength(50);
  expect(await mails()).toHaveLength(1);
  await signIn();
  expect(await mails()).toHaveLength(1);
});
