import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { gunzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { RawJson } from "../std/raw-json.ts";
import { compressedBody, successBody, writeAnswer } from "./answer.ts";

test("a large response with raw JSON parts arrives whole, with the right Content-Length", async () => {
  const names = Array.from({ length: 20_000 }, (_, number) => `Zoë ${number}`);
  const many = new RawJson(JSON.stringify(names));
  const fields = {
    before: "é",
    many,
    few: new RawJson("[1,2]"),
    bytes: new RawJson(Buffer.from('["ï"]')),
    again: many,
    after: true,
    absent: undefined,
  };
  const body = successBody(fields, ["colour"]);
  const server = createServer((_request, response) =>
    writeAnswer(response, 200, body, { requestId: "1", rate: undefined, isLast: true }),
  );
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const response = await fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
  const text = await response.text();
  server.close();

  expect(text.endsWith("}\n")).toBe(true);
  expect(response.headers.get("content-length")).toBe(String(Buffer.byteLength(text)));
  expect(JSON.parse(text)).toEqual({
    result: "success",
    msg: "",
    before: "é",
    many: names,
    few: [1, 2],
    bytes: ["ï"],
    again: names,
    after: true,
    ignored_parameters_unsupported: ["colour"],
  });
});

test("a compressed body is the plain one, and what is not JSON already is stored in it as it is", async () => {
  const names = Array.from({ length: 20_000 }, (_, number) => `Zoë ${number}`);
  const fields = {
    before: "é".repeat(100_000),
    many: new RawJson(JSON.stringify(names)),
    key: "secret ".repeat(20),
    few: new RawJson("[1,2]"),
  };
  const packed = Buffer.concat((await compressedBody(fields, ["colour"])) as Buffer[]);
  const plain = successBody(fields, ["colour"]) as readonly Buffer[];
  expect(gunzipSync(packed).equals(Buffer.concat(plain))).toBe(true);
  expect(packed.includes(fields.key)).toBe(true);
  expect(packed.includes(names.slice(0, 20).join('","'))).toBe(false);
  expect(packed.length).toBeLessThan(Buffer.byteLength(fields.before) + 80_000);
});

test("a short body is not compressed", async () => {
  expect(await compressedBody({ few: new RawJson("[1,2]") }, undefined)).toBeUndefined();
});
