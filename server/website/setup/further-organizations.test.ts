import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { mailedPath, mailsTo, openPage, PASSWORD, sendForm } from "../../../test/harness/accounts.ts";
import { createHarness, type Harness } from "../../../test/harness/harness.ts";
import { sql } from "../../platform/db/sql.ts";
import { forgetOrganizationInvitations } from "./invitations.ts";
import { insertInvitation } from "./store.ts";

const SITE = "https://chat.test";
const OPEN = { PARLEY_OPEN_ORGANIZATIONS: "on", PARLEY_PUBLIC_URL: SITE, PARLEY_RATE_LIMITS: "off" };
const filledIn = {
  organization_name: "Bakers",
  subdomain: "bakers",
  full_name: "Ida Moe",
  email: "somebody.else@bakers.test",
  password: PASSWORD,
};

let harness: Harness;

const get = (url: string, host = "chat.test") => openPage(harness, url, { host });

const submit = (url: string, fields: Record<string, string>, address = "203.0.113.7") =>
  sendForm(harness, url, fields, { host: "chat.test", headers: { origin: SITE }, address });

/** Asks for a link from a network of its own, and gives its path. */
async function ask(email: string, address?: string): Promise<string> {
  expect((await submit("/new", { email }, address)).statusCode).toBe(200);
  return mailedPath(harness, email);
}

const organizationCount = async () =>
  (await harness.services.database.query(sql`select from organizations`)).length;

describe("where anyone may create an organization", () => {
  beforeAll(async () => {
    harness = await createHarness(OPEN);
  });
  beforeEach(() => harness.services.database.query(sql`delete from organization_invitations`));
  afterAll(() => harness.close());

  test("a mailed link makes an organization below the public host name, once", async () => {
    const path = await ask("ida@bakers.test");
    const form = await get(path);
    expect(form.body).toContain(".chat.test");
    expect(form.body).toContain('value="ida@bakers.test"');
    const { headers } = await submit(path, filledIn);
    expect(headers.location).toBe("/new/ready/bakers");
    expect(headers["set-cookie"]).toBeUndefined();
    const ready = await get("/new/ready/bakers");
    expect(ready.body).toContain("Bakers is ready");
    expect(ready.body).toContain('href="https://bakers.chat.test/login"');
    const rows = await harness.services.database.query(sql`
      select o.host, u.email, u.role from organizations o join users u on u.organization_id = o.id
      where o.host = 'bakers.chat.test' and u.email = 'ida@bakers.test'`);
    expect(rows).toEqual([{ host: "bakers.chat.test", email: "ida@bakers.test", role: 100 }]);
    expect((await get(path)).statusCode).toBe(404);
    expect((await submit(path, { ...filledIn, subdomain: "millers" })).statusCode).toBe(404);
  });

  test("of two who send the same link's form at once, one gets an organization", async () => {
    const path = await ask("jo@twins.test");
    const before = await organizationCount();
    const sent = ["left", "right"].map((subdomain) => submit(path, { ...filledIn, subdomain }));
    const statuses = (await Promise.all(sent)).map(({ statusCode }) => statusCode);
    expect(statuses.sort()).toEqual([303, 404]);
    expect(await organizationCount()).toBe(before + 1);
  });

  test.each([
    ["a taken name", "taken", "already exists"],
    ["a reserved name", "www", "is not a host name"],
    ["a short name", "ab", "is not a host name"],
    ["two labels", "a.bakery", "is not a host name"],
    ["a hyphen at an end", "-bakery", "is not a host name"],
    ["another alphabet", "bäckerei", "is not a host name"],
  ])("%s is refused beside its field, and the link stays", async (what, subdomain, problem) => {
    const path = await ask(`${what.replaceAll(" ", ".")}@names.test`);
    if (subdomain === "taken") {
      await submit(await ask("first@names.test"), { ...filledIn, subdomain });
    }
    const { statusCode, body } = await submit(path, { ...filledIn, subdomain });
    expect(statusCode).toBe(400);
    expect(body).toMatch(new RegExp(`id="subdomain-note" class="problem">[^<]*${problem}`));
    expect((await get(path)).statusCode).toBe(200);
  });

  test("an address gets one mail in some minutes, and the answer is the same", async () => {
    const one = await submit("/new", { email: "kim@often.test" });
    const two = await submit("/new", { email: "Kim@often.test" }, "203.0.113.8");
    expect(two.body).toBe(one.body);
    expect(await mailsTo(harness, "kim@often.test")).toHaveLength(1);
    expect(await mailsTo(harness, "Kim@often.test")).toHaveLength(0);
  });

  test("a network gets five links in a day", async () => {
    for (let at = 0; at < 5; at++) {
      expect((await submit("/new", { email: `p${at}@flood.test` }, "198.51.100.1")).statusCode).toBe(200);
    }
    expect((await submit("/new", { email: "p5@flood.test" }, "198.51.100.1")).statusCode).toBe(429);
    expect(await mailsTo(harness, "p5@flood.test")).toEqual([]);
    expect((await submit("/new", { email: "p5@flood.test" }, "198.51.100.2")).statusCode).toBe(200);
  });

  test("a link ends after a day, and is forgotten", async () => {
    const path = await ask("late@bakers.test");
    await harness.services.database.query(
      sql`update organization_invitations set created_at = now() - interval '25 hours'`,
    );
    expect((await get(path)).statusCode).toBe(404);
    expect((await submit(path, { ...filledIn, subdomain: "later" })).statusCode).toBe(404);
    const run = { signal: new AbortController().signal, dueAt: new Date() };
    await forgetOrganizationInvitations.run(harness.services, {}, run);
    expect(await harness.services.database.query(sql`select from organization_invitations`)).toEqual([]);
  });

  test("a form of another site is refused", async () => {
    const headers = { host: "chat.test", origin: "https://evil.test" };
    const payload = { email: "eve@evil.test" };
    const { statusCode } = await harness.app.inject({ method: "POST", url: "/new", headers, payload });
    expect(statusCode).toBe(403);
    expect(await mailsTo(harness, "eve@evil.test")).toEqual([]);
  });

  test("an unknown host names the way", async () => {
    expect((await get("/", "elsewhere.test")).body).toContain('href="/new"');
  });
});

describe("where nobody may", () => {
  beforeAll(async () => {
    harness = await createHarness({ PARLEY_PUBLIC_URL: SITE });
  });
  afterAll(() => harness.close());

  test("there is no form, and a link that was mailed before has ended", async () => {
    expect((await get("/new")).headers.location).toBe("/");
    expect((await submit("/new", { email: "ida@bakers.test" })).headers.location).toBe("/");
    expect(await mailsTo(harness, "ida@bakers.test")).toEqual([]);
    const { keyring, database } = harness.services;
    const token = keyring.newToken();
    await insertInvitation(database, keyring.hash(token), {
      email: "ida@bakers.test",
      network: "203.0.113.7",
    });
    expect((await get(`/new/${token}`)).statusCode).toBe(404);
    expect((await submit(`/new/${token}`, filledIn)).statusCode).toBe(404);
  });
});

describe("without mail", () => {
  beforeAll(async () => {
    harness = await createHarness({ ...OPEN, PARLEY_ENV: "production" });
  });
  afterAll(() => harness.close());

  test("the page says that there is none", async () => {
    const { statusCode, body } = await get("/new");
    expect(statusCode).toBe(503);
    expect(body).toContain("Its operators have to configure mail first");
  });
});
