/** People reset a password because they fear that somebody is in (F4). */
import { afterAll, beforeAll, expect, test } from "vitest";
import {
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

let harness: Harness;
beforeAll(async () => {
  harness = await createHarness();
});
afterAll(() => harness.close());

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
  await sendForm(harness, path, { password: OTHER_PASSWORD }, { headers: ownPageHeaders });
  expect((await thief.get("/users/me")).status).toBe(401);
  expect(await fetchKey(OTHER_PASSWORD)).not.toBe(stolen);
  const texts = (await mailsTo(harness, rosa.username)).map(({ text }) => text).join();
  expect(texts).toContain("Another password was set by a link in a mail.");
  const { entries } = await expectSuccess(
    harness.as("ada").get("/realm/audit_log", { action: "password_set_by_mail" }),
  );
  expect(entries.map(({ target_id }: { target_id: number }) => target_id)).toEqual([id]);
});
