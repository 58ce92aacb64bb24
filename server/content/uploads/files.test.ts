// Names, types and pictures of uploads, and how browsers get them.

import { request } from "node:http";
import type { AddressInfo } from "node:net";
import sharp from "sharp";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { expectSuccess, sayIn } from "../../../test/harness/answers.ts";
import { createHarness, type Harness, HOST } from "../../../test/harness/harness.ts";
import { animation, picture } from "../../../test/harness/pictures.ts";
import { authorizationOf, load, upload, uploaded } from "../../../test/harness/uploads.ts";
import { sql } from "../../platform/db/sql.ts";
import { contentDisposition } from "./content-disposition.ts";
import { addressName } from "./path.ts";

let harness: Harness;
let png: Buffer;
beforeAll(async () => {
  harness = await createHarness({ PARLEY_RATE_LIMITS: "off", PARLEY_MAX_UPLOAD_MIB: "2" });
  png = await picture("png", 1000, 500);
  await harness.channel("general", ["ada", "dev", "elin"]);
  await harness.app.listen({ host: "127.0.0.1", port: 0 });
});
afterAll(() => harness.close());

const say = sayIn(() => harness);
const thumbnailOf = (url: string, format = "840x560.webp") =>
  url.replace("/user_uploads/", "/user_uploads/thumbnail/").concat(`/${format}`);
const renderedOf = async (content: string): Promise<string> => {
  const id = await say("dev", "general", { content });
  return (await expectSuccess(harness.as("elin").get(`/messages/${id}`, { apply_markdown: true }))).message
    .content;
};

/** Sends the address as it stands. Libraries resolve dots in it. */
function ask(path: string): Promise<{ status: number | undefined; body: string }> {
  const { port } = harness.app.server.address() as AddressInfo;
  const headers = { host: HOST, authorization: authorizationOf(harness, "dev") };
  return new Promise((resolve, reject) => {
    const sent = request({ port, path, headers, agent: false }, (response) => {
      let body = "";
      response.setEncoding("utf8").on("data", (text: string) => {
        body += text;
      });
      response.on("end", () => resolve({ status: response.statusCode, body }));
    });
    sent.on("error", reject).end();
  });
}

describe("the name of a file", () => {
  test.each([
    ["../../etc/passwd", "etcpasswd"],
    ["%2e%2e%2fetc", "2e2e2fetc"],
    ["soup menu (1).pdf", "soup-menu-1.pdf"],
    ["a\nb\r.txt", "a-b-.txt"],
    ["photo\u202Egnp.exe", "photognp.exe"],
    ["Suppe für Ömer.txt", "Suppe-fur-Omer.txt"],
    ["スープ.png", "file.png"],
    ["...", "file"],
    ["", "file"],
    [".png", "file.png"],
    ["a".repeat(1000), "a".repeat(100)],
    [`${"a".repeat(1000)}.txt`, `${"a".repeat(96)}.txt`],
  ])("%j gives the address %j", (given, address) => {
    expect(addressName(given)).toBe(address);
  });

  test.each([
    ['a"b\\c.txt', "inline; filename=\"a_b_c.txt\"; filename*=UTF-8''a%22b%5Cc.txt"],
    ["スープ.txt", "inline; filename=\"___.txt\"; filename*=UTF-8''%E3%82%B9%E3%83%BC%E3%83%97.txt"],
    ["it's (1)*.txt", "inline; filename=\"it's (1)*.txt\"; filename*=UTF-8''it%27s%20%281%29%2A.txt"],
    [
      "a\r\nSet-Cookie: b",
      "inline; filename=\"a__Set-Cookie: b\"; filename*=UTF-8''a%0D%0ASet-Cookie%3A%20b",
    ],
  ])("%j is sent as %j", (given, header) => {
    expect(contentDisposition("inline", given)).toBe(header);
  });

  test.each(["../../evil.txt", "a\u202Etxt.exe", `${"x".repeat(1000)}.txt`, "%2e%2e/%2e%2e/a.txt"])(
    "%j is stored and served, and leads nowhere else",
    async (fileName) => {
      const url = await uploaded(harness, "dev", "Soup", fileName);
      expect(url).toMatch(/^\/user_uploads\/\d+\/[0-9a-f]{2}\/[\w-]{24}\/[\w.-]{1,100}$/);
      expect((await load(harness, "dev", url)).body).toBe("Soup");
    },
  );

  test("is one text: no other path leads to the file", async () => {
    const url = await uploaded(harness, "dev", "Soup", "soup.txt");
    const folder = url.slice(0, url.lastIndexOf("/"));
    const wrong = [
      folder,
      `${folder}/`,
      `${folder}/other.txt`,
      `${folder}/./soup.txt`,
      `${folder}/x/../soup.txt`,
      `${folder}/x/%2e%2e/soup.txt`,
      `${folder}/%252e%252e/soup.txt`,
      `${folder}//soup.txt`,
      `${url}/`,
      `${url}%00`,
      "/user_uploads/1/../../../../../etc/passwd",
      "/user_uploads/1/%2e%2e/%2e%2e/%2e%2e/etc/passwd",
      "/user_uploads/1/..%2f..%2f..%2fetc%2fpasswd",
    ];
    for (const address of wrong) {
      const { status, body } = await ask(address);
      const seen = [status, body.includes("Soup"), body.includes("root:")];
      expect(seen, address).toEqual([404, false, false]);
    }
    expect((await ask(url)).body).toBe("Soup");
    // Characters that need no encoding may be encoded.
    expect((await load(harness, "dev", url.replace("soup", "%73oup"))).body).toBe("Soup");
  });
});

