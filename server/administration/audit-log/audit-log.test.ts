import { beforeAll, describe, expect, test } from "vitest";
import { auditActions, auditTargets } from "../../../api/administration/audit-log.ts";
import { MAX_AUDIT_LIST, MAX_AUDIT_TEXT_LENGTH } from "../../../api/limits.ts";
import { roles } from "../../../api/roles.ts";
import { expectSuccess, refusal } from "../../../test/harness/answers.ts";
import { type AuditEntry, useAuditLog } from "../../../test/harness/audit-log.ts";
import type { Harness } from "../../../test/harness/harness.ts";
import { joinDefaultChannels } from "../../channels/defaults/join-default-channels.ts";
import { pruneAuditLog } from "../../organization/audit-log/prune.ts";
import { readAuditLog } from "../../organization/audit-log/read.ts";
import { recordAudit } from "../../organization/audit-log/record.ts";
import { regenerateApiKey } from "../../people/actions.ts";
import { createPerson } from "../../people/create-person.ts";
import { showApiKey } from "../../people/credentials.ts";
import { permitEmailChanges } from "../../people/update/permit-email-changes.ts";
import { changeState } from "../../people/viewer/change.ts";
import { sql } from "../../platform/db/sql.ts";
import { runContentChange, runStateChange } from "../../platform/log/change.ts";
import { createOrganization } from "../../website/setup/create-organization.ts";

const log = useAuditLog();
const { newestEntries, recorded, wholeTable } = log;
let harness: Harness;
beforeAll(() => {
  harness = log.harness;
});

const id = (name: Parameters<Harness["user"]>[0]) => harness.user(name).id;

describe("reading the audit log", () => {
  test("is for owners alone", async () => {
    for (const name of ["ben", "cleo", "dev", "gus", "echo"] as const) {
      expect(await refusal(harness.as(name).get("/realm/audit_log"))).toContain("owner");
    }
  });

  test("shows nothing of other organizations", async () => {
    await expectSuccess(harness.as("ada").patch("/realm", { description: "Ours" }));
    const ours = await newestEntries();
    expect(ours[0]).toMatchObject({ action: "organization_updated", target_type: "organization" });
    const theirs = await expectSuccess(harness.as("zed").get("/realm/audit_log", { limit: 100 }));
    const ids = new Set(ours.map((entry) => entry.id));
    expect(theirs.entries.filter((entry: AuditEntry) => ids.has(entry.id))).toEqual([]);
    expect(theirs.entries.length).toBeGreaterThan(0);
  });

  test("has who, when and by which client, but not from where", async () => {
    const before = Math.floor(Date.now() / 1000);
    await expectSuccess(
      harness.as("ben", { client: "ParleyPhone/2" }).patch("/realm", { description: "Who?" }),
    );
    const [entry] = await newestEntries({ limit: 1 });
    expect(entry).toEqual({
      id: expect.any(Number),
      at: expect.any(Number),
      actor_id: id("ben"),
      client: "parleyphone",
      action: "organization_updated",
      target_type: "organization",
      target_id: null,
      changes: { description: { old: expect.any(String), new: "Who?" } },
    });
    expect(entry.at).toBeGreaterThanOrEqual(before - 1);
    const { rows } = await readAuditLog(harness.state, {}, 1);
    expect(rows[0]?.network).toBe("127.0.0.1");
  });

  test("goes back page by page, to the oldest entry", async () => {
    for (const description of ["one", "two", "three"]) {
      await expectSuccess(harness.as("ada").patch("/realm", { description }));
    }
    const all = await newestEntries({ limit: 100 });
    const seen: number[] = [];
    for (let page: AuditEntry = { found_oldest: false }; !page.found_oldest; ) {
      page = await expectSuccess(
        harness.as("ada").get("/realm/audit_log", { limit: 2, before_id: seen.at(-1) }),
      );
      expect(page.entries.length).toBeLessThanOrEqual(2);
      seen.push(...page.entries.map((entry: AuditEntry) => entry.id));
    }
    expect(seen).toEqual(all.map((entry) => entry.id));
    expect(seen).toEqual([...seen].sort((a, b) => b - a));
  });

  test("takes a limit of 1 to 100", async () => {
    expect(await refusal(harness.as("ada").get("/realm/audit_log", { limit: 101 }))).toContain("limit");
    expect(await refusal(harness.as("ada").get("/realm/audit_log", { limit: 0 }))).toContain("limit");
  });

  test("can ask for an actor, an action or a thing", async () => {
    const channel = await harness.channel("asked for", ["dev"]);
    await expectSuccess(harness.as("ben").patch(`/streams/${channel.id}`, { description: "What for?" }));
    const of = async (parameters: Record<string, unknown>) =>
      (await newestEntries(parameters)).filter((entry) => entry.id > log.start).map((entry) => entry.action);
    const target = { target_type: "channel", target_id: channel.id };
    expect(await of(target)).toEqual(["channel_updated", "channel_created"]);
    expect(await of({ ...target, actor_id: id("ben") })).toEqual(["channel_updated"]);
    expect(await of({ action: "channel_created" })).toEqual(["channel_created"]);
    expect(await of({ target_type: "user", target_id: channel.id })).toEqual([]);
  });

  test("shows an email address only to owners who may see it", async () => {
    await runStateChange(harness.state, (tx) => permitEmailChanges(tx, harness.user("ben").user, true));
    await expectSuccess(harness.as("ben").patch(`/users/${id("dev")}`, { new_email: "dev.rao@demo.test" }));
    const emailChange = async () => (await recorded()).find(([, action]) => action === "user_email_changed");
    const changes = { email: { old: "dev@demo.test", new: "dev.rao@demo.test" } };
    expect(await emailChange()).toEqual([id("ben"), "user_email_changed", id("dev"), changes]);
    const showTo = (level: number) =>
      expectSuccess(harness.as("dev").patch("/settings", { email_address_visibility: level }));
    await showTo(NOBODY);
    expect(await emailChange()).toEqual([id("ben"), "user_email_changed", id("dev"), { email: {} }]);
    await showTo(ADMINISTRATORS);
    expect(await emailChange()).toEqual([id("ben"), "user_email_changed", id("dev"), changes]);
  });
});

