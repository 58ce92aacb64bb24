import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { PASSWORD } from "../../../test/harness/accounts.ts";
import { expectSuccess } from "../../../test/harness/answers.ts";
import { HOST } from "../../../test/harness/harness.ts";
import { countJobs, jobsOf, runJobs } from "../../../test/harness/jobs.ts";
import { useMissedMail } from "../../../test/harness/missed-mail.ts";
import { mailPasswordReset } from "../../accounts/password-reset/reset-password.ts";
import { mailSignUp } from "../../accounts/sign-up/sign-up.ts";
import { openServices } from "../../app.ts";
import { sql } from "../../platform/db/sql.ts";
import type { Services } from "../../services.ts";
import { followAll, MissedMessageFollower } from "./follower.ts";
import { forgetOldNews } from "./forget-old.ts";
import { mailMissedMessages } from "./mail-missed.ts";

const servers = useMissedMail();
const { query, tell, missed, run, to, id } = servers;

/** A process without mail settings on the same database. */
let without: Services;
beforeAll(async () => {
  const { config, log, database } = servers.harness.services;
  without = await openServices({ ...config, mail: undefined }, log, database.connection);
});
afterAll(() => without.database.close());

const waitLong = () => query(sql`update missed_messages set due_at = now()`);
const runThere = () => runJobs(without);
const runHere = async () => {
  await runJobs(servers.harness.services);
  return servers.mailServer.received();
};

async function submit(url: string, email: string): Promise<void> {
  const headers = {
    host: HOST,
    "content-type": "application/x-www-form-urlencoded",
    "sec-fetch-site": "same-origin",
  };
  const payload = new URLSearchParams({ email }).toString();
  const answer = await servers.harness.app.inject({ method: "POST", url, headers, payload });
  expect(answer.statusCode).toBe(200);
}

test("a process without mail settings leaves new messages to the process that mails them", async () => {
  await tell("dev", ["elin"], "Are you there?");
  const follower = new MissedMessageFollower(without, (error) => expect.unreachable(String(error)));
  follower.start();
  await sleep(1500);
  await follower.stop();
  await followAll(servers.harness.state);
  expect(await missed()).toEqual([{ user: id("elin") }]);
  await waitLong();
  await mailMissedMessages.run(servers.harness.services, {}, run());
  await runThere();
  expect(to(await runHere())).toEqual(["elin@demo.test"]);
});

test("settings that come late mail the messages of the last day, and read no older ones", async () => {
  await tell("dev", ["elin"], "long ago");
  const old = await tell("dev", ["elin"], "two days ago");
  await query(sql`update messages set sent_at = now() - interval '2 days'`);
  await tell("dev", ["ben"], "an hour ago");
  await query(sql`delete from missed_message_cursors`);
  const reads = servers.harness.state.parts.sources.map((source) => vi.spyOn(source, "read"));
  await followAll(servers.harness.state);
  expect(reads.flatMap(({ mock }) => mock.calls).filter(([, , after]) => after < old)).toEqual([]);
  for (const read of reads) read.mockRestore();
  expect(await missed()).toEqual([{ user: id("ben") }]);
  await query(sql`delete from missed_messages`);
  await query(sql`update messages set sent_at = now() - interval '2 days'`);
  await query(sql`delete from missed_message_cursors`);
  await followAll(servers.harness.state);
  expect(await missed()).toEqual([]);
});

test("what waited for a process with settings for more than a day is not mailed", async () => {
  await tell("dev", ["elin"], "Are you there?");
  await followAll(servers.harness.state);
  await waitLong();
  await mailMissedMessages.run(servers.harness.services, {}, run());
  await query(sql`
      update missed_messages set sent_at = now() - interval '25 hours', news_since = array[now() - interval '25 hours']`);
  expect(await runHere()).toEqual([]);
  await forgetOldNews.run(without, {}, run());
  expect(await missed()).toEqual([]);
});

test("links for another password and to join wait too, as long as such a link lives", async () => {
  await expectSuccess(servers.harness.as("ada").patch("/realm", { invite_required: false }));
  await submit("/reset", "elin@demo.test");
  await submit("/join", "fay@demo.test");
  await runThere();
  expect(to(await runHere())).toEqual(["elin@demo.test", "fay@demo.test"]);
  const { services, state } = servers.harness;
  const asked = (email: string, hours: number) => ({
    organizationId: state.organizationId,
    email,
    site: "https://demo.test",
    askedAt: Date.now() - hours * 3600 * 1000,
  });
  await mailPasswordReset.run(services, asked("dev@demo.test", 1.1), run());
  await mailSignUp.run(services, asked("gil@demo.test", 24.1), run());
  expect(await runHere()).toEqual([]);
  await mailPasswordReset.run(services, asked("dev@demo.test", 0.9), run());
  await mailSignUp.run(services, asked("gil@demo.test", 23.9), run());
  expect(to(await runHere())).toEqual(["dev@demo.test", "gil@demo.test"]);
});

test("a welcome waits for a day, so an installation without settings collects none", async () => {
  const person = { email: "hal@demo.test", full_name: "Hal", password: PASSWORD };
  await expectSuccess(servers.harness.as("ada").post("/users", person));
  await runThere();
  await forgetOldNews.run(without, {}, run());
  expect(await countJobs(without, "mail_welcome")).toBe(1);
  await query(sql`
    update graphile_worker._private_jobs set run_at = now() - interval '25 hours' where is_available`);
  await forgetOldNews.run(without, {}, run());
  expect(await countJobs(without, "mail_welcome")).toBe(0);
  expect(await runHere()).toEqual([]);
});

test("digests and reminders of invitations are left to processes with settings, also their schedules", () => {
  const names = new Set(jobsOf(without).map(({ name }) => name));
  const all = jobsOf(servers.harness.services).map(({ name }) => name);
  expect(all.filter((name) => !names.has(name)).sort()).toEqual([
    "deliver_mail",
    "mail_digest_to",
    "mail_digests",
    "mail_digests_of",
    "mail_missed_messages",
    "mail_missed_messages_to",
    "mail_password_reset",
    "mail_sign_up",
    "mail_welcome",
    "remind_of_invitation",
    "remind_of_invitations",
  ]);
});
