import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeEach, describe, expect, test } from "vitest";
import type { UserId } from "../../../api/ids.ts";
import { roles } from "../../../api/roles.ts";
import { expectSuccess, refusal, sayIn } from "../../../test/harness/answers.ts";
import { createHarness, type Harness } from "../../../test/harness/harness.ts";
import { runJobs } from "../../../test/harness/jobs.ts";
import { listen } from "../../../test/harness/listener.ts";
import { Node } from "../../../test/harness/node.ts";
import { load } from "../../../test/harness/uploads.ts";
import { liveThrough, tellingTexts, type WholePerson } from "../../../test/harness/whole-person.ts";
import { SearchFollower } from "../../messages/search/follower.ts";
import { users } from "../../people/user.ts";
import { Sql, sql } from "../../platform/db/sql.ts";
import { filesDirectory } from "../../platform/file-storage/open-storage.ts";
import { openMail } from "../../platform/mail/enqueue.ts";
import { countRowsOf } from "./store.ts";
import { deletionsOf } from "./tables.ts";

let harness: Harness;
let person: WholePerson;
let id: number;
beforeEach(async () => {
  await harness?.close();
  harness = await createHarness({ PARLEY_RATE_LIMITS: "off" });
  person = await liveThrough(harness, "dev");
  id = harness.user("dev").id;
}, 60_000);
afterAll(() => harness.close());

const erase = (params: Record<string, unknown> = {}) => harness.as("ada").post(`/users/${id}/erase`, params);
const message = async (messageId: number, name: "ada" | "ben" = "ada") =>
  (await harness.as(name).get(`/messages/${messageId}`, { apply_markdown: true })).body.message;
const neutral = () => `Deleted user ${id}`;

/** Where the database has one of the texts, as "TABLE: what". Rows are compared as text, bytes as hex. */
async function findTexts(texts: Readonly<Record<string, string>>): Promise<string[]> {
  const { database } = harness.services;
  const tables = await database.query<{ schema: string; name: string }>(sql`
    select table_schema as schema, table_name as name from information_schema.tables
    where table_schema not in ('pg_catalog', 'information_schema') and table_type = 'BASE TABLE' order by 1, 2`);
  const found: string[] = [];
  for (const { schema, name } of tables) {
    const all = Object.entries(texts).flatMap(([what, text]) => [
      { what, text },
      { what, text: Buffer.from(text).toString("hex") },
    ]);
    const rows = await database.query<{ what: string }>(
      new Sql(
        `select distinct t.what from unnest($1::text[], $2::text[]) as t (what, text)
         where exists (select from ${schema}.${name} r where position(lower(t.text) in lower(r::text)) > 0)`,
        [all.map(({ what }) => what), all.map(({ text }) => text)],
        undefined,
      ),
    );
    const table = name.startsWith("events_") ? "events" : name;
    found.push(...rows.map(({ what }) => `${table}: ${what}`));
  }
  return [...new Set(found)].sort();
}

const all = [...deletionsOf("now"), ...deletionsOf("later")];

/** The tables that still have rows of the person which the erasure deletes. */
async function tablesWithRows(): Promise<string[]> {
  const { services, state } = harness;
  const counts = await Promise.all(
    all.map((deletion) => countRowsOf(services.database, deletion, state.organizationId, id as UserId)),
  );
  return all.filter((_, index) => counts[index] !== 0).map(({ table }) => table);
}

/** The files in which one of the texts is, or whose name has it. */
async function findInFiles(texts: readonly string[]): Promise<string[]> {
  const directory = filesDirectory(harness.services.config);
  const names = await readdir(directory, { recursive: true, withFileTypes: true });
  const found: string[] = [];
  for (const file of names.filter((each) => each.isFile())) {
    const content = await readFile(join(file.parentPath, file.name));
    if (texts.some((text) => content.includes(text) || file.name.includes(text))) found.push(file.name);
  }
  return found;
}

async function indexed(): Promise<void> {
  const follower = new SearchFollower(harness.services, (error) => {
    throw error;
  });
  follower.start();
  const { database } = harness.services;
  const words = () =>
    database.query<{ word: string }>(sql`
    select word from search_vocabulary where word in ('quillon', 'zephyrby', 'orrin', 'vexley')`);
  try {
    await expect.poll(words, { timeout: 20_000 }).toEqual([]);
  } finally {
    await follower.stop();
  }
}

