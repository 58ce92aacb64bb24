import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { MAX_DOMAINS } from "../../../api/limits.ts";
import { roles } from "../../../api/roles.ts";
import { expectSuccess, refusal } from "../../../test/harness/answers.ts";
import { type CastName, createHarness, type Harness } from "../../../test/harness/harness.ts";
import { listen } from "../../../test/harness/listener.ts";
import { joinDefaultChannels } from "../../channels/defaults/join-default-channels.ts";
import { allowedDomains } from "../../organization/allowed-emails/allowed-domains.ts";
import { createPerson } from "../../people/create-person.ts";
import { permitEmailChanges } from "../../people/update/permit-email-changes.ts";
import { sql } from "../../platform/db/sql.ts";
import { runStateChange } from "../../platform/log/change.ts";
import { OrganizationState } from "../../platform/log/organization-state.ts";

let harness: Harness;
beforeAll(async () => {
  harness = await createHarness();
  await runStateChange(harness.state, (tx) => permitEmailChanges(tx, harness.user("ada").user, true));
});
afterAll(() => harness.close());
afterEach(async () => {
  for (const { domain } of await list()) await expectSuccess(remove(domain));
});

const add = (domain: string, allow_subdomains = false, by: CastName = "ada") =>
  harness.as(by).post("/realm/domains", { domain, allow_subdomains });
const change = (domain: string, allow_subdomains: boolean) =>
  harness.as("ada").patch(`/realm/domains/${encodeURIComponent(domain)}`, { allow_subdomains });
const remove = (domain: string) => harness.as("ada").delete(`/realm/domains/${encodeURIComponent(domain)}`);
const list = async (by: CastName = "gus"): Promise<{ domain: string; allow_subdomains: boolean }[]> =>
  (await expectSuccess(harness.as(by).get("/realm/domains"))).domains;
const set = (settings: Record<string, unknown>) => expectSuccess(harness.as("ada").patch("/realm", settings));
const isRestricted = async () =>
  (await harness.as("ada").post("/register", { fetch_event_types: ["realm"] })).body
    .realm_emails_restricted_to_domains;

let people = 0;
const join = (email: string) =>
  harness.as("ada").post("/users", { email, full_name: `Pat ${++people}`, password: "a good start" });
const move = (email: string, target: CastName = "dev") =>
  harness.as("ada").patch(`/users/${harness.user(target).id}`, { new_email: email });

