/** The present and the former address hear when an address is changed, and when another one is asked for. */
import { afterAll, beforeEach, expect, test } from "vitest";
import type { UserId } from "../../../api/ids.ts";
import {
  addPerson,
  addRosa,
  mailedPath,
  mailsTo,
  PASSWORD,
  rosa,
  sendForm,
  signIn,
} from "../../../test/harness/accounts.ts";
import { expectSuccess } from "../../../test/harness/answers.ts";
import { createHarness, type Harness } from "../../../test/harness/harness.ts";
import { ownPageHeaders } from "../../../test/harness/own-page-headers.ts";
import { permitEmailChanges } from "../../people/update/permit-email-changes.ts";
import { users } from "../../people/user.ts";
import { runStateChange } from "../../platform/log/change.ts";

const NEW = "rosa.vale@demo.test";
let harness: Harness;
let userId: UserId;
beforeEach(async () => {
  await harness?.close();
  harness = await createHarness();
  userId = await addRosa(harness);
});
afterAll(() => harness.close());

/** What was mailed to an address about how the account is entered. */
async function heardAt(address: string): Promise<string[]> {
  const mails = await mailsTo(harness, address);
  return mails.filter(({ kind }) => kind === "change of the sign-in").map(({ text }) => text);
}

async function entries(action: string) {
  const { entries: all } = await expectSuccess(harness.as("ada").get("/realm/audit_log", { action }));
  return all as { actor_id: number; target_id: number }[];
}

test("an administrator's change of an address is mailed to the former and the new one, and is an entry", async () => {
  await runStateChange(harness.state, (tx) => permitEmailChanges(tx, harness.user("ben").user, true));
  await expectSuccess(harness.as("ben").patch(`/users/${userId}`, { new_email: NEW }));
  for (const address of [rosa.username, NEW]) {
    const [text, ...more] = await heardAt(address);
    expect(more).toEqual([]);
    expect(text).toContain(`The account has another email address now: ${NEW}.`);
  }
  const [entry] = await entries("user_email_changed");
  expect(entry).toMatchObject({ actor_id: harness.user("ben").id, target_id: userId });
  expect(await heardAt(harness.user("ben").email)).toHaveLength(1);
});

test("an administrator's change of a bot's address is mailed to no bot", async () => {
  await runStateChange(harness.state, (tx) => permitEmailChanges(tx, harness.user("ben").user, true));
  const { id, email } = harness.user("echo");
  await expectSuccess(harness.as("ben").patch(`/users/${id}`, { new_email: "echo.two@demo.test" }));
  expect([await heardAt(email), await heardAt("echo.two@demo.test")]).toEqual([[], []]);
});

test("to ask for another address is mailed to the present one, and is an entry", async () => {
  const browser = await signIn(harness);
  await expectSuccess(browser.patch("/settings", { email: NEW }));
  const [text] = await heardAt(rosa.username);
  expect(text).toContain(`Another email address was asked for: ${NEW}`);
  const mails = await mailsTo(harness, rosa.username);
  expect(mails.find(({ kind }) => kind === "change of the sign-in")?.subject).toMatch(
    /^A change of how you sign in to .+ was asked for$/,
  );
  expect(await heardAt(NEW)).toEqual([]);
  expect(await entries("email_change_requested")).toMatchObject([{ actor_id: userId, target_id: userId }]);
  expect(harness.state.get(users).byId.get(userId)?.email).toBe(rosa.username);
});

test("the confirmation of another address is mailed to both, and the next request too", async () => {
  const browser = await signIn(harness);
  await expectSuccess(browser.patch("/settings", { email: NEW }));
  await sendForm(harness, await mailedPath(harness, NEW), {}, { headers: ownPageHeaders });
  for (const address of [rosa.username, NEW])
    expect(await heardAt(address)).toContainEqual(
      expect.stringContaining(`The account has another email address now: ${NEW}.`),
    );
  expect(await entries("user_email_changed")).toHaveLength(1);
  await expectSuccess(browser.patch("/settings", { email: "rosa@third.test" }));
  for (const address of [rosa.username, NEW])
    expect(await heardAt(address)).toContainEqual(expect.stringContaining("asked for: rosa@third.test"));
});

test("to ask for somebody else's address leaves the same entry and mail as for a free one", async () => {
  const browser = await signIn(harness);
  await expectSuccess(browser.patch("/settings", { email: harness.user("dev").email }));
  expect((await heardAt(rosa.username))[0]).toContain(`asked for: ${harness.user("dev").email}`);
  expect(await entries("email_change_requested")).toHaveLength(1);
});

test("a former address that is another account's by now hears nothing of this one", async () => {
  await runStateChange(harness.state, (tx) => permitEmailChanges(tx, harness.user("ben").user, true));
  await expectSuccess(harness.as("ben").patch(`/users/${userId}`, { new_email: NEW }));
  await addPerson(harness, rosa.username, "Rosa Other");
  const before = (await heardAt(rosa.username)).length;
  const login = { username: NEW, password: PASSWORD };
  await expectSuccess((await signIn(harness, login)).patch("/settings", { email: "rosa@third.test" }));
  expect([(await heardAt(rosa.username)).length, (await heardAt(NEW)).length]).toEqual([before, 2]);
});
