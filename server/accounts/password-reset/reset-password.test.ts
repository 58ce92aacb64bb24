/** People reset a password because they fear that somebody is in (F4). */
import { afterAll, beforeAll, expect, test } from "vitest";
import {
  addPerson,
  addRosa,
  mailedPath,
  mailsTo,
  OTHER_PASSWORD,
  rosa,
  sendForm,
} from "../../../test/harness/accounts.ts";
import { expectSuccess } from "../../../test/harness/answers.ts";
import { callerOf, createHarness, type Harness, HOST } from "../../../test/harness/harness.ts";
import { ownPageHeaders } from "../../../test/harness/own-page-headers.ts";
import { addPasskey } from "../../../test/harness/passkeys.ts";
import { waitingSessions } from "../../../test/harness/waiting.ts";
import { type User, users } from "../../people/user.ts";
import { sql } from "../../platform/db/sql.ts";

let harness: Harness;
beforeAll(async () => {
  harness = await createHarness();
});
afterAll(() => harness.close());

/** Holds up sign-ins after they have shown the password, until the work is done. */
function whileSignInsWait<T>(work: () => Promise<T>): Promise<T> {
  return harness.services.database.transaction(
    async (tx) => {
      await tx.query(sql`lock table known_devices in exclusive mode`);
      return work();
    },
    { lane: "background" },
  );
}

async function waitingSignIns(): Promise<number> {
  const waiting = await waitingSessions(harness.services.database);
  return waiting.filter(({ statement }) => statement.includes("known_devices")).length;
}

test("a password that is set by mail ends the API key, and is mailed and audited", async () => {
  const id = await addRosa(harness);
  const fetchKey = async (password: string) =>
    (await expectSuccess(harness.nobody().post("/fetch_api_key", { ...rosa, password }))).api_key;
  const stolen = await fetchKey(rosa.password);
  const authorization = `Basic ${Buffer.from(`${rosa.username}:${stolen}`).toString("base64")}`;
  const thief = callerOf(harness.app, { host: HOST, authorization });
  expect((await thief.get("/users/me")).status).toBe(200);
  await sendForm(harness, "/reset", { email: rosa.username }, { headers: ownPageHeaders });
  const path = await mailedPath(harness, rosa.username);
  // The thief asks all the time, so one request has shown the old password when the key is replaced.
  const late = await whileSignInsWait(async () => {
    const asking = harness.nobody().post("/fetch_api_key", rosa);
    await expect.poll(waitingSignIns).toBe(1);
    await sendForm(harness, path, { password: OTHER_PASSWORD }, { headers: ownPageHeaders });
    return { asking };
  });
  expect((await late.asking).body.code).toBe("AUTHENTICATION_FAILED");
  expect((await thief.get("/users/me")).status).toBe(401);
  expect(await fetchKey(OTHER_PASSWORD)).not.toBe(stolen);
  const texts = (await mailsTo(harness, rosa.username)).map(({ text }) => text).join();
  expect(texts).toContain("Another password was set by a link in a mail.");
  const { entries } = await expectSuccess(
    harness.as("ada").get("/realm/audit_log", { action: "password_set_by_mail" }),
  );
  expect(entries.map(({ target_id }: { target_id: number }) => target_id)).toEqual([id]);
});

test("a password that is set by mail makes all networks new to the account", async () => {
  const email = "nora@demo.test";
  const id = await addPerson(harness, email, "Nora Lind");
  await expectSuccess(harness.nobody().post("/fetch_api_key", { ...rosa, username: email }));
  const networks = () =>
    harness.services.database.query(sql`select 1 from sign_in_networks where user_id = ${id}`);
  expect(await networks()).toHaveLength(1);
  await sendForm(harness, "/reset", { email }, { headers: ownPageHeaders });
  const path = await mailedPath(harness, email);
  await sendForm(harness, path, { password: OTHER_PASSWORD }, { headers: ownPageHeaders });
  expect(await networks()).toEqual([]);
});

test("the mail about it lists the bots, passkeys and invitations that go on", async () => {
  const email = "iris@demo.test";
  const today = () => new Date().toISOString().slice(0, 10);
  const begunOn = today();
  const id = await addPerson(harness, email, "Iris Falk");
  const { api_key } = await expectSuccess(
    harness.nobody().post("/fetch_api_key", { ...rosa, username: email }),
  );
  const authorization = `Basic ${Buffer.from(`${email}:${api_key}`).toString("base64")}`;
  const thief = callerOf(harness.app, { host: HOST, authorization });
  const bot = { full_name: "Quiet & Safe", short_name: "quiet" };
  const { user_id: botId } = await expectSuccess(thief.post("/bots", bot));
  const ended = await expectSuccess(thief.post("/bots", { full_name: "Ended", short_name: "ended" }));
  await expectSuccess(thief.delete(`/bots/${ended.user_id}`));
  const { body } = await thief.post("/bots", { full_name: "Taken", short_name: "taken" });
  await harness.services.database.query(sql`
    update api_keys set created_at = '2020-02-03' where user_id = ${body.user_id}`);
  const user = harness.state.get(users).byId.get(id) as User;
  await addPasskey(harness, { state: harness.state, user });
  const invitation = { invitee_emails: "mallory@attacker.example", stream_ids: [] };
  await expectSuccess(thief.post("/invites", invitation));
  await sendForm(harness, "/reset", { email }, { headers: ownPageHeaders });
  const path = await mailedPath(harness, email);
  await sendForm(harness, path, { password: OTHER_PASSWORD }, { headers: ownPageHeaders });
  const mail = (await mailsTo(harness, email)).find(({ text }) => text.includes("set by a link"));
  const { email: botEmail } = harness.state.get(users).byId.get(botId) as User;
  const lines = mail?.text.split("\n").filter((line) => line.startsWith("- "));
  // It may be midnight meanwhile.
  const items = lines?.map((line) => line.replace(begunOn, "today").replace(today(), "today"));
  expect(items).toEqual([
    `- Quiet & Safe (${botEmail}), key of today`,
    `- Taken (${botEmail.replace("quiet", "taken")}), key of 2020-02-03`,
    expect.stringMatching(/^- .+, added on today$/),
    "- mallory@attacker.example, made on today",
  ]);
  expect(mail?.html).toContain("<li>Quiet &amp; Safe");
});
