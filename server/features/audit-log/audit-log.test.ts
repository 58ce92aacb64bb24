import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { auditActions, auditTargets } from "../../../api/audit-log.ts";
import type { UserId } from "../../../api/ids.ts";
import { MAX_AUDIT_LIST, MAX_AUDIT_TEXT_LENGTH } from "../../../api/limits.ts";
import { roles } from "../../../api/roles.ts";
import { expectSuccess, refusal, sayIn } from "../../../test/harness/answers.ts";
import { createHarness, type Harness } from "../../../test/harness/harness.ts";
import { sql } from "../../platform/db/sql.ts";
import { runContentChange, runStateChange } from "../../platform/log/change.ts";
import { joinDefaultChannels } from "../channels/defaults/join-default-channels.ts";
import { groups } from "../groups/group.ts";
import { createOrganization } from "../setup/create-organization.ts";
import { createUser, deactivateUser, regenerateApiKey } from "../users/actions.ts";
import { changeState } from "../users/change.ts";
import { createPerson } from "../users/create-person.ts";
import { showApiKey } from "../users/credentials.ts";
import { permitEmailChanges } from "../users/update/permit-email-changes.ts";
import { pruneAuditLog } from "./prune.ts";
import { readAuditLog } from "./read.ts";
import { recordAudit } from "./record.ts";

let harness: Harness;
beforeAll(async () => {
  harness = await createHarness();
});
afterAll(() => harness.close());

/** The newest entry when a test begins. */
let start = 0;
beforeEach(async () => {
  start = (await newestEntries({ limit: 1 }))[0]?.id ?? 0;
});

// biome-ignore lint/suspicious/noExplicitAny: each answer is checked against its declaration first.
type Entry = any;

async function newestEntries(parameters: Record<string, unknown> = {}): Promise<Entry[]> {
  return (await expectSuccess(harness.as("ada").get("/realm/audit_log", parameters))).entries;
}

