import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { expectSuccess, sayIn } from "../../../test/harness/answers.ts";
import { eventNames, followAll } from "../../../test/harness/follow.ts";
import { type CastName, createHarness, type Harness } from "../../../test/harness/harness.ts";
import { load, upload, uploaded } from "../../../test/harness/uploads.ts";
import { batcherOf } from "../../messages/send/send.ts";
import { sql } from "../../platform/db/sql.ts";

let harness: Harness;
beforeAll(async () => {
  harness = await createHarness();
  await harness.channel("general", ["ada", "ben", "cleo", "dev", "elin", "gus"]);
  await harness.channel("secret", ["ada", "dev"], { isPrivate: true });
});
afterAll(() => harness.close());

const say = sayIn(() => harness);
const attachments = async (name: CastName) =>
  (await expectSuccess(harness.as(name).get("/attachments"))).attachments;
const spaceUsed = async () =>
  (await expectSuccess(harness.as("ada").get("/attachments"))).upload_space_used as number;

async function stored(): Promise<string[]> {
  const root = harness.services.config.files as string;
  const all = await readdir(root, { recursive: true, withFileTypes: true }).catch(() => []);
  return all
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((path) => !path.includes(".temporary"));
}

describe("an upload", () => {
  test("is stored under an address that nobody can guess, and is its owner's alone at first", async () => {
    const used = await spaceUsed();
    const { body } = await upload(harness, "dev", { name: "f", fileName: "soup menu.txt", content: "Soup" });
    expect(body.url).toMatch(/^\/user_uploads\/\d+\/[0-9a-f]{2}\/[A-Za-z0-9_-]{24}\/soup-menu\.txt$/);
    expect(body).toMatchObject({ uri: body.url, filename: "soup menu.txt" });
    expect((await attachments("dev"))[0]).toEqual({
      id: expect.any(Number),
      name: "soup menu.txt",
      path_id: body.url.slice("/user_uploads/".length),
      size: 4,
      create_time: expect.any(Number),
      messages: [],
    });
    expect(await spaceUsed()).toBe(used + 4);
    expect((await load(harness, "dev", body.url)).body).toBe("Soup");
    expect((await load(harness, "ada", body.url)).statusCode).toBe(403);
    expect(await attachments("ada")).toEqual([]);
  });

  test.each(["gus", "echo"] as const)("can be made by %s too", async (name) => {
    const url = await uploaded(harness, name);
    expect((await load(harness, name, url)).statusCode).toBe(200);
  });

  test("needs a file, and one alone", async () => {
    const { status, body } = await upload(harness, "dev");
    expect([status, body.msg]).toEqual([400, "You must specify a file to upload"]);
    const file = { name: "f", fileName: "a.txt", content: "a" };
    expect((await upload(harness, "dev", file, { ...file, name: "g" })).status).toBe(400);
  });

  test("larger than the organization has room for is refused and leaves nothing", async () => {
    const before = (await stored()).length;
    const mib = Math.ceil((await spaceUsed()) / 2 ** 20);
    await expectSuccess(harness.as("ada").patch("/realm", { upload_quota_mib: mib }));
    const large = Buffer.alloc(2 ** 20 + 1);
    const { status, body } = await upload(harness, "dev", { name: "f", fileName: "a.bin", content: large });
    expect([status, body.code]).toEqual([400, "REALM_UPLOAD_QUOTA"]);
    await uploaded(harness, "dev", "small");
    await expectSuccess(harness.as("ada").patch("/realm", { upload_quota_mib: "unlimited" }));
    await uploaded(harness, "dev", large, "a.bin");
    expect((await stored()).length).toBe(before + 2);
  });

  test("that is more than its person's share of the hour is refused and leaves nothing", async () => {
    const before = (await stored()).length;
    const { user } = harness.user("elin");
    const { database } = harness.services;
    await database.query(sql`
      insert into quota_usage (organization_id, user_id, quota, used)
      values (${harness.state.organizationId}, ${user.id}, 'MiB of files', 19999)`);
    await uploaded(harness, "elin", "small");
    const { status, body } = await upload(harness, "elin", { name: "f", fileName: "a.txt", content: "a" });
    expect([status, body.code]).toEqual([429, "RATE_LIMIT_HIT"]);
    expect((await stored()).length).toBe(before + 1);
    await database.query(sql`delete from quota_usage where quota = 'MiB of files'`);
  });

  test("is deleted by its owner alone, with its file, and its links then lead nowhere", async () => {
    const url = await uploaded(harness, "dev");
    await say("dev", "general", { content: `[soup](${url})` });
    const [{ id }] = await attachments("dev");
    const files = (await stored()).length;
    for (const name of ["ada", "elin", "zed"] as const) {
      const { status, body } = await harness.as(name).delete(`/attachments/${id}`);
      expect([status, body.msg]).toEqual([400, "Invalid attachment"]);
    }
    const used = await spaceUsed();
    const heard = await followAll(harness, ["dev", "elin"], () =>
      expectSuccess(harness.as("dev").delete(`/attachments/${id}`)),
    );
    expect(heard.dev).toMatchObject([
      { type: "attachment", op: "remove", attachment: { id }, upload_space_used: used - 11 },
    ]);
    expect(eventNames(heard.elin)).toEqual([]);
    expect((await load(harness, "dev", url)).statusCode).toBe(404);
    expect((await load(harness, "elin", url)).statusCode).toBe(404);
    expect((await stored()).length).toBe(files - 1);
  });

  test("leaves no row if its file can't be stored, and the file of a failed upload is swept", async () => {
    vi.spyOn(harness.services.files, "put").mockRejectedValueOnce(new Error("the disk is full"));
    const count = (await attachments("elin")).length;
    expect((await upload(harness, "elin", { name: "f", fileName: "a.txt", content: "a" })).status).toBe(500);
    vi.restoreAllMocks();
    expect(await attachments("elin")).toHaveLength(count);
  });
});

