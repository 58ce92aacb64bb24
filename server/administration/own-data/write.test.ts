import { readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { UNKNOWN_USER_NAME } from "../../../api/people/unknown-user.ts";
import { expectSuccess, sayIn } from "../../../test/harness/answers.ts";
import { type ReadArchive, readArchive } from "../../../test/harness/archive.ts";
import { type CastName, createHarness, type Harness } from "../../../test/harness/harness.ts";
import { liveThrough, tellingTexts, type WholePerson } from "../../../test/harness/whole-person.ts";
import { sql } from "../../platform/db/sql.ts";
import { ownRows } from "./tables.ts";
import { writeOwnData } from "./write.ts";

let harness: Harness;
let person: WholePerson;
let archive: ReadArchive;
const others: Record<string, number> = {};
const say = sayIn(() => harness);
const path = join(tmpdir(), `parley-own-data-${process.pid}.tar.gz`);
beforeAll(async () => {
  harness = await createHarness({ PARLEY_RATE_LIMITS: "off" });
  person = await liveThrough(harness, "dev");
  const vault = await harness.channel("vault", ["ada", "ben"], { isPrivate: true });
  const left = await harness.channel("left", ["ada", "dev"], { isPrivate: true });
  others.secret = await say("ada", vault.id, { content: "Not for Dev" });
  others.public = await say("ada", (await harness.channel("elsewhere", ["ada"])).id, { content: "Unheard" });
  others.lost = await say("dev", left.id, { content: "Said before leaving" });
  const ben = { type: "direct", to: [harness.user("ben").id], content: "Between two" };
  others.direct = (await expectSuccess(harness.as("ada").post("/messages", ben))).id;
  const leave = { subscriptions: ["left"] };
  await expectSuccess(harness.as("dev").delete("/users/me/subscriptions", leave));
  others.afterwards = await say("ada", left.id, { content: "Said after that" });
  archive = await exported();
});
afterAll(() => harness.close());

async function exported(name: CastName = "dev"): Promise<ReadArchive> {
  const { user } = harness.user(name);
  try {
    await writeOwnData(harness.state, path, { user, files: harness.services.files, withReceived: true });
    return await readArchive(await readFile(path));
  } finally {
    await rm(path, { force: true });
  }
}

const idsOf = (kind: string) => (archive.records[kind] ?? []).map(({ id }) => id as number);

describe("a copy of a person's own data", () => {
  test("has what the person keeps and shows", () => {
    const t = tellingTexts;
    const { records } = archive;
    expect(records.account).toEqual([
      expect.objectContaining({ full_name: t.name, email: t.address, timezone: "Asia/Kolkata" }),
    ]);
    expect(records.profile).toEqual([expect.objectContaining({ value: t.profile })]);
    expect(records.status).toEqual([expect.objectContaining({ status_text: t.status })]);
    expect(records.sessions).toEqual([expect.objectContaining({ device: t.agent, network: t.network })]);
    expect(records.identities).toEqual([expect.objectContaining({ subject: t.subject })]);
    expect(records.passkeys).toEqual([expect.objectContaining({ name: t.passkey })]);
    expect(records.drafts).toEqual([expect.objectContaining({ content: t.draft })]);
    expect(records.snippets).toEqual([expect.objectContaining({ title: t.snippet })]);
    expect(records.scheduled_messages).toEqual([expect.objectContaining({ content: t.scheduled })]);
    expect(records.reminders).toEqual([expect.objectContaining({ note: t.reminder })]);
    expect(records.alert_words).toEqual([{ word: t.alertWord }]);
    expect(records.muted_people).toEqual([
      expect.objectContaining({ muted_user_id: harness.user("elin").id }),
    ]);
    expect(records.reactions).toEqual([
      expect.objectContaining({ message_id: person.mentioning.plain, emoji_name: "thumbs_up" }),
    ]);
  });

  test("has the messages that the person sent or received and may read, and no others", () => {
    const own = Object.values(person.own);
    const all = [...own, others.lost as number];
    expect(idsOf("messages_sent")).toEqual(all.sort((one, other) => one - other));
    const lost = archive.records.messages_sent?.find(({ id }) => id === others.lost);
    expect(lost).toMatchObject({ content: "Said before leaving", is_readable: false });
    expect(lost).not.toHaveProperty("channel_name");
    const received = idsOf("messages_received");
    for (const id of [...own, ...Object.values(person.mentioning)]) expect(received).toContain(id);
    for (const [what, id] of Object.entries(others)) {
      expect([what, received.includes(id)]).toEqual([what, false]);
    }
    const starred = archive.records.messages_received?.find(({ id }) => id === person.mentioning.plain);
    expect(starred).toMatchObject({ sender_name: "Ada Osei", channel_name: "apiary", topic: "bees" });
    expect(starred.flags).toEqual([
      { user_id: harness.user("dev").id, flags: expect.arrayContaining(["starred", "mentioned"]) },
    ]);
  });

  test("has the person's files and picture", () => {
    const names = [...archive.files.keys()];
    expect(names).toContain("files/picture.png");
    const texts = [...archive.files].map(([, bytes]) => bytes.toString());
    expect(texts).toContain("Honey prices\n");
    expect(texts).toContain(tellingTexts.unsentFile);
  });

  test("has no secret", async () => {
    const { apiKey } = harness.user("dev");
    const [row] = await harness.services.database.query<{ hash: string }>(
      sql`select password_hash as hash from users where id = ${harness.user("dev").id}`,
    );
    for (const secret of [apiKey, row?.hash ?? "", Buffer.from("bytes of a credential").toString("hex")]) {
      expect(archive.text).not.toContain(secret);
    }
    const columns = ownRows.flatMap((own) => own.columns);
    expect(columns.filter((name) => /hash|encrypted|token|secret|password|key|counter/.test(name))).toEqual(
      [],
    );
  });

  test("says what it is, and that it is whole", () => {
    expect(archive.names[0]).toBe("parley-own-data/README.txt");
    expect(archive.text).toContain("This is what Demo keeps of Quillon Zephyrby");
    expect(archive.names.at(-1)).toBe("parley-own-data/complete.json");
    const counts = archive.records.complete?.[0].counts;
    expect(counts).toMatchObject({ messages_sent: 4, drafts: 1, files: 3 });
  });

  test("has no name of somebody of whom a guest may not know", async () => {
    await harness.channel("kitchen", ["elin", "gus"]);
    const id = await say("elin", "kitchen", { content: "Leek soup" });
    await expectSuccess(harness.as("elin").delete("/users/me/subscriptions", { subscriptions: ["kitchen"] }));
    const received = async () => (await exported("gus")).records.messages_received;
    expect(await received()).toContainEqual(expect.objectContaining({ id, sender_name: "Elin Berg" }));
    const { body } = await harness.as("ada").get("/user_groups");
    const members = body.user_groups.find(({ name }: { name: string }) => name === "role:members");
    await expectSuccess(
      harness.as("ada").patch("/realm", { can_access_all_users_group: { new: members.id } }),
    );
    expect(await received()).toContainEqual(
      expect.objectContaining({ id, content: "Leek soup", sender_name: UNKNOWN_USER_NAME }),
    );
  });

  test("is not made of somebody who was deactivated after it began", async () => {
    await expectSuccess(harness.as("ada").delete(`/users/${harness.user("cleo").id}`));
    await expect(exported("cleo")).rejects.toThrow("The account was deactivated or erased meanwhile.");
    await expect(readFile(path)).rejects.toThrow("ENOENT");
  });
});
