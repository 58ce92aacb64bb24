import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { expectSuccess, sayIn } from "../../../test/harness/answers.ts";
import { createHarness, type Harness } from "../../../test/harness/harness.ts";
import { picture } from "../../../test/harness/pictures.ts";
import { uploaded } from "../../../test/harness/uploads.ts";
import { sql } from "../../platform/db/sql.ts";
import {
  measureChannels,
  measureDatabase,
  measureDirectory,
  measureFiles,
  measurePeople,
  measureTables,
  sum,
} from "./room.ts";

let harness: Harness;
beforeAll(async () => {
  harness = await createHarness({ PARLEY_RATE_LIMITS: "off" });
  await harness.channel("kitchen", ["ada", "dev"]);
  await harness.channel("garden", ["ada", "dev"]);
});
afterAll(() => harness.close());

const say = sayIn(() => harness);
const text = (bytes: number) => "x".repeat(bytes);

test("uploads are counted for their owner and for the channel that linked them first", async () => {
  const { services, state } = harness;
  const soup = await uploaded(harness, "dev", text(1000));
  const rice = await uploaded(harness, "dev", text(200));
  const tea = await uploaded(harness, "ada", text(50));
  await uploaded(harness, "ada", text(7));
  const link = (url: string) => ({ content: `[file](${url})` });
  await say("dev", "kitchen", link(soup));
  await say("dev", "garden", link(soup));
  await say("dev", "garden", link(rice));
  const direct = { type: "direct", to: JSON.stringify([harness.user("dev").id]), content: link(tea).content };
  await expectSuccess(harness.as("ada").post("/messages", direct));

  const [dev, ada] = [harness.user("dev").user.fullName, harness.user("ada").user.fullName];
  expect(await measurePeople(services, state)).toEqual([
    { name: dev, bytes: 1200, count: 2 },
    { name: ada, bytes: 57, count: 2 },
  ]);
  expect(await measureChannels(services, state)).toEqual([
    { name: "#kitchen", bytes: 1000, count: 1 },
    { name: "#garden", bytes: 200, count: 1 },
    { name: "direct messages", bytes: 50, count: 1 },
    { name: "no message", bytes: 7, count: 1 },
  ]);
});

test("files are counted where they lie, by organization and kind", async () => {
  const { files, config } = harness.services;
  await uploaded(harness, "zed", text(30));
  const png = await picture("png", 100, 100);
  await files.put(`${harness.state.organizationId}/emoji/${"a".repeat(32)}.png`, {
    bytes: png,
    contentType: "image/png",
  });
  const measured = await measureFiles(files);
  const own = measured.get(harness.state.organizationId);
  expect(own?.get("emoji")).toEqual({ bytes: png.length, count: 1 });
  expect(own?.get("uploads")).toEqual(sum(await measurePeople(harness.services, harness.state)));
  expect(measured.get(harness.otherState.organizationId)?.get("uploads")).toEqual({ bytes: 30, count: 1 });
  const all = sum([...measured.values()].flatMap((kinds) => [...kinds.values()]));
  const onDisk = await measureDirectory(config.files as string);
  const mark = await measureDirectory(path.join(config.files as string, ".parley-files"));
  expect(mark).toBeUndefined();
  // The mark is no file of anybody.
  expect(onDisk?.count).toBe(all.count + 1);
  const { organizationId } = harness.otherState;
  expect([...(await measureFiles(files, organizationId)).keys()]).toEqual([organizationId]);
});

test("beyond fifty people the others are one line", async () => {
  const { services, state } = harness;
  await services.database.query(sql`
    with made as (
      insert into users (organization_id, email, full_name, role)
      select ${state.organizationId}, 'many' || n || '@acme.test', 'Many ' || n, 400
      from generate_series(1, 60) n returning id)
    insert into uploads (organization_id, owner_id, path, storage_key, file_name, content_type, size)
    select ${state.organizationId}, id, 'p' || id, 'k' || id, 'a', 'text/plain', 1 from made`);
  const people = await measurePeople(services, state);
  expect(people).toHaveLength(51);
  expect(people.at(-1)).toEqual({ name: "the others", bytes: 12, count: 12 });
  expect(sum(people)).toEqual({ bytes: 1317, count: 64 });
});

test("each table has a size, and the days of the log are one of them", async () => {
  const tables = await measureTables(harness.services);
  const names = tables.map(({ name }) => name);
  expect(new Set(names).size).toBe(names.length);
  expect(names).toEqual(expect.arrayContaining(["messages", "events", "uploads"]));
  expect(names.filter((name) => name.startsWith("events_"))).toEqual([]);
  const [row] = await harness.services.database.query<{ bytes: number }>(
    sql`select pg_total_relation_size('messages')::float8 as bytes`,
  );
  expect(tables.find(({ name }) => name === "messages")?.bytes).toBe(row?.bytes);
  expect(await measureDatabase(harness.services)).toBeGreaterThan(
    sum(tables.map((table) => ({ ...table, count: 0 }))).bytes,
  );
});

test("a directory is counted with its folders, without what links lead to", async () => {
  const dir = mkdtempSync(path.join(tmpdir(), "parley-room-"));
  mkdirSync(path.join(dir, "a", "b"), { recursive: true });
  writeFileSync(path.join(dir, "one"), text(10));
  writeFileSync(path.join(dir, "a", "b", "two"), text(5));
  symlinkSync("/etc/passwd", path.join(dir, "link"));
  expect(await measureDirectory(dir)).toEqual({ bytes: 15, count: 2 });
  rmSync(dir, { recursive: true });
  expect(await measureDirectory(dir)).toBeUndefined();
});