describe("the erasure of a person", () => {
  test("leaves none of their texts in the database and the files, but in the log of the last days", async () => {
    const { database } = harness.services;
    const before = await findTexts(tellingTexts);
    const tables = new Set(before.map((each) => each.split(":")[0]));
    for (const text of Object.keys(tellingTexts)) {
      // One is in a file, and the other is encrypted.
      if (text === "unsentFile" || text === "mail") continue;
      expect(
        before.filter((each) => each.endsWith(`: ${text}`)),
        text,
      ).not.toEqual([]);
    }
    expect(tables).toContain("audit_log");
    // Otherwise the walk has left out a table.
    expect((await tablesWithRows()).sort()).toEqual(all.map(({ table }) => table).sort());
    expect(await findInFiles([tellingTexts.unsentFile])).toHaveLength(2);

    await expectSuccess(erase());
    await runJobs(harness.services);
    await indexed();

    const after = await findTexts(tellingTexts);
    // What was asked for outside of the organization stays: it counts how many mails went out.
    const invited = ["organization_invitations: address", "organization_invitations: network"];
    expect(after.filter((each) => !each.startsWith("events: "))).toEqual(invited);
    expect(await findInFiles(Object.values(tellingTexts))).toEqual([]);
    expect(await tablesWithRows()).toEqual([]);
    expect((await load(harness, "ada", person.urls.unsent)).statusCode).toBe(404);
    expect((await load(harness, "ada", person.urls.picture)).statusCode).toBe(404);
    const mails = await database.query<{ encrypted: Buffer }>(sql`select encrypted from mails`);
    const to = mails.map(({ encrypted }) => openMail(harness.services.keyring, encrypted).to);
    expect(new Set(to)).toEqual(new Set([harness.user("ada").email]));
    const [row] = await database.query(sql`
      select encrypted, finished_at is not null as "isFinished" from erasures where user_id = ${id}`);
    expect(row).toEqual({ encrypted: null, isFinished: true });
  }, 60_000);

  test("keeps their messages under the neutral name, without what these said before", async () => {
    await expectSuccess(erase());
    await runJobs(harness.services);
    const edited = await message(person.own.edited);
    expect([edited.sender_full_name, edited.content]).toEqual([neutral(), "<p>Never mind</p>"]);
    const { body } = await harness.as("ada").get(`/messages/${person.own.edited}/history`);
    expect(JSON.stringify(body)).not.toContain(tellingTexts.earlierText);
    expect((await load(harness, "ada", person.urls.sent)).statusCode).toBe(200);
  });

  test("deletes their messages if asked to, with the files that only these link", async () => {
    const queue = await listen(harness.as("ada"), { event_types: ["delete_message"] });
    await expectSuccess(erase({ messages: "delete" }));
    await runJobs(harness.services);
    for (const messageId of Object.values(person.own))
      expect((await harness.as("ada").get(`/messages/${messageId}`)).status).toBe(400);
    expect((await load(harness, "ada", person.urls.sent)).statusCode).toBe(404);
    const deleted = (await queue.heard()).map(({ message_id }) => message_id);
    expect(deleted.sort()).toEqual(Object.values(person.own).sort());
    expect((await message(person.mentioning.plain)).content).toContain(neutral());
  });

  test.each(["keep", "delete"])(
    "with messages: %s, does so with what they added to others'",
    async (messages) => {
      const poll = await sayIn(() => harness)("ada", "apiary", { content: "/poll Which?\nhoney" });
      for (const [name, option] of [
        ["dev", "wax of Xanthippe"],
        ["ben", "pollen"],
      ] as const) {
        const content = JSON.stringify({ type: "new_option", idx: 1, option });
        const added = { message_id: poll, msg_type: "widget", content };
        await expectSuccess(harness.as(name).post("/submessage", added));
      }
      await expectSuccess(erase({ messages }));
      await runJobs(harness.services);
      const { submessages } = await message(poll);
      expect(submessages.map(({ sender_id }: { sender_id: number }) => sender_id)).toEqual([
        harness.user("ada").id,
        ...(messages === "keep" ? [id] : []),
        harness.user("ben").id,
      ]);
    },
  );

  test("puts the neutral name into mentions, and readers hear of it", async () => {
    const queue = await listen(harness.as("ben"), { event_types: ["update_message"] });
    await expectSuccess(erase());
    await runJobs(harness.services);
    const { plain, silent, code, edited } = person.mentioning;
    const shown = (messageId: number) => message(messageId, "ben").then(({ content }) => content);
    expect(await shown(plain)).toBe(
      `<p>Hello <span class="user-mention" data-user-id="${id}">@${neutral()}</span>!</p>`,
    );
    expect(await shown(silent)).toContain(
      `<span class="user-mention silent" data-user-id="${id}">${neutral()}</span>`,
    );
    expect(await shown(code)).toContain(`<code>@**${neutral()}|${id}**</code>`);
    const { body } = await harness.as("ben").get(`/messages/${plain}`, { apply_markdown: false });
    expect(body.message.content).toBe(`Hello @**${neutral()}|${id}**!`);
    const heard = await queue.heard();
    expect(heard.map(({ message_id }) => message_id).sort()).toEqual([plain, silent, code, edited].sort());
    expect(heard.every(({ rendering_only }) => rendering_only)).toBe(true);
  });

  test("puts it into profiles, reminders and scheduled messages of others, who hear of it", async () => {
    const event_types = ["realm_user", "reminders", "scheduled_messages"];
    const queue = await listen(harness.as("ben"), { event_types });
    await expectSuccess(erase());
    await runJobs(harness.services);
    const heard = JSON.stringify(await queue.heard());
    const text = `Learned from @**${neutral()}|${id}**`;
    const html = `<p>Learned from <span class="user-mention" data-user-id="${id}">@${neutral()}</span></p>`;
    const ben = harness.as("ben");
    const { body } = await ben.get("/scheduled_messages");
    expect(body.scheduled_messages).toEqual([
      expect.objectContaining({ content: text, rendered_content: html }),
    ]);
    expect(heard).toContain(JSON.stringify(body.scheduled_messages[0]));
    const { user } = (
      await ben.get(`/users/${harness.user("ben").id}`, { include_custom_profile_fields: true })
    ).body;
    const [value] = Object.values(user.profile_data);
    expect(value).toEqual({ value: text, rendered_value: html });
    expect(heard).toContain(JSON.stringify(html));
    const [reminder] = (await ben.get("/reminders")).body.reminders;
    expect(reminder.content).toContain(`by @_**${neutral()}|${id}**`);
    expect(reminder.content).toContain(`Ask @**${neutral()}|${id}**`);
    expect(heard).toContain(JSON.stringify(reminder));
    expect(heard).not.toContain(tellingTexts.name);
  });

  test("is announced like another name, address and picture", async () => {
    const queue = await listen(harness.as("ben"), { event_types: ["realm_user"] });
    await expectSuccess(erase());
    const people = (await queue.heard()).map(({ person: one }) => one);
    expect(people).toContainEqual({ user_id: id, is_active: false });
    expect(people).toContainEqual({ user_id: id, full_name: neutral() });
    expect(people).toContainEqual(expect.objectContaining({ user_id: id, avatar_source: "J" }));
    const { body } = await harness.as("ben").get(`/users/${id}`);
    expect(body.user).toMatchObject({ full_name: neutral(), is_active: false, timezone: "UTC" });
    expect(JSON.stringify(people.concat(body.user))).not.toContain("quillon");
  });

  test("frees the address for another account", async () => {
    await expectSuccess(erase());
    const again = { email: tellingTexts.address, full_name: "Somebody Else", password: "six calm harbors" };
    await expectSuccess(harness.as("ada").post("/users", again));
  });

  test("ends although the secret was reset meanwhile, when it is asked for again", async () => {
    const { database } = harness.services;
    await expectSuccess(erase({ messages: "delete" }));
    await database.query(
      sql`update erasures set encrypted = ${Buffer.from("of another secret, which is lost")}`,
    );
    await database.query(sql`delete from graphile_worker._private_jobs`);
    await expectSuccess(erase());
    await runJobs(harness.services);
    expect(await tablesWithRows()).toEqual([]);
    expect((await harness.as("ada").get(`/messages/${person.own.direct}`)).status).toBe(400);
    expect((await erase()).body.code).toBe("BAD_REQUEST");
    expect((await message(person.mentioning.plain)).content).toContain(neutral());
    const [row] = await database.query(sql`select encrypted from erasures where user_id = ${id}`);
    expect(row).toEqual({ encrypted: null });
  });

  test("can't be undone, and the account can't be changed", async () => {
    await expectSuccess(erase());
    await runJobs(harness.services);
    const sentence = "The account was erased. It can't be used or changed any more.";
    expect(await refusal(harness.as("ada").post(`/users/${id}/reactivate`))).toBe(sentence);
    expect(await refusal(harness.as("ada").patch(`/users/${id}`, { full_name: "Dev again" }))).toBe(sentence);
    expect(await refusal(erase())).toBe(sentence);
  });

  test("works for a deactivated person, and is in the audit log without a name", async () => {
    await expectSuccess(harness.as("ada").delete(`/users/${id}`));
    await expectSuccess(erase());
    const { body } = await harness.as("ada").get("/realm/audit_log", { action: "user_erased" });
    expect(body.entries).toEqual([
      expect.objectContaining({ actor_id: harness.user("ada").id, target_id: id, changes: {} }),
    ]);
  });

  test("leaves what entries about other things say besides the person's name", async () => {
    const { database } = harness.services;
    const named = "Hive of Quillon Zephyrby, not of Quillon Zephyrbyson";
    await expectSuccess(harness.as("ada").patch("/realm", { description: named }));
    await expectSuccess(erase());
    await runJobs(harness.services);
    const [row] = await database.query<{ changes: object }>(sql`
      select changes from audit_log where action = 'organization_updated' and changes ? 'description'`);
    expect(JSON.stringify(row?.changes)).toContain(`Hive of ${neutral()}, not of Quillon Zephyrbyson`);
  });

  test("finds names and addresses of long ago in others' entries, and leaves what is another's now", async () => {
    const { database } = harness.services;
    const ada = harness.as("ada");
    await expectSuccess(ada.patch(`/users/${id}`, { full_name: "Marlo Venn" }));
    await expectSuccess(ada.patch(`/users/${id}`, { full_name: tellingTexts.name }));
    await expectSuccess(ada.patch(`/users/${harness.user("cleo").id}`, { full_name: "Marlo Venn" }));
    await database.query(sql`delete from former_addresses`);
    const named = `${tellingTexts.formerName} <${tellingTexts.formerAddress}> and Marlo Venn`;
    await expectSuccess(ada.patch("/realm", { description: named }));
    await expectSuccess(erase());
    await runJobs(harness.services);
    const { body } = await ada.get("/realm/audit_log", { action: "organization_updated" });
    expect(JSON.stringify(body)).toContain(`${neutral()} <${neutral()}> and Marlo Venn`);
  });

  test("leaves the audit log alone for a person whose name is a word in everything", async () => {
    await expectSuccess(harness.as("ada").patch("/realm", { description: "Bees in the community" }));
    await expectSuccess(harness.as("ada").patch(`/users/${id}`, { full_name: "in" }));
    await expectSuccess(erase());
    await runJobs(harness.services);
    const { body } = await harness.as("ada").get("/realm/audit_log", { action: "organization_updated" });
    expect(JSON.stringify(body)).toContain("Bees in the community");
  });

  test("is for owners, never for bots, and never for the only owner", async () => {
    expect((await harness.as("ben").post(`/users/${id}/erase`)).status).toBe(400);
    const echo = harness.user("echo").id;
    expect(await refusal(harness.as("ada").post(`/users/${echo}/erase`))).toBe("No such user");
    const zed = harness.user("zed").id;
    expect(await refusal(harness.as("ada").post(`/users/${zed}/erase`))).toBe("No such user");
    const ada = await harness.as("ada").post(`/users/${harness.user("ada").id}/erase`);
    expect(ada.body.code).toBe("CANNOT_DEACTIVATE_LAST_USER");
    expect(harness.state.get(users).find(id)?.isErased).toBe(false);
  });

  test("reaches other nodes, and memory that is loaded afterwards is the same", async () => {
    const { config, database } = harness.services;
    await expectSuccess(harness.as("ada").patch(`/users/${id}`, { role: roles.moderator }));
    const node = await Node.start(config, database.connection, {
      organizationId: harness.state.organizationId,
    });
    try {
      await expectSuccess(erase());
      await node.state.catchUp();
      const [here, there] = [harness.state, node.state].map((state) => state.get(users).find(id));
      expect(here).toMatchObject({ isErased: true, fullName: neutral(), email: expect.any(String) });
      expect(there).toEqual(here);
    } finally {
      await node.stop();
    }
  });
});
