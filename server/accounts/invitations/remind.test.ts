import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { expectSuccess } from "../../../test/harness/answers.ts";
import { createHarness, type Harness, HOST } from "../../../test/harness/harness.ts";
import { runJobs } from "../../../test/harness/jobs.ts";
import { type MailServer, mailSettings, startMailServer } from "../../../test/harness/mail-server.ts";
import { groups } from "../../groups/group.ts";
import { sql } from "../../platform/db/sql.ts";
import { remindOfInvitations } from "./remind.ts";

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
beforeEach(() => {
  email = `fay${++count}@elsewhere.test`;
});

const invite = async (minutes = 10 * 24 * 60, inviter: "ada" | "dev" = "dev") => {
  const form = { invitee_emails: email, stream_ids: [], invite_expires_in_minutes: minutes };
  await expectSuccess(harness.as(inviter).post("/invites", form));
  const [mail] = await received();
  return linkIn(mail?.text);
};
const received = async () => {
  await runJobs(harness.services);
  return mailServer.received();
};
const linkIn = (text: string | undefined) =>
  /https:\/\/demo\.test(\/join\/[\w-]+)/.exec(text ?? "")?.[1] ?? "";
/** Lets so many hours pass for all invitations, and looks for those to remind of. */
const pass = async (hours: number) => {
  await harness.services.database.query(sql`
    update invitations set invited_at = invited_at - make_interval(hours => ${hours}),
      expires_at = expires_at - make_interval(hours => ${hours})`);
  await remindOfInvitations.run(
    harness.services,
    {},
    { signal: new AbortController().signal, dueAt: new Date() },
  );
  return received();
};
const status = async (url: string) => (await harness.app.inject({ url, headers: { host: HOST } })).statusCode;

test("an address is reminded once, two days before the end, and both links work", async () => {
  const first = await invite();
  expect(await pass(7 * 24)).toEqual([]);
  const [mail, ...others] = await pass(2 * 24);
  expect([mail?.to?.[0]?.address, others]).toEqual([email, []]);
  expect(mail?.subject).toBe("Reminder: Dev Rao invites you to Demo");
  const second = linkIn(mail?.text);
  expect(second).not.toBe(first);
  expect([await status(first), await status(second)]).toEqual([200, 200]);
  expect(await pass(1)).toEqual([]);
});

test("of a short invitation it is half of the time", async () => {
  await invite(24 * 60);
  expect(await pass(11)).toEqual([]);
  expect(await pass(2)).toHaveLength(1);
});

test("nobody is reminded of an invitation that was revoked or used, or whose inviter may no longer invite", async () => {
  await invite();
  const [{ id }] = (await expectSuccess(harness.as("dev").get("/invites"))).invites.slice(-1);
  await expectSuccess(harness.as("dev").delete(`/invites/${id}`));
  expect(await pass(9 * 24)).toEqual([]);
  await invite();
  const nobody = { new: { direct_members: [], direct_subgroups: [] } };
  await expectSuccess(harness.as("ada").patch("/realm", { can_invite_users_group: nobody }));
  expect(await pass(9 * 24)).toEqual([]);
  const everybody = harness.state.get(groups).system("members").id;
  await expectSuccess(harness.as("ada").patch("/realm", { can_invite_users_group: { new: everybody } }));
});

test("who sends an invitation again ends the link of the reminder", async () => {
  await invite(10 * 24 * 60, "ada");
  const [mail] = await pass(9 * 24);
  const reminder = linkIn(mail?.text);
  expect(await status(reminder)).toBe(200);
  const [{ id }] = (await expectSuccess(harness.as("ada").get("/invites"))).invites.slice(-1);
  await expectSuccess(harness.as("ada").post(`/invites/${id}/resend`));
  expect(await status(reminder)).toBe(404);
});

test("an address that has an account, which the inviter did not see, gets no reminder", async () => {
  await expectSuccess(harness.as("elin").patch("/settings", { email_address_visibility: 3 }));
  email = harness.user("elin").email;
  // What an earlier test has left.
  await received();
  expect(await invite()).toBe("");
  expect(await pass(9 * 24)).toEqual([]);
});