test("a file whose bytes are gone is 404, and the log has an error with the numbers of its row alone", async () => {
  const error = vi.spyOn(harness.services.log, "error");
  // The routes count for a minute. What nobody may see, or is not there at all, is not missing.
  expect((await load(harness, "dev", "/user_uploads/1/ab/nothing/soup.txt")).statusCode).toBe(404);
  expect(error).not.toHaveBeenCalled();
  const url = await uploaded(harness, "dev", "Gone", "gone-soup.txt");
  const [row] = await harness.services.database.query<{ id: number; key: string }>(
    sql`select id, storage_key as key from uploads where path = ${url.replace("/user_uploads/", "")}`,
  );
  await harness.services.files.delete(row?.key ?? "");
  for (const method of ["GET", "HEAD", "GET"] as const)
    expect((await load(harness, "dev", url, { method })).statusCode).toBe(404);
  expect(error.mock.calls).toEqual([
    [
      { organizationId: harness.state.organizationId, fileId: row?.id, requests: 1 },
      "A file that the database names is missing. Restore it from a backup.",
    ],
  ]);
  error.mockRestore();
});

describe("a browser", () => {
  const html = "<!doctype html><script>alert(1)</script>";
  const svg = '<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>';
  const shown: [string, Buffer | string | (() => Buffer), string][] = [
    ["a.png", () => png, "image/png"],
    ["a.PNG", () => png, "image/png"],
    ["a.jpg", () => png, "image/png"],
    ["a.txt", "Soup", "text/plain; charset=utf-8"],
    ["a.txt", html, "text/plain; charset=utf-8"],
    ["a.pdf", "%PDF-1.7", "application/pdf"],
    ["a.mp3", "ID3\x04", "audio/mpeg"],
    ["a.mp4", Buffer.from("\0\0\0\x18ftypmp42", "latin1"), "video/mp4"],
    ["a.webm", Buffer.from("\x1aE\xdf\xa3", "latin1"), "video/webm"],
    ["a.ogg", "OggS", "audio/ogg"],
    ["a.flac", "fLaC", "audio/flac"],
    ["a.wav", "RIFF\0\0\0\0WAVE", "audio/wav"],
  ];
  test.each(shown)("shows %s", async (name, content, type) => {
    const { headers } = await load(harness, "dev", await uploaded(harness, "dev", bytesOf(content), name));
    expect(headers["content-type"]).toBe(type);
    expect(headers["content-disposition"]).toMatch(/^inline; /);
    expectGuarded(headers);
  });

  const downloaded: [string, Buffer | string | (() => Buffer)][] = [
    ["a.html", html],
    ["a.svg", svg],
    ["a.xml", svg],
    ["a.js", "alert(1)"],
    ["a.html", () => png],
    ["a.svg", () => png],
    ["a.png", html],
    ["a.png", svg],
    ["a.pdf", html],
    ["a.mp4", html],
    ["a.txt", Buffer.from([1, 0, 2])],
    ["a.constructor", "x"],
    ["a", html],
  ];
  test.each(downloaded)("downloads %s that is what it is", async (name, content) => {
    const { headers } = await load(harness, "dev", await uploaded(harness, "dev", bytesOf(content), name));
    expect(headers["content-type"]).toBe("application/octet-stream");
    expect(headers["content-disposition"]).toMatch(/^attachment; /);
    expectGuarded(headers);
  });

  test("takes no word for the type from who sent the file, and downloads what is asked for so", async () => {
    const file = { name: "f", fileName: "a.bin", contentType: "text/html", content: html };
    const { body } = await upload(harness, "dev", file);
    expect((await load(harness, "dev", body.url)).headers["content-type"]).toBe("application/octet-stream");
    const url = await uploaded(harness, "dev", png, "a.png");
    const { headers } = await load(harness, "dev", url.replace("uploads/", "uploads/download/"));
    expect(headers["content-disposition"]).toMatch(/^attachment; filename="a.png"/);
    expectGuarded(headers);
  });

  function bytesOf(content: Buffer | string | (() => Buffer)): Buffer | string {
    return typeof content === "function" ? content() : content;
  }

  function expectGuarded(headers: Record<string, unknown>): void {
    expect(headers["x-content-type-options"]).toBe("nosniff");
    expect(headers["content-security-policy"]).toMatch(/^sandbox; default-src 'none'; /);
    expect(headers["content-security-policy"]).not.toContain("script");
    expect(headers["cross-origin-resource-policy"]).toBe("same-origin");
    expect(headers["cache-control"]).toMatch(/^private, .*immutable$/);
  }
});

