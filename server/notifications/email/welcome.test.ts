import { afterAll, beforeAll, expect, test } from "vitest";
import { userSettings } from "../../../api/people/user-settings.ts";
import { PASSWORD } from "../../../test/harness/accounts.ts";
import { expectSuccess } from "../../../test/harness/answers.ts";
import { createHarness, type Harness, HOST } from "../../../test/harness/harness.ts";
import { runJobs } from "../../../test/harness/jobs.ts";
import {
  headerOf,
  type MailServer,
  mailSettings,
  startMailServer,
} from "../../../test/harness/mail-server.ts";
import { userSettingOf } from "../../people/settings/user-setting.ts";
import { users } from "../../people/user.ts";

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

const join = async (email: string) => {
  const person = { email, full_name: `Fay of ${email.split("@")[0]}`, password: PASSWORD };
  await expectSuccess(harness.as("ada").post("/users", person));
  await runJobs(harness.services);
  return mailServer.received();
};

test("a person who joins gets one mail with the address, and can end mails of the kind", async () => {
  const [mail, ...others] = await join("fay@demo.test");
  expect(others).toEqual([]);
  expect(mail).toMatchObject({ subject: "Welcome to Demo", to: [{ address: "fay@demo.test" }] });
  expect(mail?.text).toContain("\nhttps://demo.test\n");
  const header = (mail && headerOf(mail, "list-unsubscribe")) ?? "";
  const headers = { host: HOST, "content-type": "application/x-www-form-urlencoded" };
  const url = header.replace(/^<https:\/\/demo\.test|>$/g, "");
  const payload = "List-Unsubscribe=One-Click";
  expect((await harness.app.inject({ method: "POST", url, headers, payload })).statusCode).toBe(200);
  const fay = harness.state.get(users).findByEmail("fay@demo.test");
  expect(fay && userSettingOf(fay, userSettings.enableMarketingEmails)).toBe(false);
});

test("an organization can do without", async () => {
  await expectSuccess(harness.as("ada").patch("/realm", { send_welcome_emails: false }));
  expect(await join("gil@demo.test")).toEqual([]);
  await expectSuccess(harness.as("ada").patch("/realm", { send_welcome_emails: true }));
  expect(await join("hal@demo.test")).toHaveLength(1);
});