describe("an entry and its change are one", () => {
  test("a change that fails after its entry leaves none", async () => {
    const failing = changeState(harness.user("ada").viewer, async (tx) => {
      await recordAudit(tx, { action: "organization_updated" });
      throw new Error("the disk is full");
    });
    await expect(failing).rejects.toThrow("the disk is full");
    expect(await recorded()).toEqual([]);
  });

  test("a call that is refused leaves none", async () => {
    const long = { new_name: "general", description: "x".repeat(2000) };
    const channel = await harness.channel("refused", ["dev"]);
    await refusal(harness.as("ada").patch(`/streams/${channel.id}`, long));
    await refusal(harness.as("dev").patch("/realm", { name: "Ours" }));
    await refusal(harness.as("ben").post(`/users/${id("ada")}/reactivate`));
    expect((await recorded()).map(([, action]) => action)).toEqual(["channel_created"]);
  });

  test("a change to what is there already leaves none", async () => {
    await expectSuccess(harness.as("ada").patch("/realm", { waiting_period_threshold: 0 }));
    const { id: mine } = harness.user("elin").user;
    await expectSuccess(harness.as("ada").post(`/users/${mine}/reactivate`));
    expect(await recorded()).toEqual([]);
  });

  test("it is there as soon as the call is answered, for a change of content too", async () => {
    await runContentChange(harness.state, (tx) => recordAudit(tx, { action: "organization_updated" }));
    expect(await recorded()).toEqual([[null, "organization_updated", null, {}]]);
  });
});