describe("a picture", () => {
  test.each(["png", "jpeg", "webp", "gif", "avif"] as const)("as %s is shown small", async (format) => {
    const url = await uploaded(harness, "dev", await picture(format, 1000, 500), `a.${format}`);
    const html = await renderedOf(`[soup](${url})`);
    const source = format === "jpeg" ? "image/jpeg" : `image/${format}`;
    expect(html).toContain(`data-original-content-type="${source}" data-original-dimensions="1000x500"`);
    expect(html).toContain(`src="${thumbnailOf(url)}"`);
    const { statusCode, rawPayload, headers } = await load(harness, "elin", thumbnailOf(url));
    expect([statusCode, headers["content-type"]]).toEqual([200, "image/webp"]);
    expect(await sharp(rawPayload).metadata()).toMatchObject({ format: "webp", width: 840, height: 420 });
    expect((await load(harness, "elin", thumbnailOf(url, "840x560-anim.webp"))).statusCode).toBe(404);
    expect((await load(harness, "elin", thumbnailOf(url, "9999x9999.webp"))).statusCode).toBe(404);
  });

  test("counts by its pixels for the share of the hour", async () => {
    // A development server counts nothing.
    const counting = await createHarness({
      PARLEY_ENV: "production",
      PARLEY_SECRET: "a secret for the tests",
    });
    const used = async () => {
      const [row] = await counting.services.database.query<{ used: number }>(sql`
        select used from quota_usage where user_id = ${counting.user("gus").id} and quota = 'MiB of files'`);
      return row?.used ?? 0;
    };
    try {
      await uploaded(counting, "gus", await picture("avif", 1600, 1000), "a.avif");
      expect(await used()).toBe(4);
      await uploaded(counting, "gus", await picture("png", 1600, 1000), "a.png");
      expect(await used()).toBe(5);
    } finally {
      await counting.close();
    }
  });

  test("that moves has a still and a moving small picture", async () => {
    const url = await uploaded(harness, "dev", await animation("gif", 300, 200, 3), "a.gif");
    expect(await renderedOf(`[soup](${url})`)).toContain('data-animated="true"');
    const still = await load(harness, "elin", thumbnailOf(url));
    expect((await sharp(still.rawPayload).metadata()).pages ?? 1).toBe(1);
    const moving = await load(harness, "elin", thumbnailOf(url, "840x560-anim.webp"));
    expect(await sharp(moving.rawPayload).metadata()).toMatchObject({ width: 300, pages: 3 });
  });

  test("has no metadata as a small one, and keeps its bytes as a file", async () => {
    const exif = {
      IFD0: { Copyright: "the cook" },
      IFD3: { GPSLatitudeRef: "N", GPSLatitude: "51/1 30/1 0/1" },
    };
    const photo = await sharp(png).jpeg().withExif(exif).toBuffer();
    expect((await sharp(photo).metadata()).exif).toBeDefined();
    const url = await uploaded(harness, "dev", photo, "photo.jpg");
    const small = await sharp((await load(harness, "dev", thumbnailOf(url))).rawPayload).metadata();
    expect([small.exif, small.xmp, small.iptc]).toEqual([undefined, undefined, undefined]);
    expect((await load(harness, "dev", url)).rawPayload.equals(photo)).toBe(true);
  });

  test("is made small once, however many ask at the same time", async () => {
    const url = await uploaded(harness, "dev", await picture("png", 900, 900), "a.png");
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => load(harness, "dev", thumbnailOf(url))),
    );
    expect(new Set(answers.map(({ statusCode }) => statusCode))).toEqual(new Set([200]));
    expect(new Set(answers.map(({ rawPayload }) => rawPayload.toString("base64"))).size).toBe(1);
  });

  test.each([
    ["torn", () => png.subarray(0, 2000)],
    ["text behind the first bytes", () => Buffer.concat([png.subarray(0, 8), Buffer.from("<script>")])],
    ["one with very many pixels", () => bomb()],
  ])("that is %s is a file without a small picture", async (_, content) => {
    const url = await uploaded(harness, "dev", content(), "a.png");
    expect((await load(harness, "dev", thumbnailOf(url))).statusCode).toBe(404);
    expect((await load(harness, "dev", thumbnailOf(url))).statusCode).toBe(404);
    expect((await load(harness, "dev", url)).statusCode).toBe(200);
  });

  test("that its sender can't read is not shown, nor a film; and one of no upload neither", async () => {
    const url = await uploaded(harness, "elin", png, "a.png");
    expect(await renderedOf(`[soup](${url})`)).not.toContain("<img");
    expect(await renderedOf("[soup](/user_uploads/1/ab/xyz/soup.mp4)")).not.toContain("<video");
    const film = await uploaded(harness, "dev", "\0\0\0\x18ftypmp42", "a.mp4");
    expect(await renderedOf(`[soup](${film})`)).toContain(`src="${film}"`);
  });

  /** A header of a PNG that says 20,000 by 20,000 pixels. */
  function bomb(): Buffer {
    const head = Buffer.from(png.subarray(0, 33));
    head.writeUInt32BE(20_000, 16);
    head.writeUInt32BE(20_000, 20);
    return Buffer.concat([head, png.subarray(33)]);
  }
});

