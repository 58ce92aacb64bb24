import { randomUUID } from "node:crypto";
import { readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { expectSuccess } from "../../../test/harness/answers.ts";
import { readArchive } from "../../../test/harness/archive.ts";
import { endExpiryGrace } from "../../../test/harness/expiry.ts";
import { createHarness, type Harness } from "../../../test/harness/harness.ts";
import { jobsOf } from "../../../test/harness/jobs.ts";
import { listen } from "../../../test/harness/listener.ts";
import { expireMessagesOf } from "../../messages/retention/expire.ts";
import { exportsOfModules } from "../../modules.ts";
import { deactivateOrganization } from "../../organization/deactivate.ts";
import { sql } from "../../platform/db/sql.ts";
import type { FileStorage } from "../../platform/file-storage/file-storage.ts";
import { runDueJobs } from "../../platform/jobs/run-due-jobs.ts";
import { runStateChange } from "../../platform/log/change.ts";
import type { Services } from "../../services.ts";
import { cleanUpExports } from "./clean-up.ts";
import { makeExport as makeExportOf } from "./make.ts";
import { writeExport } from "./write.ts";

const PUBLIC = 1;
const given = exportsOfModules();
const makeExport = makeExportOf(() => given);

let harness: Harness;
beforeAll(async () => {
  harness = await createHarness();
});
afterAll(() => harness.close());
beforeEach(() =>
  harness.services.database.query(
    sql`update exports set requested_at = '2020-01-01',
      status = case when status = 'pending' then 'failed' else status end`,
  ),
);

async function begin(): Promise<number> {
  return (await expectSuccess(harness.as("ben").post("/export/realm"))).id;
}

async function find(id: number) {
  const { exports } = await expectSuccess(harness.as("ada").get("/export/realm"));
  return exports.find((each: { id: number }) => each.id === id);
}

/** One run of the job, with other services or an interruption. */
function run(exportId: number, services = harness.services, signal = new AbortController().signal) {
  const { organizationId } = harness.state;
  return makeExport.run(services, { organizationId, exportId }, { signal, dueAt: new Date() });
}

/** The services with a storage that does one thing in another way. */
function withFiles(change: Partial<FileStorage>): Services {
  const { files } = harness.services;
  const bound: FileStorage = {
    mark: files.mark,
    expectMark: (mark) => files.expectMark(mark),
    prepare: () => files.prepare(),
    check: () => files.check(),
    temporaryPath: () => files.temporaryPath(),
    partialPath: (name) => files.partialPath(name),
    put: (key, source) => files.put(key, source),
    open: (key, range) => files.open(key, range),
    size: (key) => files.size(key),
    delete: (key) => files.delete(key),
    list: () => files.list(),
  };
  return { ...harness.services, files: { ...bound, ...change } };
}

/** Names of the stored files of exports, and of unfinished files. */
async function storedFiles(): Promise<{ stored: string[]; unfinished: string[] }> {
  const root = harness.services.config.files as string;
  const names = (path: string) => readdir(path).catch(() => []);
  return {
    stored: await names(join(root, String(harness.state.organizationId), "exports")),
    unfinished: await names(join(root, ".temporary")),
  };
}

describe("a message that moves while an export reads it", () => {
  /** Runs `then` after the places of the messages were read, and before their texts are. */
  async function exported(then: () => Promise<unknown>): Promise<{ id: number; channel_id: number }[]> {
    const { database } = harness.state;
    const transaction = database.transaction.bind(database) as (...args: unknown[]) => Promise<unknown>;
    let isMoved = false;
    const spy = vi.spyOn(database, "transaction").mockImplementation((async (...args: unknown[]) => {
      const result = await transaction(...args);
      if (!isMoved && typeof result === "object" && result !== null && "within" in result) {
        isMoved = true;
        await then();
      }
      return result;
    }) as typeof database.transaction);
    const path = join(tmpdir(), `parley-export-${randomUUID()}.tar.gz`);
    try {
      await writeExport(harness.state, path, {
        type: PUBLIC,
        reader: undefined,
        given,
        files: harness.services.files,
      });
      return (await readArchive(await readFile(path))).records.messages ?? [];
    } finally {
      spy.mockRestore();
      await rm(path, { force: true });
    }
  }

  test("is in it at its new place, if that is in it", async () => {
    const from = await harness.channel("kitchen", ["ada"]);
    const to = await harness.channel("garden", ["ada"]);
    const secret = await harness.channel("cellar", ["ada"], { isPrivate: true });
    const say = async () =>
      (
        await expectSuccess(
          harness
            .as("ada")
            .post("/messages", { type: "channel", to: from.id, topic: "lunch", content: "Soup." }),
        )
      ).id as number;
    const [moved, hidden, deleted, stays] = [await say(), await say(), await say(), await say()];
    const records = await exported(async () => {
      await expectSuccess(harness.as("ada").patch(`/messages/${moved}`, { stream_id: to.id }));
      await expectSuccess(harness.as("ada").patch(`/messages/${hidden}`, { stream_id: secret.id }));
      await expectSuccess(harness.as("ada").delete(`/messages/${deleted}`));
    });
    const found = records.filter(({ id }) => [moved, hidden, deleted, stays].includes(id));
    expect(found.map(({ id, channel_id }) => [id, channel_id])).toEqual([
      [moved, to.id],
      [stays, from.id],
    ]);
  });
});

describe("an export that may not be made any more", () => {
  test("fails when the one who asked for it is no administrator any more", async () => {
    const id = await begin();
    const role = (value: number) =>
      expectSuccess(harness.as("ada").patch(`/users/${harness.user("ben").id}`, { role: value }));
    await role(400);
    const ada = await listen(harness.as("ada"), { event_types: ["realm_export"] });
    await run(id);
    const failed = {
      id,
      pending: false,
      export_url: null,
      failed_timestamp: expect.any(Number),
      failure_reason: "The person who asked for it is no longer an administrator.",
    };
    expect((await ada.heard()).map(({ exports }) => exports.at(-1))).toMatchObject([failed]);
    expect(await find(id)).toMatchObject(failed);
    await role(200);
    const { body } = await harness.as("ada").delete(`/export/realm/${id}`);
    expect(body.msg).toBe("Export failed, nothing to delete");
  });

  test("fails when that is so only at its end, and leaves no file", async () => {
    const before = await storedFiles();
    const id = await begin();
    const services = withFiles({
      async put(key, source) {
        await harness.services.files.put(key, source);
        await harness.as("ada").patch(`/users/${harness.user("ben").id}`, { role: 400 });
      },
    });
    await run(id, services);
    expect(await find(id)).toMatchObject({ pending: false, failed_timestamp: expect.any(Number) });
    expect(await storedFiles()).toEqual(before);
    await harness.as("ada").patch(`/users/${harness.user("ben").id}`, { role: 200 });
  });
});

describe("a run that breaks off", () => {
  test("leaves the export pending when the node stops, and the next run makes it", async () => {
    const id = await begin();
    const stop = new AbortController();
    stop.abort(new Error("the node is stopping"));
    for (let times = 0; times < 10; times++) {
      await expect(run(id, harness.services, stop.signal)).rejects.toThrow("the node is stopping");
    }
    expect(await find(id)).toMatchObject({ pending: true });
    expect((await storedFiles()).unfinished).toEqual([]);
    await run(id);
    expect(await find(id)).toMatchObject({ pending: false, export_url: expect.any(String) });
  });

  test("ends and leaves nothing when another run took its place", async () => {
    const { stored } = await storedFiles();
    const id = await begin();
    const services = withFiles({
      async temporaryPath() {
        await run(id);
        return harness.services.files.temporaryPath();
      },
    });
    await run(id, services);
    const made = await find(id);
    expect(made).toMatchObject({ pending: false, progress: 100 });
    const after = await storedFiles();
    expect(after.stored).toHaveLength(stored.length + 1);
    expect(after.unfinished).toEqual([]);
    await run(id);
    expect(await storedFiles()).toEqual(after);
  });

  test("is not tried for ever when the server does not survive it", async () => {
    const id = await begin();
    await harness.services.database.query(sql`update exports set starts = 4 where id = ${id}`);
    await run(id);
    expect((await find(id)).failure_reason).toBe("The server stopped in the middle of it 4 times.");
  });

  test("fails with a reason when the disk is full, and the clean-up removes what it left", async () => {
    const { stored } = await storedFiles();
    const id = await begin();
    const services = withFiles({
      async put(key, source) {
        await harness.services.files.put(key, source);
        throw Object.assign(new Error("no space"), { code: "ENOSPC" });
      },
    });
    await run(id, services);
    expect((await find(id)).failure_reason).toBe("The server had no space left for its file.");
    expect((await storedFiles()).stored).toHaveLength(stored.length + 1);
    await cleanUp();
    expect((await storedFiles()).stored).toHaveLength(stored.length);
  });

  test("is given up when it has not reported for hours", async () => {
    const id = await begin();
    await cleanUp({ alone: true });
    expect(await find(id)).toMatchObject({ pending: true });
    await harness.services.database.query(
      sql`update exports set active_at = now() - interval '7 hours' where id = ${id}`,
    );
    await cleanUp({ alone: true });
    expect((await find(id)).failure_reason).toBe("The server stopped working on it.");
  });
});

/** `alone`: without the jobs that make exports. */
async function cleanUp({ alone = false } = {}): Promise<void> {
  const { services } = harness;
  await cleanUpExports.run(services, {}, { signal: new AbortController().signal, dueAt: new Date() });
  await runDueJobs(
    services,
    jobsOf(services).filter(({ name }) => !alone || name !== makeExport.name),
  );
}

describe("a long export", () => {
  const COUNT = 2500;
  let general: number;
  let path: string;
  beforeAll(async () => {
    general = (await harness.channel("long", ["ada", "dev"])).id;
    path = join(tmpdir(), `parley-export-${randomUUID()}`);
    const message = { type: "channel", to: general, topic: "tomes", content: "First." };
    const { id } = await expectSuccess(harness.as("ada").post("/messages", message));
    const { organizationId } = harness.state;
    // As sends do: the ids are the next positions of the log.
    await harness.services.database.query(sql`
      with log as (
        update organization_logs set head = head + ${COUNT} where organization_id = ${organizationId} returning head
      )
      insert into messages (organization_id, id, recipient_id, topic_id, sender_id, client, sent_at, facts,
        content, rendered_content)
      select m.organization_id, log.head - ${COUNT} + number, m.recipient_id, m.topic_id, m.sender_id, 'test',
        now(), 0, repeat('soup ', 1000), ''
      from log, messages m, generate_series(1, ${COUNT}) as number
      where m.organization_id = ${organizationId} and m.id = ${id}`);
    await harness.state.catchUp();
  });
  afterAll(() => rm(path, { force: true }));
  beforeEach(() => rm(path, { force: true }));

  const write = async (onProgress: (percent: number) => void | Promise<void>) => {
    const { messages } = await writeExport(harness.state, path, {
      type: PUBLIC,
      reader: undefined,
      given,
      files: harness.services.files,
      onProgress,
    });
    const read = await readArchive(await readFile(path));
    expect(read.records.messages).toHaveLength(messages);
    return read;
  };

  test("is cut into files, and has each message once in the order of the ids", async () => {
    const percents: number[] = [];
    const { names, records } = await write((percent) => void percents.push(percent));
    const files = names.filter((name) => name.startsWith("parley-export/messages/"));
    expect(files.slice(0, 3)).toEqual([
      "parley-export/messages/000001.jsonl",
      "parley-export/messages/000002.jsonl",
      "parley-export/messages/000003.jsonl",
    ]);
    const ids = (records.messages ?? []).map(({ id }) => id);
    expect(ids).toEqual([...new Set(ids)].sort((a, b) => a - b));
    expect(records.messages?.filter(({ content }) => content.startsWith("soup"))).toHaveLength(COUNT);
    expect(percents).toEqual([...percents].sort((a, b) => a - b));
    expect(percents.length).toBeGreaterThan(1);
  });

  test("has no message that was sent after its beginning", async () => {
    let sentId = 0;
    const { records } = await write(async () => {
      const message = { type: "channel", to: general, topic: "tomes", content: "Late." };
      sentId = (await expectSuccess(harness.as("ada").post("/messages", message))).id;
    });
    expect(sentId).toBeGreaterThan(0);
    expect(records.messages?.some(({ content }) => content === "Late.")).toBe(false);
  });

  test("has nothing of a channel from the moment at which that became private", async () => {
    const { records } = await write(async () => {
      await harness.as("ada").patch(`/streams/${general}`, { is_private: true });
    });
    const count = records.messages?.filter(({ content }) => content.startsWith("soup")).length;
    expect(count).toBeGreaterThan(0);
    expect(count).toBeLessThan(1001);
    await expectSuccess(harness.as("ada").patch(`/streams/${general}`, { is_private: false }));
  });

  test("leaves no file when it is stopped, and takes none that is there", async () => {
    const stopped = writeExport(harness.state, path, {
      type: PUBLIC,
      reader: undefined,
      given,
      files: harness.services.files,
      onProgress: () => {
        throw new Error("enough");
      },
    });
    await expect(stopped).rejects.toThrow("enough");
    await expect(readFile(path)).rejects.toThrow("ENOENT");
    await write(() => {});
    const before = await readFile(path);
    await expect(
      writeExport(harness.state, path, {
        type: PUBLIC,
        reader: undefined,
        given,
        files: harness.services.files,
      }),
    ).rejects.toThrow("EEXIST");
    expect((await readFile(path)).equals(before)).toBe(true);
  });

  test("has nothing of messages that expired before it came to them", async () => {
    await expectSuccess(harness.as("ada").patch(`/streams/${general}`, { message_retention_days: 7 }));
    await endExpiryGrace(harness);
    const { organizationId, database } = harness.state;
    await database.query(sql`
      update messages set sent_at = now() - interval '8 days'
      where organization_id = ${organizationId} and recipient_id = ${general}`);
    let hasExpired = false;
    const { records } = await write(async () => {
      if (hasExpired) return;
      hasExpired = true;
      await expireMessagesOf.run(
        harness.services,
        { organizationId },
        { signal: new AbortController().signal, dueAt: new Date() },
      );
    });
    const count = records.messages?.filter(({ content }) => content.startsWith("soup")).length;
    expect(count).toBeGreaterThan(0);
    expect(count).toBeLessThan(1001);
    expect(
      await database.query(
        sql`select from messages where organization_id = ${organizationId} and recipient_id = ${general}`,
      ),
    ).toEqual([]);
  });
});

// Last: nobody can sign in after it.
test("an export of an organization that was deactivated fails", async () => {
  const id = await begin();
  await runStateChange(harness.state, deactivateOrganization);
  await run(id);
  const [row] = await harness.services.database.query(
    sql`select status, failure_reason as reason from exports where id = ${id}`,
  );
  expect(row).toEqual({ status: "failed", reason: "The organization was deactivated." });
});