/** What the test has done so far, the oldest first: actor, action, target and changes. */
async function recorded() {
  const entries = (await newestEntries({ limit: 100 })).filter(({ id }) => id > start).reverse();
  return entries.map(({ actor_id, action, target_id, changes }) => [actor_id, action, target_id, changes]);
}

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
    expect(theirs.entries.filter((entry: Entry) => ids.has(entry.id))).toEqual([]);
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
    for (let page: Entry = { found_oldest: false }; !page.found_oldest; ) {
      page = await expectSuccess(
        harness.as("ada").get("/realm/audit_log", { limit: 2, before_id: seen.at(-1) }),
      );
      expect(page.entries.length).toBeLessThanOrEqual(2);
      seen.push(...page.entries.map((entry: Entry) => entry.id));
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
      (await newestEntries(parameters)).filter((entry) => entry.id > start).map((entry) => entry.action);
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

describe("an entry says what was changed", () => {
  test("in the organization: each setting, in one entry", async () => {
    const { id: moderators } = harness.state.get(groups).system("moderators");
    const { id: members } = harness.state.get(groups).system("members");
    await expectSuccess(
      harness.as("ada").patch("/realm", {
        name: "Renamed",
        waiting_period_threshold: 3,
        can_create_groups: { new: moderators },
      }),
    );
    const changes = {
      name: { old: "Demo", new: "Renamed" },
      waiting_period_threshold: { old: 0, new: 3 },
      can_create_groups: { old: members, new: moderators },
    };
    expect(await recorded()).toEqual([[id("ada"), "organization_updated", null, changes]]);
  });

  test("in accounts", async () => {
    const faye = { email: "faye@demo.test", full_name: "Faye Lind", password: "a good start" };
    const { user_id } = await expectSuccess(harness.as("ben").post("/users", faye));
    await expectSuccess(
      harness.as("ben").patch(`/users/${user_id}`, { role: roles.moderator, full_name: "Faye L." }),
    );
    await expectSuccess(harness.as("ben").post(`/users/${user_id}/status`, { status_text: "Away" }));
    await expectSuccess(harness.as("ben").delete(`/users/${user_id}`));
    await expectSuccess(harness.as("ben").post(`/users/${user_id}/reactivate`));
    const ben = id("ben");
    const created = { full_name: { new: "Faye Lind" }, email: { new: faye.email }, role: { new: 400 } };
    expect(await recorded()).toEqual([
      [ben, "user_created", user_id, created],
      [ben, "user_role_changed", user_id, { role: { old: 400, new: 300 } }],
      [ben, "user_renamed", user_id, { full_name: { old: "Faye Lind", new: "Faye L." } }],
      [ben, "user_status_changed", user_id, { status_text: { old: "", new: "Away" } }],
      [ben, "user_deactivated", user_id, {}],
      [ben, "user_reactivated", user_id, {}],
    ]);
  });

  test("in a person's own account only its end, with the bots that end with it", async () => {
    const owner = await addPerson("Leaving");
    const bot = await addPerson("Helper", { botType: 1, botOwnerId: owner.id });
    start = (await newestEntries({ limit: 1 }))[0].id;
    await runStateChange(harness.state, (tx) => deactivateUser(tx, owner));
    await expectSuccess(harness.as("elin").patch("/settings", { twenty_four_hour_time: true }));
    await expectSuccess(harness.as("elin").post("/users/me/status", { status_text: "Here" }));
    expect(await recorded()).toEqual([[null, "user_deactivated", owner.id, { bot_ids: { old: [bot.id] } }]]);
  });

  test("in channels", async () => {
    const { id: channel } = await expectSuccess(
      harness.as("ada").post("/channels/create", { name: "plans", subscribers: [id("ada"), id("dev")] }),
    );
    await expectSuccess(
      harness.as("ada").patch(`/streams/${channel}`, { new_name: "Plans", is_private: true }),
    );
    await expectSuccess(harness.as("ada").delete(`/streams/${channel}`));
    await expectSuccess(harness.as("ada").patch(`/streams/${channel}`, { is_archived: false }));
    const ada = id("ada");
    const changes = {
      name: { old: "plans", new: "Plans" },
      is_private: { old: false, new: true },
      history_public_to_subscribers: { old: true, new: false },
    };
    expect(await recorded()).toEqual([
      [ada, "channel_created", channel, expect.objectContaining({ name: { new: "plans" } })],
      [ada, "subscribers_added", channel, { user_ids: { new: [id("dev")] } }],
      [ada, "channel_updated", channel, changes],
      [ada, "channel_archived", channel, { is_archived: { old: false, new: true } }],
      [ada, "channel_unarchived", channel, { is_archived: { old: true, new: false } }],
    ]);
  });

  test("in default channels, their groups and folders", async () => {
    const channel = await harness.channel("for all", []);
    const more = await harness.channel("for some", []);
    start = (await newestEntries({ limit: 1 }))[0].id;
    const as = harness.as("ben");
    await expectSuccess(as.post("/default_streams", { stream_id: channel.id }));
    await expectSuccess(as.delete("/default_streams", { stream_id: channel.id }));
    await expectSuccess(
      as.post("/default_stream_groups/create", { group_name: "joiners", description: "", stream_names: [] }),
    );
    const made = (await recorded()).at(-1)?.[2];
    await expectSuccess(
      as.patch(`/default_stream_groups/${made}/streams`, { op: "add", stream_names: ["for some"] }),
    );
    await expectSuccess(as.delete(`/default_stream_groups/${made}`));
    const first = (await expectSuccess(as.post("/channel_folders/create", { name: "One" })))
      .channel_folder_id;
    const second = (await expectSuccess(as.post("/channel_folders/create", { name: "Two" })))
      .channel_folder_id;
    await expectSuccess(as.patch("/channel_folders", { order: [second, first] }));
    await expectSuccess(as.patch(`/channel_folders/${first}`, { is_archived: true }));
    const ben = id("ben");
    expect(await recorded()).toEqual([
      [ben, "channel_updated", channel.id, { is_default_stream: { old: false, new: true } }],
      [ben, "channel_updated", channel.id, { is_default_stream: { old: true, new: false } }],
      [ben, "default_channel_group_created", made, expect.objectContaining({ name: { new: "joiners" } })],
      [ben, "default_channel_group_updated", made, { stream_ids: { new: [more.id] } }],
      [
        ben,
        "default_channel_group_removed",
        made,
        expect.objectContaining({ stream_ids: { old: [more.id] } }),
      ],
      [ben, "channel_folder_created", first, { name: { new: "One" }, description: { new: "" } }],
      [ben, "channel_folder_created", second, { name: { new: "Two" }, description: { new: "" } }],
      [ben, "channel_folders_reordered", null, { order: { old: [first, second], new: [second, first] } }],
      [ben, "channel_folder_updated", first, { is_archived: { old: false, new: true } }],
    ]);
  });

  test("in subscriptions of others: one entry for a call, and none for one's own", async () => {
    const [one, two] = [await harness.channel("one", ["dev"]), await harness.channel("two", [])];
    start = (await newestEntries({ limit: 1 }))[0].id;
    const subscriptions = [{ name: "one" }, { name: "two" }];
    await expectSuccess(harness.as("elin").post("/users/me/subscriptions", { subscriptions }));
    await expectSuccess(
      harness
        .as("ada")
        .post("/users/me/subscriptions", { subscriptions, principals: [id("dev"), id("ada")] }),
    );
    await expectSuccess(
      harness
        .as("ada")
        .delete("/users/me/subscriptions", { subscriptions: ["one"], principals: [id("dev")] }),
    );
    await expectSuccess(harness.as("elin").delete("/users/me/subscriptions", { subscriptions: ["one"] }));
    expect(one.id).toBeLessThan(two.id);
    expect(await recorded()).toEqual([
      [id("ada"), "subscribers_added", two.id, { user_ids: { new: [id("dev")] } }],
      [id("ada"), "subscribers_removed", one.id, { user_ids: { old: [id("dev")] } }],
    ]);
  });

  test("in user groups, and who is in them by another's decision", async () => {
    const as = harness.as("ada");
    const { id: members } = harness.state.get(groups).system("members");
    const { group_id: group } = await expectSuccess(
      as.post("/user_groups/create", { name: "cooks", description: "", members: [id("dev")] }),
    );
    await expectSuccess(as.patch(`/user_groups/${group}`, { can_join_group: { new: members } }));
    await expectSuccess(harness.as("elin").post(`/user_groups/${group}/members`, { add: [id("elin")] }));
    await expectSuccess(as.post(`/user_groups/${group}/members`, { delete: [id("elin")] }));
    await expectSuccess(as.post(`/user_groups/${group}/deactivate`));
    await expectSuccess(as.patch(`/user_groups/${group}`, { deactivated: false }));
    const ada = id("ada");
    expect(await recorded()).toEqual([
      [ada, "group_created", group, expect.objectContaining({ members: { new: [id("dev")] } })],
      [ada, "group_updated", group, { can_join_group: { old: expect.anything(), new: members } }],
      [ada, "group_members_changed", group, { members: { old: [id("elin")] } }],
      [ada, "group_deactivated", group, {}],
      [ada, "group_reactivated", group, {}],
    ]);
  });

  test("in a group that its manager joins without a right to join", async () => {
    const { group_id: group } = await expectSuccess(
      harness.as("ben").post("/user_groups/create", { name: "safe", description: "", members: [] }),
    );
    await expectSuccess(harness.as("ben").post(`/user_groups/${group}/members`, { add: [id("ben")] }));
    const entries = await recorded();
    const changes = { members: { new: [id("ben")] } };
    expect(entries.at(-1)).toEqual([id("ben"), "group_members_changed", group, changes]);
  });

  test("in messages: who deleted another's, where and how many, and never the text", async () => {
    const channel = await harness.channel("kitchen", ["ada", "dev"]);
    start = (await newestEntries({ limit: 1 }))[0].id;
    const say = (name: "ada" | "dev", content: string) => sayIn(() => harness)(name, "kitchen", { content });
    const [own, others] = [await say("dev", "Secret sauce"), await say("dev", "Secret soup")];
    const kept = await say("ada", "Secret salad");
    await expectSuccess(harness.as("ada").delete(`/messages/${others}`));
    await expectSuccess(harness.as("ada").delete(`/messages/${kept}`));
    await expectSuccess(
      harness.as("ada").post(`/streams/${channel.id}/delete_topic`, { topic_name: "lunch" }),
    );
    const place = { sender_id: { old: id("dev") }, stream_id: { old: channel.id } };
    expect(await recorded()).toEqual([
      [id("ada"), "message_deleted", others, place],
      [id("ada"), "topic_deleted", channel.id, { message_ids: { old: [own] } }],
    ]);
    expect(await wholeTable()).not.toContain("Secret");
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

/** All entries of all organizations as text. */
async function wholeTable(): Promise<string> {
  const rows = await harness.services.database.query<{ text: string }>(
    sql`select audit_log::text as text from audit_log`,
  );
  return rows.map(({ text }) => text).join("\n");
}

function addPerson(name: string, bot: { botType?: number; botOwnerId?: UserId } = {}) {
  return runStateChange(harness.state, (tx) =>
    createUser(tx, harness.services.keyring, {
      email: `${name.toLowerCase()}@demo.test`,
      fullName: `${name} Person`,
      role: roles.member,
      passwordHash: null,
      ...bot,
    }),
  );
}