describe("a message that links an upload", () => {
  test("opens it to those who can read the message, and its owner's clients learn of it", async () => {
    const url = await uploaded(harness, "dev");
    expect((await load(harness, "elin", url)).statusCode).toBe(403);
    let id = 0;
    const heard = await followAll(harness, ["dev", "elin"], async () => {
      id = await say("dev", "general", { content: `See [soup](${url}).` });
    });
    expect(eventNames(heard.dev)).toEqual(["message", "attachment/update"]);
    expect(heard.dev?.[1]).toMatchObject({
      attachment: { path_id: url.slice("/user_uploads/".length), messages: [{ id }] },
    });
    expect(eventNames(heard.elin)).toEqual(["message"]);
    expect((await load(harness, "elin", url)).body).toBe("Soup today\n");
    expect((await attachments("dev"))[0].messages).toEqual([{ id, date_sent: expect.any(Number) }]);
    const [found] = await attachments("dev");
    const event = heard.dev?.[1] as { attachment?: unknown } | undefined;
    expect(event?.attachment).toEqual(found);
  });

  test("counts only if its sender could read the file", async () => {
    const url = await uploaded(harness, "dev");
    await say("elin", "general", { content: `[mine](${url})` });
    expect((await load(harness, "elin", url)).statusCode).toBe(403);
    expect((await attachments("dev"))[0].messages).toEqual([]);
    await say("dev", "secret", { content: `[soup](${url})` });
    await say("ada", "general", { content: `[soup](${url})` });
    expect((await load(harness, "elin", url)).statusCode).toBe(200);
  });

  test("that is edited opens what its new text links, and names what no message links any more", async () => {
    const first = await uploaded(harness, "dev");
    const second = await uploaded(harness, "dev", "two", "two.txt");
    const id = await say("dev", "general", { content: `[one](${first})` });
    const { detached_uploads: none } = await expectSuccess(
      harness.as("dev").patch(`/messages/${id}`, { content: `[one](${first}) [two](${second})` }),
    );
    expect(none).toEqual([]);
    expect((await load(harness, "elin", second)).statusCode).toBe(200);
    const heard = await followAll(harness, ["dev"], async () => {
      const { detached_uploads } = await expectSuccess(
        harness.as("dev").patch(`/messages/${id}`, { content: `[two](${second})` }),
      );
      expect(detached_uploads).toMatchObject([{ path_id: first.slice("/user_uploads/".length) }]);
    });
    expect(eventNames(heard.dev)).toEqual(["update_message", "attachment/update"]);
    expect((await load(harness, "elin", first)).statusCode).toBe(403);
    expect((await load(harness, "elin", second)).statusCode).toBe(200);
  });

  test("that is deleted closes it again", async () => {
    const url = await uploaded(harness, "dev");
    const id = await say("dev", "general", { content: `[soup](${url})` });
    expect((await load(harness, "elin", url)).statusCode).toBe(200);
    const heard = await followAll(harness, ["dev", "elin"], () =>
      expectSuccess(harness.as("ada").delete(`/messages/${id}`)),
    );
    expect(eventNames(heard.dev)).toEqual(["attachment/update", "delete_message"]);
    expect(eventNames(heard.elin)).toEqual(["delete_message"]);
    expect((await load(harness, "elin", url)).statusCode).toBe(403);
    expect((await load(harness, "dev", url)).statusCode).toBe(200);
    expect((await attachments("dev"))[0].messages).toEqual([]);
  });

  test("that goes with its topic closes it again", async () => {
    const url = await uploaded(harness, "dev");
    const id = await say("dev", "general", { topic: "soup of last year", content: `[soup](${url})` });
    const { message } = await expectSuccess(harness.as("ada").get(`/messages/${id}`));
    const heard = await followAll(harness, ["dev"], () =>
      expectSuccess(
        harness
          .as("ada")
          .post(`/streams/${message.stream_id}/delete_topic`, { topic_name: "soup of last year" }),
      ),
    );
    expect(eventNames(heard.dev)).toEqual(["attachment/update", "delete_message"]);
    expect((await load(harness, "elin", url)).statusCode).toBe(403);
  });

  test("asks the database more than other messages do, and no other message does", async () => {
    const url = await uploaded(harness, "dev");
    await say("dev", "general", { content: "A first message, which everything is in memory for." });
    const asked = vi.spyOn(harness.services.database, "snapshot");
    const { counts } = batcherOf(harness.state);
    const before = counts.messages;
    await say("dev", "general", { content: "[soup](https://example.com/soup.txt)" });
    expect([asked.mock.calls.length, counts.messages]).toEqual([0, before + 1]);
    await say("dev", "general", { content: `[soup](${url})` });
    expect(asked.mock.calls.length).toBeGreaterThan(0);
    vi.restoreAllMocks();
  });

  test("keeps its links in the order of sending, also for several at the same time", async () => {
    const url = await uploaded(harness, "dev");
    const ids = await Promise.all(
      ["a", "b", "c", "d"].map((text) => say("dev", "general", { content: `${text} [soup](${url})` })),
    );
    const [{ messages }] = await attachments("dev");
    expect(messages.map(({ id }: { id: number }) => id)).toEqual(ids.sort((a, b) => a - b));
    const rows = await harness.services.database.query(
      sql`select from uploads where unlinked_since is null and path = ${url.slice("/user_uploads/".length)}`,
    );
    expect(rows).toHaveLength(1);
  });
});
