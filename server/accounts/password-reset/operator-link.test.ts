/** The link for another password that the server's operator prints for somebody. */
import { afterAll, beforeAll, expect, test } from "vitest";
import {
  addPerson,
  mailsTo,
  OTHER_PASSWORD,
  openPage,
  PASSWORD,
  sendForm,
  signIn,
} from "../../../test/harness/accounts.ts";
import { expectSuccess } from "../../../test/harness/answers.ts";
import { createHarness, type Harness } from "../../../test/harness/harness.ts";
import { ownPageHeaders } from "../../../test/harness/own-page-headers.ts";
import { type User, users } from "../../people/user.ts";
import { runStateChange } from "../../platform/log/change.ts";
import { mailedRefusal } from "../proof/mailed-password.ts";
import { makeOperatorLink } from "./operator-link.ts";

let harness: Harness;
let count = 0;
beforeAll(async () => {
  harness = await createHarness();
});
afterAll(() => harness.close());

interface Person {
  email: string;
  userOf(): User;
  link(endsSessions?: boolean): Promise<string>;
}

/** Somebody with a password, and what makes links for them. */
async function person(): Promise<Person> {
  const email = `lost${++count}@demo.test`;
  const id = await addPerson(harness, email, "Lena Dahl");
  const userOf = () => harness.state.get(users).byId.get(id) as User;
  const link = async (endsSessions = false) => {
    const options = { site: "https://chat.test", endsSessions };
    const made = await runStateChange(harness.state, (tx) =>
      makeOperatorLink(tx, harness.services, userOf(), options),
    );
    return new URL(made.link).pathname;
  };
  return { email, userOf, link };
}

const choose = (path: string, password = OTHER_PASSWORD) =>
  sendForm(harness, path, { password }, { headers: ownPageHeaders });
const statusOf = async (email: string, password: string) =>
  (await harness.nobody().post("/session", { username: email, password })).status;

test("sets another password once, and the one of before works until then", async () => {
  const { email, link, userOf } = await person();
  const path = await link();
  expect((await openPage(harness, path)).statusCode).toBe(200);
  expect(await statusOf(email, PASSWORD)).toBe(200);
  expect((await choose(path)).statusCode).toBe(200);
  expect(await statusOf(email, PASSWORD)).toBe(401);
  expect(await statusOf(email, OTHER_PASSWORD)).toBe(200);
  expect((await choose(path, "three blue kettles")).statusCode).toBe(404);
  expect(await statusOf(email, OTHER_PASSWORD)).toBe(200);
  // No mailbox was needed, so nobody has to wait before the password proves who they are.
  expect(await mailedRefusal({ state: harness.state, user: userOf() })).toBeUndefined();
});

test("ends at a changed password, with a newer link, and when the account is deactivated", async () => {
  const { email, link, userOf } = await person();
  const first = await link();
  const second = await link();
  expect((await choose(first)).statusCode).toBe(404);
  const browser = await signIn(harness, { username: email, password: PASSWORD });
  await expectSuccess(
    browser.patch("/settings", { old_password: PASSWORD, new_password: "three blue kettles" }),
  );
  expect((await choose(second)).statusCode).toBe(404);
  const third = await link();
  await expectSuccess(harness.as("ada").delete(`/users/${userOf().id}`));
  expect((await choose(third)).statusCode).toBe(404);
});

test("ends sessions at once where that is asked for, and not otherwise", async () => {
  const { email, link } = await person();
  const browser = await signIn(harness, { username: email, password: PASSWORD });
  await link();
  expect((await browser.get("/users/me")).status).toBe(200);
  await link(true);
  expect((await browser.get("/users/me")).status).toBe(401);
});

test("is audited and told to the person, when it is made and when it is used", async () => {
  const { email, link, userOf } = await person();
  const path = await link();
  await choose(path);
  const { entries } = await expectSuccess(harness.as("ada").get("/realm/audit_log", { num_entries: 50 }));
  const own = entries.filter(({ target_id }: { target_id: number }) => target_id === userOf().id);
  const actions = own.map(({ action }: { action: string }) => action);
  expect(actions).toEqual(expect.arrayContaining(["password_link_made", "password_set_by_operator_link"]));
  const texts = (await mailsTo(harness, email)).map(({ text }) => text).join("\n");
  expect(texts).toContain("The people who run the server made a link by which another password can be set.");
  expect(texts).toContain("Another password was set by a link from the people who run the server.");
  expect(texts).not.toContain(path);
});
