// The headers of the protocol for uploads in several requests.
import { describe, expect, test } from "vitest";
import { usePartialUploads } from "../../../../test/harness/partial-uploads.ts";
import { load } from "../../../../test/harness/uploads.ts";

const MIB = 2 ** 20;
const uploads = usePartialUploads();
const { partialFiles, ask, metadata, create, append, offsetOf } = uploads;

describe("the headers", () => {
  test.each([
    ["no length", {}, 400],
    ["a length that is told later", { "upload-defer-length": "1" }, 400],
    ["a negative length", { "upload-length": "-1" }, 400],
    ["a length that is no number", { "upload-length": "1e3" }, 400],
    ["two lengths", { "upload-length": "4, 5" }, 400],
    ["a length past all limits", { "upload-length": "9".repeat(15) }, 413],
    ["metadata that is no base64", { "upload-length": "4", "upload-metadata": "filename so%p" }, 400],
    ["metadata of three words", { "upload-length": "4", "upload-metadata": "filename c291 cA==" }, 400],
    ["very long metadata", { "upload-length": "4", "upload-metadata": `filename ${"a".repeat(9000)}` }, 400],
    ["another version", { "upload-length": "4", "tus-resumable": "0.2.2" }, 412],
  ])("%s is refused", async (_, headers, status) => {
    const answer = await ask("POST", "/api/v1/tus", { headers });
    expect(answer.status).toBe(status);
    expect(answer.headers["tus-resumable"]).toBe("1.0.0");
    expect(JSON.parse(answer.body).result).toBe("error");
    expect(await partialFiles()).toEqual([]);
  });

  test("a type that is not the protocol's is refused", async () => {
    const url = await create(4);
    const headers = { "content-type": "application/json" };
    expect((await append(url, 0, "soup", { headers })).status).toBe(415);
  });

  test("another method in a header counts nothing", async () => {
    const url = await create(4);
    const headers = { "x-http-method-override": "DELETE" };
    expect((await ask("POST", url, { headers })).status).toBe(405);
    expect(await offsetOf(url)).toBe(0);
  });

  test("they say what the server can, and how far an upload is", async () => {
    const described = await ask("OPTIONS", "/api/v1/tus");
    expect([described.status, described.headers]).toMatchObject([
      204,
      {
        "tus-resumable": "1.0.0",
        "tus-version": "1.0.0",
        "tus-extension": "creation,termination,expiration",
        "tus-max-size": String(2 * MIB),
      },
    ]);
    const { headers } = await ask("HEAD", await create(4, { name: "Suppe für alle.txt" }));
    expect(headers).toMatchObject({
      "upload-offset": "0",
      "upload-length": "4",
      "upload-metadata": metadata("Suppe für alle.txt"),
      "cache-control": "no-store",
    });
    const left = Date.parse(String(headers["upload-expires"])) - Date.now();
    expect(Math.round(left / 3600 / 1000)).toBe(24);
  });

  test.each([
    ["../../evil.txt", "evil.txt"],
    ["a\u202Etxt.exe", "atxt.exe"],
    ["a\r\nb.txt", "ab.txt"],
    [`${"x".repeat(1000)}.txt`, `${"x".repeat(196)}.txt`],
    ["", "uploaded-file"],
    ["\0", "uploaded-file"],
  ])("the name %j is stored as %j", async (given, expected) => {
    const { body } = await append(await create(4, { name: given }), 0, "soup");
    const { url, filename } = JSON.parse(body);
    expect(filename).toBe(expected);
    expect((await load(uploads.harness, "dev", url)).body).toBe("soup");
  });

  test("what is said of the type counts nothing", async () => {
    const type = Buffer.from("text/html").toString("base64");
    const given = `filename ${Buffer.from("a.html").toString("base64")},filetype ${type},type ${type}`;
    const made = await ask("POST", "/api/v1/tus", {
      headers: { "upload-length": "4", "upload-metadata": given },
    });
    const { body } = await append(String(made.headers.location), 0, "<b/>");
    const { headers } = await load(uploads.harness, "dev", JSON.parse(body).url);
    expect(headers["content-type"]).toBe("application/octet-stream");
    expect(headers["content-disposition"]).toContain("attachment");
  });
});
