// Whose an unfinished upload is, how long it stays, and how many there may be.
import { readFile, rm, truncate } from "node:fs/promises";
import { describe, expect, test } from "vitest";
import { MAX_PARTIAL_UPLOADS } from "../../../../api/limits.ts";
import { expectSuccess } from "../../../../test/harness/answers.ts";
import { usePartialUploads } from "../../../../test/harness/partial-uploads.ts";
import { RawClient } from "../../../../test/harness/raw-client.ts";
import { load } from "../../../../test/harness/uploads.ts";
import { sql } from "../../../platform/db/sql.ts";

const MIB = 2 ** 20;
const uploads = usePartialUploads();
const { partialFiles, pathOf, ask, create, append, offsetOf, attachments, headOf, age, cleanUp } = uploads;

describe("an upload is its owner's alone", () => {
  test.each(["elin", "ada", "zed"] as const)("%s can't see, send or remove it", async (as) => {
    const url = await create(10);
    await append(url, 0, "soup");
    expect((await ask("HEAD", url, { as })).status).toBe(404);
    expect((await append(url, 4, "poison", { as })).status).toBe(404);
    expect((await ask("DELETE", url, { as })).status).toBe(404);
    expect(await offsetOf(url)).toBe(4);
  });

  test("nobody without an account reaches it", async () => {
    const headers = { authorization: "Basic bm9ib2R5OnNvdXA=" };
    const url = await create(10);
    expect((await ask("HEAD", url, { headers })).status).toBe(401);
    expect((await append(url, 0, "soup", { headers })).status).toBe(401);
    expect((await ask("POST", "/api/v1/tus", { headers: { ...headers, "upload-length": "4" } })).status).toBe(
      401,
    );
  });

  test.each(["gus", "echo"] as const)("%s can have one too", async (as) => {
    const { body } = await append(await create(4, { as }), 0, "soup", { as });
    expect((await load(uploads.harness, as, JSON.parse(body).url)).body).toBe("soup");
  });

  test("a person who is deactivated while the last bytes arrive gets no file", async () => {
    const url = await create(100_000, { as: "elin" });
    const client = new RawClient(uploads.port).send(headOf(url, "elin", 100_000));
    client.send("the beginning");
    await expect.poll(() => readFile(pathOf(url))).toHaveLength(13);
    await expectSuccess(uploads.harness.as("ada").delete(`/users/${uploads.harness.user("elin").id}`));
    client.send("x".repeat(100_000 - 13));
    await client.until(() => client.received !== "" || client.isClosed);
    expect(client.status).toBe(401);
    client.socket.destroy();
    await expectSuccess(
      uploads.harness.as("ada").post(`/users/${uploads.harness.user("elin").id}/reactivate`),
    );
    expect(await attachments("elin")).toEqual([]);
  });

  test("a person who is deactivated while bytes arrive need not be waited for", async () => {
    const url = await create(100_000, { as: "ben" });
    const client = new RawClient(uploads.port).send(`${headOf(url, "ben", 100_000)}the beginning`);
    await expect.poll(() => readFile(pathOf(url))).toHaveLength(13);
    await expectSuccess(uploads.harness.as("ada").delete(`/users/${uploads.harness.user("ben").id}`));
    await client.until(() => client.received !== "" || client.isClosed);
    expect(client.status).toBe(401);
    client.socket.destroy();
    await expectSuccess(
      uploads.harness.as("ada").post(`/users/${uploads.harness.user("ben").id}/reactivate`),
    );
  });

  test("its owner's deactivation ends it", async () => {
    const url = await create(10, { as: "cleo" });
    await append(url, 0, "soup", { as: "cleo" });
    await expectSuccess(uploads.harness.as("ada").delete(`/users/${uploads.harness.user("cleo").id}`));
    expect((await append(url, 4, "poison", { as: "cleo" })).status).toBe(401);
    await expectSuccess(
      uploads.harness.as("ada").post(`/users/${uploads.harness.user("cleo").id}/reactivate`),
    );
  });

  test.each(["..", "%2e%2e", "..%2f..%2fsecret", "a".repeat(32), `${"a".repeat(31)}%00`])(
    "the name %s leads nowhere",
    async (id) => {
      expect((await ask("HEAD", `/api/v1/tus/${id}`)).status).toBe(404);
      expect([404, 405]).toContain((await append(`/api/v1/tus/${id}`, 0, "soup")).status);
    },
  );
});

test("what is not finished in a day is gone, and the job deletes the file", async () => {
  const url = await create(10);
  await append(url, 0, "soup");
  await age(23);
  await cleanUp();
  expect(await offsetOf(url)).toBe(4);
  await age(2);
  expect((await append(url, 4, "soup")).status).toBe(404);
  expect(await partialFiles()).toHaveLength(1);
  await cleanUp();
  expect(await partialFiles()).toEqual([]);
  expect(await uploads.harness.services.database.query(sql`select from partial_uploads`)).toEqual([]);
});

test("a file that is lost ends its upload, so that the client begins again", async () => {
  const url = await create(10);
  await rm(pathOf(url));
  expect((await ask("HEAD", url)).status).toBe(404);
  expect((await append(url, 0, "soup")).status).toBe(404);
});

test("a file that is shorter after a power cut is continued where it ends", async () => {
  const url = await create(10);
  await append(url, 0, "soup");
  await truncate(pathOf(url), 2);
  expect(await offsetOf(url)).toBe(2);
  expect((await append(url, 4, "s")).status).toBe(409);
  expect((await append(url, 2, "up today")).status).toBe(200);
});

test("a person can have a few unfinished uploads, and finished ones do not count", async () => {
  const urls = [];
  for (let count = 0; count < MAX_PARTIAL_UPLOADS; count++) urls.push(await create(4));
  const refused = () => ask("POST", "/api/v1/tus", { headers: { "upload-length": "4" } });
  expect((await refused()).status).toBe(400);
  await create(4, { as: "ada" });
  await append(urls[0] as string, 0, "soup");
  expect((await refused()).status).toBe(201);
});

test("the organization's quota counts at the beginning and at the end", async () => {
  const { upload_space_used: used } = await expectSuccess(uploads.harness.as("dev").get("/attachments"));
  const quota = Math.ceil(used / MIB) + 1;
  const { database } = uploads.harness.services;
  const late = await create(MIB);
  const { organizationId } = uploads.harness.state;
  await expectSuccess(uploads.harness.as("ada").patch("/realm", { upload_quota_mib: quota }));
  const refused = await ask("POST", "/api/v1/tus", { headers: { "upload-length": String(2 * MIB) } });
  expect(JSON.parse(refused.body).code).toBe("REALM_UPLOAD_QUOTA");
  await database.query(
    sql`update upload_space set used = used + ${MIB} where organization_id = ${organizationId}`,
  );
  const atTheEnd = await append(late, 0, Buffer.alloc(MIB));
  expect(JSON.parse(atTheEnd.body).code).toBe("REALM_UPLOAD_QUOTA");
  await database.query(
    sql`update upload_space set used = used - ${MIB} where organization_id = ${organizationId}`,
  );
  expect((await append(late, MIB - 1, Buffer.alloc(1))).status).toBe(200);
  await expectSuccess(uploads.harness.as("ada").patch("/realm", { upload_quota_mib: "unlimited" }));
});
