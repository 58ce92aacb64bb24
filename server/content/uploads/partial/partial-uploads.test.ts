// Uploads in several requests, with the client library that programs use for them.
import { randomBytes } from "node:crypto";
import { readFile } from "node:fs/promises";
import type { AddressInfo } from "node:net";
import { Upload } from "tus-js-client";
import { describe, expect, test } from "vitest";
import { eventNames, followAll } from "../../../../test/harness/follow.ts";
import { HOST } from "../../../../test/harness/harness.ts";
import { usePartialUploads } from "../../../../test/harness/partial-uploads.ts";
import { RawClient } from "../../../../test/harness/raw-client.ts";
import { authorizationOf, load } from "../../../../test/harness/uploads.ts";
import { createServer } from "../../../app.ts";
import { sql } from "../../../platform/db/sql.ts";

const MIB = 2 ** 20;
const uploads = usePartialUploads();
const { partialFiles, pathOf, ask, create, append, offsetOf, send, attachments, headOf, cutOff } = uploads;

describe("the client library", () => {
  test.each([
    ["in one request", Number.POSITIVE_INFINITY],
    ["in several requests", 300_000],
  ])("sends a file %s, and its owner gets what a plain upload gives", async (_, chunkSize) => {
    const content = randomBytes(MIB);
    const followed = await followAll(uploads.harness, ["dev", "elin"], async () => {
      const { url, filename } = await send(content, { chunkSize, metadata: { filename: "menu.bin" } });
      expect(filename).toBe("menu.bin");
      expect(url).toMatch(/^\/user_uploads\/\d+\/.*\/menu\.bin$/);
      expect((await load(uploads.harness, "dev", url)).rawPayload.equals(content)).toBe(true);
      expect((await load(uploads.harness, "elin", url)).statusCode).toBe(403);
    });
    expect(eventNames(followed.dev)).toEqual(["attachment/add"]);
    expect(eventNames(followed.elin)).toEqual([]);
    expect((await attachments())[0]).toMatchObject({ name: "menu.bin", size: MIB });
    expect(await partialFiles()).toEqual([]);
  });

  test("goes on after it was stopped, also with another process of the server", async () => {
    const content = randomBytes(MIB);
    const options = { chunkSize: 200_000, metadata: { filename: "menu.bin" } };
    const before = (await attachments()).length;
    const uploadUrl = await new Promise<string>((resolve, reject) => {
      const upload: Upload = new Upload(content, {
        ...options,
        endpoint: `http://127.0.0.1:${uploads.port}/api/v1/tus`,
        headers: { Host: HOST, Authorization: authorizationOf(uploads.harness, "dev") },
        onChunkComplete: (_size, accepted) => {
          if (accepted === 400_000) upload.abort().then(() => resolve(String(upload.url)), reject);
        },
        onError: reject,
      });
      upload.start();
    });
    const restarted = await createServer(uploads.harness.services);
    await restarted.listen({ host: "127.0.0.1", port: 0 });
    const other = (restarted.server.address() as AddressInfo).port;
    const from: number[] = [];
    const { url } = await send(content, {
      ...options,
      uploadUrl: uploadUrl.replace(String(uploads.port), String(other)),
      onProgress: (sent) => from.push(sent),
    });
    await restarted.close();
    expect(from[0]).toBeGreaterThanOrEqual(400_000);
    expect((await load(uploads.harness, "dev", url)).rawPayload.equals(content)).toBe(true);
    expect((await attachments()).length).toBe(before + 1);
  });

  test("sends an empty file", async () => {
    const before = (await attachments()).length;
    const { url } = await send(Buffer.alloc(0), { metadata: { filename: "empty.txt" } });
    expect((await load(uploads.harness, "dev", url)).body).toBe("");
    expect((await attachments()).length).toBe(before + 1);
  });

  test("removes what it gives up", async () => {
    await new Promise<void>((resolve, reject) => {
      const upload: Upload = new Upload(randomBytes(MIB), {
        chunkSize: 200_000,
        endpoint: `http://127.0.0.1:${uploads.port}/api/v1/tus`,
        headers: { Host: HOST, Authorization: authorizationOf(uploads.harness, "dev") },
        onChunkComplete: () => upload.abort(true).then(resolve, reject),
        onError: reject,
      });
      upload.start();
    });
    await expect.poll(() => partialFiles()).toEqual([]);
    expect(await uploads.harness.services.database.query(sql`select from partial_uploads`)).toEqual([]);
  });

  test("learns that the file is too large before it sends any of it", async () => {
    await expect(send(Buffer.alloc(2 * MIB + 1), {})).rejects.toThrow(
      "larger than the allowed limit of 2 MiB",
    );
    expect(await partialFiles()).toEqual([]);
  });
});