describe("the command line", () => {
  test("is nobody's account, in whose name it may act", async () => {
    const { viewer } = harness.user("ada");
    const { id: userId } = await createPerson(
      harness.services.keyring,
      { ...viewer, isOperator: true },
      { email: "made@demo.test", fullName: "Made Here", password: "a good start", role: roles.member },
      joinDefaultChannels,
    );
    expect(await recorded()).toEqual([[null, "user_created", userId, expect.anything()]]);
  });

  test("can't be pretended by a client's name", async () => {
    const as = harness.as("ben", { client: "internal" });
    await expectSuccess(as.patch("/realm", { description: "Not me" }));
    expect((await recorded()).map(([actor]) => actor)).toEqual([id("ben")]);
  });

  test("is recorded when it reads or replaces a key, or permits changes of addresses", async () => {
    const { user } = harness.user("cleo");
    const { keyring } = harness.services;
    const shown = await runContentChange(harness.state, (tx) => showApiKey(tx, keyring, user.id));
    expect(shown).toBe(harness.user("cleo").apiKey);
    const key = await runStateChange(harness.state, (tx) => regenerateApiKey(tx, keyring, user.id));
    await runStateChange(harness.state, (tx) => permitEmailChanges(tx, user, true));
    const permitted = { can_change_emails: { old: false, new: true } };
    expect(await recorded()).toEqual([
      [null, "api_key_shown", user.id, {}],
      [null, "api_key_regenerated", user.id, {}],
      [null, "user_email_permission_changed", user.id, permitted],
    ]);
    const table = await wholeTable();
    for (const secret of [shown, key, "a good start", "$argon2"]) expect(table).not.toContain(secret);
  });

  test("is recorded when it makes an organization", async () => {
    const { state, owner } = await createOrganization(harness.services, {
      name: "Third",
      host: "third.test",
      owner: { email: "tia@third.test", fullName: "Tia Third", password: "another start" },
    });
    const { rows } = await readAuditLog(state, {}, 10);
    expect(rows.map(({ actorId, action }) => [actorId, action])).toEqual([
      [null, "channel_created"],
      [null, "organization_created"],
    ]);
    expect(rows[1]?.changes).toEqual({
      name: { new: "Third" },
      host: { new: "third.test" },
      owner_id: { new: owner.user.id },
    });
    expect(await wholeTable()).not.toContain("another start");
    expect(await recorded()).toEqual([]);
  });

  test("deletes old entries and records that", async () => {
    await expectSuccess(harness.as("ada").patch("/realm", { description: "Old" }));
    await harness.services.database.query(sql`
      update audit_log set at = '2020-01-02T00:00:00Z' where id = (select max(id) from audit_log)`);
    const theirs = (await readAuditLog(harness.otherState, {}, 100)).rows.length;
    const before = new Date("2020-02-01T00:00:00Z");
    expect(await runContentChange(harness.state, (tx) => pruneAuditLog(tx, before))).toBe(1);
    const pruned = { before: { new: "2020-02-01T00:00:00.000Z" }, count: { old: 1 } };
    expect(await recorded()).toEqual([[null, "audit_log_pruned", null, pruned]]);
    expect((await readAuditLog(harness.otherState, {}, 100)).rows).toHaveLength(theirs);
  });
});

test("an entry has bounded texts and lists, however much was changed", async () => {
  const ids = Array.from({ length: 20_000 }, (_, index) => index);
  const text = "😀".repeat(5000);
  const value = { direct_members: ids, direct_subgroups: [] };
  await changeState(harness.user("ada").viewer, (tx) =>
    recordAudit(tx, {
      action: "organization_updated",
      changes: { ids: { new: ids }, text: { old: text }, value: { new: value } },
    }),
  );
  const changes = (await recorded())[0]?.[3];
  const first = ids.slice(0, MAX_AUDIT_LIST);
  expect(changes.ids).toEqual({ new: { count: 20_000, first } });
  expect(changes.value.new.direct_members).toEqual({ count: 20_000, first });
  expect(changes.text).toEqual({ old: `${"😀".repeat(MAX_AUDIT_TEXT_LENGTH)}…` });
});

test("every action says what it means, and names a kind of thing", () => {
  for (const [name, { target, description }] of Object.entries(auditActions)) {
    expect(name).toMatch(/^[a-z]+(_[a-z]+)+$/);
    expect(description, name).toMatch(/^[A-Z].*\.$/);
    expect(Object.keys(auditTargets), name).toContain(target);
  }
});

const NOBODY = 4;
const ADMINISTRATORS = 3;