describe("a part of a file", () => {
  const part = async (range: string, headers: Record<string, string> = {}) => {
    const url = await uploaded(harness, "dev", "0123456789", "digits.txt");
    return load(harness, "dev", url, { headers: { range, ...headers } });
  };

  test.each([
    ["bytes=2-4", "234", "bytes 2-4/10"],
    ["bytes=7-", "789", "bytes 7-9/10"],
    ["bytes=-3", "789", "bytes 7-9/10"],
    ["bytes=5-999", "56789", "bytes 5-9/10"],
    ["bytes=-999", "0123456789", "bytes 0-9/10"],
  ])("is sent for %s", async (range, body, contentRange) => {
    const answer = await part(range);
    expect([answer.statusCode, answer.body]).toEqual([206, body]);
    expect(answer.headers).toMatchObject({
      "content-range": contentRange,
      "content-length": String(body.length),
      "accept-ranges": "bytes",
    });
  });

  test.each(["bytes=10-", "bytes=99-100", "bytes=-0"])("beyond the end is refused: %s", async (range) => {
    const { statusCode, headers, body } = await part(range);
    expect([statusCode, headers["content-range"], body]).toEqual([416, "bytes */10", ""]);
  });

  test.each(["bytes=0-1,3-4", "bytes=4-2", "lines=1-2", "bytes=", "bytes=a-b", "bytes=-"])(
    "is the whole file for %s",
    async (range) => {
      const { statusCode, body } = await part(range);
      expect([statusCode, body]).toEqual([200, "0123456789"]);
    },
  );

  test("is sent only if the rest that the client has is of the same file", async () => {
    const url = await uploaded(harness, "dev", "0123456789", "digits.txt");
    const { headers } = await load(harness, "dev", url);
    const ask = (condition: string) =>
      load(harness, "dev", url, { headers: { range: "bytes=2-4", "if-range": condition } });
    expect((await ask(headers.etag as string)).statusCode).toBe(206);
    expect((await ask('"another"')).body).toBe("0123456789");
    const known = await load(harness, "dev", url, { headers: { "if-none-match": headers.etag as string } });
    expect([known.statusCode, known.body]).toEqual([304, ""]);
  });

  test("of nothing is refused, and an empty file is sent whole", async () => {
    const url = await uploaded(harness, "dev", "", "empty.txt");
    expect((await load(harness, "dev", url)).statusCode).toBe(200);
    expect((await load(harness, "dev", url, { headers: { range: "bytes=0-" } })).statusCode).toBe(416);
  });
});

describe("the size of a file", () => {
  test("may be what /register says, and no byte more", async () => {
    const { max_file_upload_size_mib: mib } = await expectSuccess(harness.as("dev").post("/register", {}));
    expect(mib).toBe(2);
    const file = (bytes: number) => ({ name: "f", fileName: "a.bin", content: Buffer.alloc(bytes) });
    await expectSuccess(upload(harness, "dev", file(2 ** 21)));
    const { status, body } = await upload(harness, "dev", file(2 ** 21 + 1));
    expect([status, body.msg]).toEqual([413, "Uploaded file is larger than the allowed limit of 2 MiB"]);
  });
});

test("only GET and HEAD are taken at the address of a file", async () => {
  const url = await uploaded(harness, "dev");
  for (const method of ["POST", "PUT", "DELETE"] as const) {
    const { statusCode } = await harness.app.inject({ method, url, headers: { host: "demo.test" } });
    expect(statusCode).toBe(405);
  }
});
