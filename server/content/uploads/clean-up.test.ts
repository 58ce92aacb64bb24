import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { expectSuccess, sayIn } from "../../../test/harness/answers.ts";
import { eventNames, followAll } from "../../../test/harness/follow.ts";
import { createHarness, type Harness } from "../../../test/harness/harness.ts";
import { runJobs } from "../../../test/harness/jobs.ts";
import { picture } from "../../../test/harness/pictures.ts";
import { load, upload, uploaded } from "../../../test/harness/uploads.ts";
import { channels } from "../../channels/channel.ts";
import { sql } from "../../platform/db/sql.ts";
import { cleanUpUploads } from "./clean-up.ts";

let harness: Harness;
beforeAll(async () => {
  harness = await createHarness({ PARLEY_RATE_LIMITS: "off" });
  await harness.channel("general", ["ada", "dev", "elin"]);
});
afterAll(() => harness.close());

const say = sayIn(() => harness);

async function stored(): Promise<string[]> {
  const root = harness.services.config.files as string;
  const all = await readdir(root, { recursive: true, withFileTypes: true }).catch(() => []);
  const files = all.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  return files.filter((path) => !path.includes(".temporary"));
}

async function cleanUp(): Promise<void> {
  const { services } = harness;
  await cleanUpUploads.run(services, {}, { signal: new AbortController().signal, dueAt: new Date() });
  await runJobs(services);
}

const age = (days: number) =>
  harness.services.database.query(sql`
    update uploads set unlinked_since = unlinked_since - make_interval(days => ${days})
    where unlinked_since is not null`);

test("a file that no message has linked for 35 days is deleted, with its small picture", async () => {
  const kept = await uploaded(harness, "dev", "kept", "kept.txt");
  await say("dev", "general", { content: `[kept](${kept})` });
  const before = (await stored()).length;
  const png = await picture("png", 900, 600);
  const gone = await uploaded(harness, "dev", png, "gone.png");
  await load(harness, "dev", `${gone.replace("uploads/", "uploads/thumbnail/")}/840x560.webp`);
  expect((await stored()).length).toBe(before + 2);
  await age(34);
  await cleanUp();
  expect((await load(harness, "dev", gone)).statusCode).toBe(200);
  await age(2);
  const heard = await followAll(harness, ["dev", "elin"], cleanUp);
  expect(eventNames(heard.dev)).toEqual(["attachment/remove"]);
  expect(eventNames(heard.elin)).toEqual([]);
  expect((await load(harness, "dev", gone)).statusCode).toBe(404);
  expect((await load(harness, "dev", kept)).body).toBe("kept");
  expect((await stored()).length).toBe(before);
  const { upload_space_used } = await expectSuccess(harness.as("dev").get("/attachments"));
  expect(upload_space_used).toBe(4);
});

test("a draft and a message that is scheduled for later keep the files of their writer", async () => {
  const to = harness.state.get(channels).findByName("general")?.id as number;
  const kept = await uploaded(harness, "dev", "scheduled", "scheduled.txt");
  const drafted = await uploaded(harness, "dev", "drafted", "drafted.txt");
  const others = await uploaded(harness, "elin", "others", "others.txt");
  const message = {
    type: "channel",
    to,
    topic: "lunch",
    content: `[kept](${kept}) [others](${others})`,
    scheduled_delivery_timestamp: Math.floor(Date.now() / 1000) + 40 * 24 * 3600,
  };
  const { scheduled_message_id } = await expectSuccess(
    harness.as("dev").post("/scheduled_messages", message),
  );
  const draft = { type: "channel", to: [to], topic: "lunch", content: `[kept](${drafted})` };
  const { ids } = await expectSuccess(harness.as("dev").post("/drafts", { drafts: [draft] }));
  const status = async (name: "dev" | "elin", url: string) => (await load(harness, name, url)).statusCode;
  await age(36);
  await cleanUp();
  expect([await status("dev", kept), await status("dev", drafted), await status("elin", others)]).toEqual([
    200, 200, 404,
  ]);
  await expectSuccess(harness.as("dev").delete(`/scheduled_messages/${scheduled_message_id}`));
  await expectSuccess(harness.as("dev").delete(`/drafts/${ids[0]}`));
  await cleanUp();
  expect([await status("dev", kept), await status("dev", drafted)]).toEqual([404, 404]);
});

test("the time counts from the end of the last link", async () => {
  const url = await uploaded(harness, "dev");
  const id = await say("dev", "general", { content: `[soup](${url})` });
  await harness.services.database.query(sql`update uploads set created_at = now() - interval '1 year'`);
  await expectSuccess(harness.as("dev").delete(`/messages/${id}`));
  await cleanUp();
  expect((await load(harness, "dev", url)).statusCode).toBe(200);
  await age(36);
  await cleanUp();
  expect((await load(harness, "dev", url)).statusCode).toBe(404);
});

test("the file of an upload that a crash ended is deleted after an hour", async () => {
  const { database } = harness.services;
  const before = (await stored()).length;
  // The commit fails, and so does the deletion that follows.
  await database.query(sql`
    create function refuse() returns trigger language plpgsql as 'begin raise exception ''a fault''; end'`);
  await database.query(sql`create trigger refuse before insert on uploads execute function refuse()`);
  vi.spyOn(harness.services.files, "delete").mockRejectedValueOnce(new Error("the disk is away"));
  expect((await upload(harness, "dev", { name: "f", fileName: "a.txt", content: "a" })).status).toBe(500);
  await database.query(sql`drop function refuse cascade`);
  vi.restoreAllMocks();
  await cleanUp();
  expect((await stored()).length).toBe(before + 1);
  await database.query(sql`update files_to_delete set due_at = due_at - interval '1 hour'`);
  await cleanUp();
  expect((await stored()).length).toBe(before);
  expect(await database.query(sql`select from files_to_delete`)).toEqual([]);
});

test("a file that can't be deleted at once is deleted later", async () => {
  await uploaded(harness, "dev", "one", "one.txt");
  const before = (await stored()).length;
  const { attachments } = await expectSuccess(harness.as("dev").get("/attachments"));
  vi.spyOn(harness.services.files, "delete").mockRejectedValueOnce(new Error("the disk is away"));
  await harness.as("dev").delete(`/attachments/${attachments[0].id}`);
  vi.restoreAllMocks();
  expect((await stored()).length).toBe(before);
  await cleanUp();
  expect((await stored()).length).toBe(before - 1);
});
