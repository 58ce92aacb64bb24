/**
 * Links in mails lead to the address that the server knows of itself. No request can name another one, not
 * even another port of the same host (F9).
 */
import fs from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { sql } from "../../server/platform/db/sql.ts";
import { addPerson, mailsOf, PASSWORD } from "../harness/accounts.ts";
import { expectSuccess } from "../harness/answers.ts";
import { CAST_PASSWORD } from "../harness/cast.ts";
import { createHarness, type Harness, HOST } from "../harness/harness.ts";
import { ownPageHeaders } from "../harness/own-page-headers.ts";

const ROOT = path.join(import.meta.dirname, "../..");

/** Hosts that the organization answers to, with ports on which somebody else may listen. */
const hosts = [`${HOST}:7777`, "localhost:7777", "127.0.0.1:6666", "[::1]:6666"];
const forwarded = {
  "x-forwarded-host": "evil.test",
  "x-forwarded-port": "7777",
  "x-forwarded-proto": "https",
  forwarded: "host=evil.test",
  "x-original-host": "evil.test",
};

let harness: Harness;
beforeAll(async () => {
  harness = await createHarness({ PARLEY_TRUSTED_PROXIES: "127.0.0.1" });
  await expectSuccess(harness.as("ada").patch("/realm", { invite_required: false }));
  await addPerson(harness, "rosa@demo.test", "Rosa Vale");
});
afterAll(() => harness.close());
beforeEach(async () => {
  for (const table of ["asked_mails", "sign_in_attempts", "mails", "invitations"])
    await harness.services.database.transaction(({ client }) => client.query(`delete from ${table}`));
});

type Headers = Record<string, string>;

const form = (path: string, fields: Record<string, string>) => (headers: Headers) =>
  harness.app.inject({
    method: "POST",
    url: path,
    headers: { ...headers, ...ownPageHeaders, "content-type": "application/x-www-form-urlencoded" },
    payload: new URLSearchParams(fields).toString(),
  });

const call =
  (method: "POST" | "PATCH", path: string, fields: Record<string, string>) => (headers: Headers) => {
    const { email, apiKey } = harness.user("ada");
    const authorization = `Basic ${Buffer.from(`${email}:${apiKey}`).toString("base64")}`;
    return harness.app.inject({
      method,
      url: `/api/v1${path}`,
      headers: { ...headers, authorization, "content-type": "application/x-www-form-urlencoded" },
      payload: new URLSearchParams(fields).toString(),
    });
  };

/** Each makes the server send a mail that has a link. */
const flows: Record<string, (headers: Headers) => Promise<unknown>> = {
  "another password": form("/reset", { email: "rosa@demo.test", password: CAST_PASSWORD }),
  "joining without an invitation": form("/join", { email: "fay@elsewhere.test" }),
  "joining with an account": form("/join", { email: "rosa@demo.test", password: CAST_PASSWORD }),
  async "an invitation link"(headers) {
    const { invite_link: link } = await expectSuccess(harness.as("ada").post("/invites/multiuse"));
    return form(new URL(link).pathname, { email: "gil@elsewhere.test" })(headers);
  },
  async "an invitation link, with an account"(headers) {
    const { invite_link: link } = await expectSuccess(harness.as("ada").post("/invites/multiuse"));
    return form(new URL(link).pathname, { email: "rosa@demo.test", password: CAST_PASSWORD })(headers);
  },
  "an invitation": call("POST", "/invites", { invitee_emails: "hal@elsewhere.test", stream_ids: "[]" }),
  async "an invitation, again"(headers) {
    const invitation = { invitee_emails: "ike@elsewhere.test", stream_ids: [] };
    await expectSuccess(harness.as("ada").post("/invites", invitation));
    await mailsOf(harness);
    await harness.services.database.query(sql`delete from mails`);
    const { invites } = await expectSuccess(harness.as("ada").get("/invites"));
    return call("POST", `/invites/${invites.at(-1).id}/resend`, {})(headers);
  },
  "another address": call("PATCH", "/settings", { email: "ada.osei@demo.test", password: CAST_PASSWORD }),
  "a taken address": call("PATCH", "/settings", { email: "rosa@demo.test", password: CAST_PASSWORD }),
  async "a new device"(headers) {
    for (const agent of ["Mozilla/5.0 (X11; Linux) Firefox/140.0", "Mozilla/5.0 (Macintosh) Safari/605.1"])
      await form("/api/v1/session", { username: "rosa@demo.test", password: PASSWORD })({
        ...headers,
        "user-agent": agent,
        "x-parley-client": "test",
      });
  },
  "an account that is made": (headers) =>
    call("POST", "/users", {
      email: `joe${headers.host?.length}${Math.random()}@demo.test`,
      full_name: `Joe ${Math.random()}`,
      password: PASSWORD,
    })(headers),
};

test("no code that mails asks for the address of a request", () => {
  const users = fs
    .readdirSync(path.join(ROOT, "server"), { recursive: true, encoding: "utf8" })
    .map((file) => `server/${file.replaceAll(path.sep, "/")}`)
    .filter((file) => file.endsWith(".ts"))
    .filter((file) => /\bsiteOf\(services, state, /.test(fs.readFileSync(path.join(ROOT, file), "utf8")));
  // They give it to the person who has asked, in the answer.
  expect(users.sort()).toEqual([
    "server/accounts/invitations/handlers.ts",
    "server/accounts/invitations/join/pages.ts",
    "server/administration/exports/handlers.ts",
    "server/administration/own-data/handlers.ts",
  ]);
});

test.each(Object.entries(flows))("%s: the links lead to the organization", async (_, flow) => {
  for (const host of hosts) {
    for (const table of ["asked_mails", "sign_in_attempts", "mails", "known_devices"])
      await harness.services.database.transaction(({ client }) => client.query(`delete from ${table}`));
    await flow({ host, ...forwarded });
    const links = (await mailsOf(harness)).flatMap(
      ({ text, html }) => `${text} ${html}`.match(/https?:[^\s"<>]+/g) ?? [],
    );
    expect(links.length, host).toBeGreaterThan(0);
    expect([...new Set(links.map((link) => new URL(link).origin))], host).toEqual([`http://${HOST}:9991`]);
    expect(JSON.stringify(await mailsOf(harness))).not.toMatch(/:7777|:6666|evil\.test/);
  }
});
