/** What the server's operator does with the sessions and the address of an account. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { addPerson, mailsTo, PASSWORD, signIn } from "../../../test/harness/accounts.ts";
import { expectSuccess } from "../../../test/harness/answers.ts";
import { createHarness, type Harness } from "../../../test/harness/harness.ts";
import type { User } from "../../people/user.ts";
import { users } from "../../people/user.ts";
import { changeState } from "../../people/viewer/change.ts";
import { runStateChange } from "../../platform/log/change.ts";
import { changeAddress } from "../proof/operator-address.ts";
import { endSessionsAsOperator, readSessions } from "./operator-sessions.ts";

let harness: Harness;
beforeAll(async () => {
  harness = await createHarness();
});
afterAll(() => harness.close());

const userOf = (id: number) => harness.state.get(users).byId.get(id as User["id"]) as User;
const end = (id: number, sessionId?: number) =>
  runStateChange(harness.state, (tx) => endSessionsAsOperator(tx, harness.services, userOf(id), sessionId));
const statuses = (browsers: { get(path: string): Promise<{ status: number }> }[]) =>
  Promise.all(browsers.map(async (browser) => (await browser.get("/users/me")).status));

test("one session of an account ends, and then all, and no one else's", async () => {
  const login = { username: "sess@demo.test", password: PASSWORD };
  const id = await addPerson(harness, login.username, "Sess Lark");
  await addPerson(harness, "other@demo.test", "Otto Lark");
  const own = [await signIn(harness, login), await signIn(harness, login), await signIn(harness, login)];
  const other = await signIn(harness, { ...login, username: "other@demo.test" });
  const [newest] = await readSessions(harness.state, userOf(id));
  const somebodyElse = harness.state.get(users).findByEmail("other@demo.test") as User;
  const [otherSession] = await readSessions(harness.state, somebodyElse);
  expect(await end(id, otherSession?.id)).toBe(0);
  expect(await end(id, newest?.id)).toBe(1);
  expect((await statuses(own)).sort()).toEqual([200, 200, 401]);
  expect(await end(id)).toBe(2);
  expect(await end(id)).toBe(0);
  expect(await statuses([...own, other])).toEqual([401, 401, 401, 200]);
  const texts = (await mailsTo(harness, login.username)).map(({ text }) => text).join("\n");
  expect(texts).toContain("The people who run the server ended 2 sessions.");
  const { entries } = await expectSuccess(
    harness.as("ada").get("/realm/audit_log", { action: "sessions_ended" }),
  );
  expect(entries.map(({ target_id }: { target_id: number }) => target_id)).toEqual([id, id]);
});

test("another address is told to both, and an owner's rule for addresses holds unless it is set aside", async () => {
  const id = await addPerson(harness, "from@demo.test", "Fred Moss");
  const ada = { state: harness.state, user: harness.user("ada").user, client: "test", isOperator: true };
  const move = (email: string, isEmailExempt = false) =>
    changeState(ada, (tx) => changeAddress(tx, harness.services, userOf(id), { email, isEmailExempt }));
  await expect(move("ada@demo.test")).rejects.toThrow("ada@demo.test");
  await move("to@demo.test");
  expect(userOf(id).email).toBe("to@demo.test");
  for (const address of ["from@demo.test", "to@demo.test"])
    expect((await mailsTo(harness, address)).map(({ text }) => text).join("\n")).toContain(
      "The account has another email address now: to@demo.test.",
    );
  await expectSuccess(harness.as("ada").patch("/realm", { disallow_disposable_email_addresses: true }));
  await expect(move("x@mailinator.com")).rejects.toThrow(/disposable|address/);
  await move("x@mailinator.com", true);
  expect(userOf(id).email).toBe("x@mailinator.com");
});