describe("the list of domains", () => {
  test("is changed by owners alone, and read by everyone", async () => {
    await expectSuccess(add("kept.example"));
    for (const name of ["ben", "cleo", "dev", "gus", "echo"] as const) {
      for (const { status, body } of [
        await add("mine.example", true, name),
        await harness.as(name).patch("/realm/domains/kept.example", { allow_subdomains: true }),
        await harness.as(name).delete("/realm/domains/kept.example"),
      ]) {
        expect([status, body.code]).toEqual([400, "UNAUTHORIZED_PRINCIPAL"]);
      }
      expect(await list(name)).toEqual([{ domain: "kept.example", allow_subdomains: false }]);
    }
  });

  test("has each domain once, as other servers know it", async () => {
    const { new_domain } = await expectSuccess(add(" Bücher.Example "));
    expect(new_domain).toEqual([expect.any(Number), "xn--bcher-kva.example"]);
    await expectSuccess(add("Kitchen.Example", true));
    expect(await refusal(add("BÜCHER.example"))).toContain("xn--bcher-kva.example is already a part");
    expect(await refusal(add("kitchen.example."))).toContain("already a part of your organization");
    expect(await list()).toEqual([
      { domain: "xn--bcher-kva.example", allow_subdomains: false },
      { domain: "kitchen.example", allow_subdomains: true },
    ]);
    await expectSuccess(change("bücher.example", true));
    expect((await list())[0]).toEqual({ domain: "xn--bcher-kva.example", allow_subdomains: true });
    await expectSuccess(remove("Bücher.example"));
    expect(await list()).toHaveLength(1);
  });

  test.each([
    ["localhost", "Invalid domain: Domain must have at least one dot (.)"],
    ["", "Invalid domain: Domain can't be empty."],
    ["a_b.example", "Invalid domain: Domain can only have letters"],
  ])("does not take %j", async (domain, message) => {
    expect(await refusal(add(domain))).toContain(message);
    expect(await list()).toEqual([]);
  });

  test("answers a domain that it has not with an error, also another organization's", async () => {
    await expectSuccess(add("abroad.example", false, "zed"));
    for (const domain of ["abroad.example", "no domain"]) {
      expect(await refusal(change(domain, true))).toBe(`No entry found for domain ${domain}.`);
      expect(await refusal(remove(domain))).toBe(`No entry found for domain ${domain}.`);
    }
    expect(await list("zed")).toEqual([{ domain: "abroad.example", allow_subdomains: false }]);
  });

  test("is in the first state of people with an account, and empty for visitors", async () => {
    await expectSuccess(add("kitchen.example", true));
    const asked = { fetch_event_types: ["realm_domains"] };
    const { body } = await harness.as("gus").post("/register", asked);
    expect(body.realm_domains).toEqual([{ domain: "kitchen.example", allow_subdomains: true }]);
    await set({ enable_spectator_access: true });
    expect((await harness.nobody().post("/register", asked)).body.realm_domains).toEqual([]);
    await set({ enable_spectator_access: false });
  });

  test("is the same at a node that starts", async () => {
    await expectSuccess(add("b.example"));
    await expectSuccess(add("a.example"));
    await expectSuccess(change("b.example", true));
    const { database } = harness.services;
    const state = await OrganizationState.load(database, harness.state.organizationId, harness.state.parts);
    expect([...state.get(allowedDomains)]).toEqual([...harness.state.get(allowedDomains)]);
  });

  test("has at most 500 domains", async () => {
    const { organizationId } = harness.user("zed").viewer.state;
    const other = harness.otherState;
    await harness.services.database.query(sql`
      insert into allowed_domains (organization_id, domain, allow_subdomains)
      select ${organizationId}, 'd' || n || '.example', false
      from generate_series(${other.get(allowedDomains).size + 1}::int, ${MAX_DOMAINS}::int) n`);
    const loaded = await OrganizationState.load(harness.services.database, organizationId, other.parts);
    const all = other.get(allowedDomains);
    for (const [domain, each] of loaded.get(allowedDomains)) all.set(domain, each);
    expect(all.size).toBe(MAX_DOMAINS);
    expect(await refusal(add("more.example", false, "zed"))).toContain("at most 500 domains");
  });
});