test("what arrived before a client was cut off stays, and the rest follows", async () => {
  const url = await create(20);
  await cutOff(url, 0, 20, "The soup ");
  expect(await offsetOf(url)).toBe(9);
  const { status, headers, body } = await append(url, 9, "of the day.");
  expect([status, headers["upload-offset"]]).toEqual([200, "20"]);
  expect((await load(uploads.harness, "dev", JSON.parse(body).url)).body).toBe("The soup of the day.");
});

test("the last request can come again, and gives the same response and no second file", async () => {
  const url = await create(4);
  const before = (await attachments()).length;
  const first = await append(url, 0, "soup");
  expect([first.status, JSON.parse(first.body)]).toEqual([
    200,
    { result: "success", msg: "", url: expect.any(String), uri: expect.any(String), filename: "soup.txt" },
  ]);
  expect(await offsetOf(url)).toBe(4);
  const again = await append(url, 4, "");
  expect([again.status, again.body]).toEqual([200, first.body]);
  expect((await append(url, 0, "soup")).status).toBe(409);
  expect((await ask("DELETE", url)).status).toBe(404);
  expect((await attachments()).length).toBe(before + 1);
});

test("a file whose last step failed is finished by sending its last byte again", async () => {
  const { database } = uploads.harness.services;
  const url = await create(4);
  await database.query(sql`
    create function refuse() returns trigger language plpgsql as 'begin raise exception ''a fault''; end'`);
  await database.query(sql`create trigger refuse before insert on uploads execute function refuse()`);
  expect((await append(url, 0, "soup")).status).toBe(500);
  await database.query(sql`drop function refuse cascade`);
  expect(await offsetOf(url)).toBe(3);
  const { status, body } = await append(url, 3, "p");
  expect(status).toBe(200);
  expect((await load(uploads.harness, "dev", JSON.parse(body).url)).body).toBe("soup");
});

test("requests that begin where the file does not end are refused", async () => {
  const url = await create(10);
  expect((await append(url, 1, "soup")).status).toBe(409);
  expect((await append(url, 0, "soup")).headers["upload-offset"]).toBe("4");
  expect((await append(url, 0, "soup")).status).toBe(409);
  expect((await append(url, 5, "soup")).status).toBe(409);
  expect(await offsetOf(url)).toBe(4);
});

test("a request with more than is missing is refused, whether or not it says its length", async () => {
  const url = await create(10);
  expect((await append(url, 0, "eleven byte")).status).toBe(413);
  const client = new RawClient(uploads.port).send(
    `PATCH ${url} HTTP/1.1\r\nHost: ${HOST}\r\nAuthorization: ${authorizationOf(uploads.harness, "dev")}\r\n` +
      `Tus-Resumable: 1.0.0\r\nContent-Type: application/offset+octet-stream\r\nUpload-Offset: 0\r\n` +
      `Transfer-Encoding: chunked\r\n\r\nb\r\neleven byte\r\n0\r\n\r\n`,
  );
  await client.until(() => client.received !== "" || client.isClosed);
  expect(client.status).toBe(413);
  client.socket.destroy();
  expect(await offsetOf(url)).toBe(0);
});

test("one request at a time sends a file, and a dead one blocks others for half a minute", async () => {
  const url = await create(10);
  const { database } = uploads.harness.services;
  await database.query(
    sql`update partial_uploads set writer = 'another', writer_until = clock_timestamp() + interval '1 minute'`,
  );
  expect((await append(url, 0, "soup")).status).toBe(423);
  expect(await offsetOf(url)).toBe(0);
  await database.query(
    sql`update partial_uploads set writer_until = clock_timestamp() - interval '1 second'`,
  );
  expect((await append(url, 0, "soup")).status).toBe(204);
});

test("of two requests at the same time one sends the file", async () => {
  const url = await create(4);
  const before = (await attachments()).length;
  const answers = await Promise.all([append(url, 0, "soup"), append(url, 0, "soup")]);
  const [first, second] = answers.map(({ status }) => status).sort();
  expect(first).toBe(200);
  expect([409, 423]).toContain(second);
  expect((await attachments()).length).toBe(before + 1);
});

test("an upload that its owner removes meanwhile does not come back", async () => {
  const url = await create(100_000);
  const client = new RawClient(uploads.port).send(`${headOf(url, "dev", 100_000)}the beginning`);
  await expect.poll(() => readFile(pathOf(url))).toHaveLength(13);
  expect((await ask("DELETE", url)).status).toBe(204);
  const before = (await attachments()).length;
  client.send("x".repeat(100_000 - 13));
  await client.until(() => client.received !== "" || client.isClosed);
  expect(client.status).toBe(404);
  client.socket.destroy();
  expect((await attachments()).length).toBe(before);
  expect(await partialFiles()).toEqual([]);
});
