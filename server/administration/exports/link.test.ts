import { buffer } from "node:stream/consumers";
import { beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { mailsTo } from "../../../test/harness/accounts.ts";
import { expectSuccess, refusal } from "../../../test/harness/answers.ts";
import { CAST_PASSWORD } from "../../../test/harness/cast.ts";
import { useExports } from "../../../test/harness/exports.ts";
import type { Harness } from "../../../test/harness/harness.ts";
import { listen } from "../../../test/harness/listener.ts";
import { makeProofsOld } from "../../../test/harness/proofs.ts";
import { addSession, browserOf } from "../../../test/harness/sessions.ts";
import { sql } from "../../platform/db/sql.ts";
import { cleanUpExports } from "./clean-up.ts";

const exporting = useExports();
const { begin, find, download, runJobs, fileKey } = exporting;
let harness: Harness;
beforeAll(() => {
  harness = exporting.harness;
});

describe("the link to a file", () => {
  let id: number;
  let link: string;
  beforeEach(async () => {
    id = await begin();
    await runJobs();
    link = (await find(id, "ben")).export_url;
  });

  test("works for a day, unchanged and in its own organization", async () => {
    expect((await download(link)).statusCode).toBe(200);
    const [path, signature] = [link.slice(0, -43), link.slice(-43)];
    const other = signature.startsWith("A") ? "B" : "A";
    for (const wrong of [
      `${path}${other}${signature.slice(1)}`,
      link.replace(`/exports/${id}-`, `/exports/${id + 1}-`),
      link.replace(`-${harness.user("ben").id}-`, `-${harness.user("ada").id}-`),
      "/exports/1",
      `/exports/${id}`,
    ]) {
      expect((await download(wrong)).statusCode, wrong).toBe(404);
    }
    expect((await download(link, "other.localhost")).statusCode).toBe(404);
    vi.setSystemTime(Date.now() + 25 * 3600 * 1000);
    try {
      expect((await download(link)).statusCode).toBe(404);
      expect((await download((await find(id)).export_url)).statusCode).toBe(200);
    } finally {
      vi.useRealTimers();
    }
  });

  test("of an API key needs no more than the key, so a mail says so for each download", async () => {
    const told = async () =>
      (await mailsTo(harness, "ben@demo.test")).filter(({ text }) => text.includes("export was downloaded"));
    const before = (await told()).length;
    const { cookie } = await addSession(harness, "ben");
    const asked = browserOf(harness, cookie).post(`/export/realm/${id}/link`);
    expect((await download((await expectSuccess(asked)).export_url)).statusCode).toBe(200);
    expect(await told()).toHaveLength(before);
    expect((await download(link)).statusCode).toBe(200);
    expect(await told()).toHaveLength(before + 1);
  });

  test("ends with the session that asked for it", async () => {
    const { cookie, id: sessionId } = await addSession(harness, "ben");
    const asked = browserOf(harness, cookie).post(`/export/realm/${id}/link`);
    const { export_url: ofSession } = await expectSuccess(asked);
    expect((await download(ofSession)).statusCode).toBe(200);
    await expectSuccess(harness.as("ben").delete(`/sessions/${sessionId}`));
    expect((await download(ofSession)).statusCode).toBe(404);
    expect((await download(link)).statusCode).toBe(200);
  });

  test("is in events of a queue of an API key alone, and ends with that key", async () => {
    const { cookie } = await addSession(harness, "ben");
    const queues = [
      await listen(browserOf(harness, cookie), { event_types: ["realm_export"] }),
      await listen(harness.as("ben"), { event_types: ["realm_export"] }),
    ];
    const other = await begin();
    await runJobs();
    const [inSession, byKey] = await Promise.all(
      queues.map(async (queue) => {
        const last = (await queue.heard()).at(-1);
        return last.exports.find((each: { id: number }) => each.id === other).export_url;
      }),
    );
    expect(inSession).toBeNull();
    expect((await download(byKey)).statusCode).toBe(200);
    await expectSuccess(harness.as("ben").post("/users/me/api_key/regenerate"));
    expect((await download(byKey)).statusCode).toBe(404);
  });

  test("is given in a session by a fresh proof alone", async () => {
    const browser = browserOf(harness, (await addSession(harness, "ben")).cookie);
    await makeProofsOld(harness);
    const { exports } = await expectSuccess(browser.get("/export/realm"));
    expect(exports.map(({ export_url }: { export_url: unknown }) => export_url)).not.toContainEqual(
      expect.any(String),
    );
    const ask = (shown = {}) => browser.post(`/export/realm/${id}/link`, shown);
    expect((await ask()).body.code).toBe("RECENT_PROOF_REQUIRED");
    const { export_url } = await expectSuccess(ask({ password: CAST_PASSWORD }));
    expect((await download(export_url)).statusCode).toBe(200);
    await expectSuccess(harness.as("ben", { byKeyAlone: true }).post(`/export/realm/${id}/link`));
    expect(await refusal(harness.as("ben").post("/export/realm/999999/link"))).toBe("Invalid data export ID");
  });

  test("ends with the API key that asked for it", async () => {
    expect((await download(link)).statusCode).toBe(200);
    await expectSuccess(harness.as("ben").post("/users/me/api_key/regenerate"));
    expect((await download(link)).statusCode).toBe(404);
    expect((await download((await find(id, "ben")).export_url)).statusCode).toBe(200);
  });

  test("ends with the role of its administrator", async () => {
    const role = (value: number) =>
      expectSuccess(harness.as("ada").patch(`/users/${harness.user("ben").id}`, { role: value }));
    await role(400);
    expect((await download(link)).statusCode).toBe(404);
    await role(200);
    expect((await download(link)).statusCode).toBe(200);
  });

  test("leaves an entry in the audit log when it is used", async () => {
    await download(link);
    const { entries } = await expectSuccess(harness.as("ada").get("/realm/audit_log", { limit: 2 }));
    expect(
      entries.map(({ action, actor_id, target_id }: Record<string, unknown>) => [
        action,
        actor_id,
        target_id,
      ]),
    ).toEqual([
      ["export_downloaded", harness.user("ben").id, id],
      ["export_created", harness.user("ada").id, id],
    ]);
  });

  test("ends when the export is deleted, and so does the file", async () => {
    const key = (await fileKey(id)) as string;
    const opened = await harness.services.files.open(key);
    expect((await buffer(opened?.stream as NodeJS.ReadableStream)).length).toBe(opened?.size);
    const ben = await listen(harness.as("ben"), { event_types: ["realm_export"] });
    await expectSuccess(harness.as("ada").delete(`/export/realm/${id}`));
    expect((await ben.heard()).map(({ exports }) => exports.at(-1))).toMatchObject([
      { id, export_url: null, pending: false, deleted_timestamp: expect.any(Number) },
    ]);
    expect(await harness.services.files.size(key)).toBeUndefined();
    expect(await fileKey(id)).toBeNull();
    expect((await download(link)).statusCode).toBe(404);
    expect(await refusal(harness.as("ada").delete(`/export/realm/${id}`))).toBe("Export already deleted");
  });

  test("of another organization can't be deleted", async () => {
    expect(await refusal(harness.as("zed").delete(`/export/realm/${id}`))).toBe("Invalid data export ID");
    expect(await refusal(harness.as("ada").delete("/export/realm/999999"))).toBe("Invalid data export ID");
    expect((await download(link)).statusCode).toBe(200);
  });
});

test("a file is deleted after a week, with an entry in the audit log", async () => {
  const id = await begin();
  expect(await refusal(harness.as("ada").delete(`/export/realm/${id}`))).toBe("Export still in progress");
  await runJobs();
  const key = (await fileKey(id)) as string;
  const cleanUp = async () => {
    const run = { signal: new AbortController().signal, dueAt: new Date() };
    await cleanUpExports.run(harness.services, {}, run);
    await runJobs();
  };
  await cleanUp();
  expect(await harness.services.files.size(key)).toBeGreaterThan(0);
  await harness.services.database.query(
    sql`update exports set ended_at = now() - interval '8 days' where id = ${id}`,
  );
  await cleanUp();
  expect(await harness.services.files.size(key)).toBeUndefined();
  expect(await find(id)).toMatchObject({ export_url: null, deleted_timestamp: expect.any(Number) });
  const { entries } = await expectSuccess(harness.as("ada").get("/realm/audit_log", { limit: 1 }));
  expect(entries).toMatchObject([{ action: "export_deleted", actor_id: null, target_id: id }]);
});