describe("an organization that is restricted to domains", () => {
  beforeEach(async () => {
    await expectSuccess(add("kitchen.example"));
    await expectSuccess(add("garden.example", true));
    await set({ emails_restricted_to_domains: true });
  });
  afterEach(() => set({ emails_restricted_to_domains: false }));

  test("takes new people with addresses of these domains only", async () => {
    await expectSuccess(join("pat1@kitchen.example"));
    await expectSuccess(join("pat2@KITCHEN.example"));
    for (const email of ["pat3@demo.test", "pat3@sub.kitchen.example", "pat3@notkitchen.example"]) {
      expect(await refusal(join(email))).toBe(`Email '${email}' not allowed in this organization`);
    }
    expect(await refusal(join("kitchen.example"))).toBe("Invalid email address.");
  });

  test("takes addresses of subdomains only where that was allowed", async () => {
    await expectSuccess(join("pat4@garden.example"));
    await expectSuccess(join("pat5@a.b.garden.example"));
    expect(await refusal(join("pat6@agarden.example"))).toContain("not allowed");
    expect(await refusal(join("pat6@example"))).toContain("not allowed");
    await expectSuccess(change("garden.example", false));
    expect(await refusal(join("pat6@a.b.garden.example"))).toContain("not allowed");
    await expectSuccess(change("kitchen.example", true));
    await expectSuccess(join("pat6@sub.kitchen.example"));
  });

  test("knows an international domain in both of its forms, and takes no look-alike", async () => {
    await expectSuccess(add("bücher.example"));
    await expectSuccess(join("pat7@bücher.example"));
    await expectSuccess(join("pat8@xn--bcher-kva.example"));
    expect(await refusal(join("pat9@bucher.example"))).toContain("not allowed");
    // Decoded, it would be kitchen.example; no mail server decodes it.
    expect(await refusal(join("pat9@kitche%6e.example"))).toContain("not allowed");
  });

  test("refuses addresses with a plus, by which one person could have many accounts", async () => {
    expect(await refusal(join("pat+1@kitchen.example"))).toBe(
      "Email addresses containing + are not allowed.",
    );
    await set({ emails_restricted_to_domains: false });
    await expectSuccess(join("pat+1@kitchen.example"));
  });

  test("checks a changed address too, but lets an existing one stay", async () => {
    expect(await refusal(move("dev@elsewhere.example"))).toContain("not allowed in this organization");
    expect(await refusal(move("dev+1@kitchen.example"))).toContain("containing +");
    await expectSuccess(move("DEV@demo.test"));
    await expectSuccess(move("dev@kitchen.example"));
    await set({ emails_restricted_to_domains: false });
    await expectSuccess(move("dev@demo.test"));
  });

  test("does not check the addresses of bots, which are no mailboxes", async () => {
    await expectSuccess(move("echo2-bot@demo.test", "echo"));
  });

  test("lets the server's operator make any account", async () => {
    const { keyring } = harness.services;
    const person = {
      email: "op@elsewhere.example",
      fullName: "Op Lee",
      password: "a good start",
      role: roles.member,
    };
    const make = (isEmailExempt: boolean) =>
      createPerson(keyring, harness.user("ada").viewer, { ...person, isEmailExempt }, joinDefaultChannels);
    await expect(make(false)).rejects.toThrow("not allowed in this organization");
    expect(await make(true)).toMatchObject({ email: person.email });
  });

  test("may list a domain of disposable addresses, since it chose it", async () => {
    await expectSuccess(add("mailinator.com"));
    await expectSuccess(join("pat10@mailinator.com"));
  });

  test("is no longer restricted when the last domain is removed, and its clients learn both", async () => {
    const queue = await listen(harness.as("gus"), { event_types: ["realm", "realm_domains"] });
    await expectSuccess(remove("kitchen.example"));
    expect(await isRestricted()).toBe(true);
    await expectSuccess(remove("garden.example"));
    expect(await isRestricted()).toBe(false);
    expect(await queue.heard()).toMatchObject([
      { type: "realm_domains", op: "remove", domain: "kitchen.example" },
      { type: "realm", op: "update", property: "emails_restricted_to_domains", value: false },
      { type: "realm_domains", op: "remove", domain: "garden.example" },
    ]);
    await expectSuccess(join("pat11@demo.test"));
  });
});

test("the last domain can go from an organization that is not restricted without another event", async () => {
  await expectSuccess(add("kitchen.example"));
  const queue = await listen(harness.as("gus"), { event_types: ["realm", "realm_domains"] });
  await expectSuccess(remove("kitchen.example"));
  expect(await queue.heard()).toMatchObject([{ type: "realm_domains", op: "remove" }]);
});

describe("an organization that is not restricted", () => {
  const disposable = "Disposable email addresses are not allowed in this organization";

  test.each([
    "mailinator.com",
    "MAILINATOR.com",
    "mailinator.com.",
    "any.thing.mailinator.com",
    "ｍailinator.com",
  ])("refuses disposable addresses: %s", async (domain) => {
    expect(await refusal(join(`pat20@${domain}`))).toBe(disposable);
    expect(await refusal(move(`dev@${domain}`))).toBe(disposable);
  });

  test.each(["gmail.com", "a-mailinator.com", "mailinator.com.example.org", "localhost"])(
    "takes other addresses: %s",
    async (domain) => {
      await expectSuccess(join(`pat21@${domain}`));
    },
  );

  test("takes disposable addresses if it wants them", async () => {
    await set({ disallow_disposable_email_addresses: false });
    await expectSuccess(join("pat22@mailinator.com"));
    await set({ disallow_disposable_email_addresses: true });
  });
});
