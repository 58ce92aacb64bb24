import { readdir } from "node:fs/promises";
import { join } from "node:path";
import sharp from "sharp";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { loadedAddresses } from "../../../markdown/allowed-html.ts";
import { expectSuccess, sayIn } from "../../../test/harness/answers.ts";
import { createHarness, type Harness, HOST, OTHER_HOST } from "../../../test/harness/harness.ts";
import { runJobsEarly } from "../../../test/harness/jobs.ts";
import { OtherHost } from "../../../test/harness/other-host.ts";
import { animation, picture } from "../../../test/harness/pictures.ts";
import { sql } from "../../platform/db/sql.ts";
import { externalAddresses } from "./addresses.ts";
import { KEPT_DAYS } from "./images.ts";
import { deleteSurplusImages } from "./store.ts";

let harness: Harness;
let host: OtherHost;
let png: Buffer;
beforeAll(async () => {
  [harness, host, png] = await Promise.all([
    createHarness({ PARLEY_OUTGOING_ALLOW: "127.0.0.1", PARLEY_RATE_LIMITS: "off" }),
    OtherHost.start(),
    picture("png", 60, 40),
  ]);
  await harness.channel("kitchen", ["ada", "dev"]);
});
afterAll(async () => {
  await host.stop();
  await harness.services.outbound.stop();
  await harness.close();
});
beforeEach(() => {
  host.asked.length = 0;
});

const say = sayIn(() => harness);

/** The address that a message has for the picture. */
function pathOf(url: string): string {
  return harness.state.get(externalAddresses()).imagePath(url) as string;
}

async function load(path: string, { method = "GET" as "GET" | "HEAD", headers = {}, from = HOST } = {}) {
  return harness.app.inject({ method, url: path, headers: { host: from, ...headers } });
}

const loadUrl = (url: string) => load(pathOf(url));

async function storedFiles(): Promise<string[]> {
  const directory = join(
    harness.services.config.files as string,
    `${harness.state.organizationId}`,
    "external",
  );
  return (await readdir(directory).catch(() => [])).sort();
}

test("a message shows a picture of another host under an address of the server", async () => {
  const url = host.serve("/cat.png", "image/png", png);
  const id = await say("dev", "kitchen", { content: url });
  const html = (await harness.as("ada").get(`/messages/${id}`)).body.message.content;
  expect(html).toBe(
    `<div class="message_inline_image"><a href="${url}"><img src="${pathOf(url)}"></a></div>`,
  );
  const answer = await load(pathOf(url));
  expect(answer.statusCode).toBe(200);
  expect(answer.headers).toMatchObject({
    "content-type": "image/webp",
    "x-content-type-options": "nosniff",
    "content-security-policy": "default-src 'none'; sandbox",
    "cross-origin-resource-policy": "cross-origin",
    "cache-control": `private, max-age=${KEPT_DAYS * 86_400}, immutable`,
  });
  expect(await sharp(answer.rawPayload).metadata()).toMatchObject({ format: "webp", width: 60, height: 40 });
});

describe("where texts are rendered, the setting inline_image_preview decides", () => {
  const shows = (html: string) => html.includes("<img");

  test("in messages, edits and previews of the writer", async () => {
    const url = host.serve("/shown.png", "image/png", png);
    const rendered = async () => {
      const id = await say("dev", "kitchen", { content: `first ${url}` });
      const sent = (await harness.as("ada").get(`/messages/${id}`)).body.message.content;
      await expectSuccess(harness.as("dev").patch(`/messages/${id}`, { content: `then ${url}` }));
      const edited = (await harness.as("ada").get(`/messages/${id}`)).body.message.content;
      const preview = (await harness.as("dev").post("/messages/render", { content: url })).body.rendered;
      return [sent, edited, preview].map(shows);
    };
    expect(await rendered()).toEqual([true, true, true]);
    await expectSuccess(harness.as("ada").patch("/realm", { inline_image_preview: false }));
    expect(await rendered()).toEqual([false, false, false]);
    await expectSuccess(harness.as("ada").patch("/realm", { inline_image_preview: true }));
    expect(host.asked).toEqual([]);
  });

  test("but texts in profiles show links alone", async () => {
    const field = { name: "About me", field_type: 2 };
    const { id } = await expectSuccess(harness.as("ada").post("/realm/profile_fields", field));
    const data = [{ id, value: "https://e.example/a.png" }];
    await expectSuccess(harness.as("dev").patch("/users/me/profile_data", { data }));
    const { user } = await expectSuccess(
      harness.as("ada").get(`/users/${harness.user("dev").id}`, { include_custom_profile_fields: true }),
    );
    expect(user.profile_data[id].rendered_value).toContain('<a href="https://e.example/a.png">');
    expect(user.profile_data[id].rendered_value).not.toContain("<img");
  });

  test("no message makes a client load anything from another host", async () => {
    const content = [
      "https://e.example/a.png https://e.example/b.bmp https://e.example/c.mp4 https://e.example/d.webm",
      "![s](https://e.example/s.mp3) https://youtu.be/abcdefghijk https://e.example/e.svg",
      `https://e.example/${"long".repeat(600)}.png https://me:secret@e.example/f.png`,
      "https://github.com/a/b/blob/main/c.png https://en.wikipedia.org/wiki/File:D.jpg",
      "$$\\includegraphics{https://e.example/m.png}$$ $$\\color{red;background:url(https://e.example/n)}x$$",
    ].join("\n\n");
    const id = await say("dev", "kitchen", { content });
    const html = (await harness.as("ada").get(`/messages/${id}`)).body.message.content as string;
    const loaded = loadedAddresses(html);
    expect(loaded).toHaveLength(4);
    for (const address of loaded) expect(address).toMatch(/^\/external_content\/[0-9a-f]{64}\/[0-9a-f]+$/);
    expect(html).not.toMatch(/<(video|audio)/);
  });
});

describe("only what the server itself put into a text is fetched", () => {
  test("another digest, another address, another organization or another form is not found", async () => {
    const url = host.serve("/signed.png", "image/png", png);
    const path = pathOf(url);
    const [, , digest = "", hex = ""] = path.split("/");
    const flipped = digest.replace(/^./, (first) => (first === "0" ? "1" : "0"));
    const paths = [
      `/external_content/${flipped}/${hex}`,
      `/external_content/${digest}/${Buffer.from(host.url("/other.png")).toString("hex")}`,
      `/external_content/${digest}/${hex}0`,
      `/external_content/${digest}/${hex.toUpperCase()}`,
      `/external_content/${digest.slice(2)}/${hex}`,
      `/external_content/${digest}/`,
      `/external_content/${digest}/${encodeURIComponent(url)}`,
    ];
    for (const each of paths) expect((await load(each)).statusCode, each).toBe(404);
    expect((await load(path, { from: OTHER_HOST })).statusCode).toBe(404);
    expect((await load(path, { from: "nobody.test" })).statusCode).toBe(404);
    expect(host.asked).toEqual([]);
    expect((await load(path)).statusCode).toBe(200);
  });

  test("the same picture has another address in each organization", () => {
    const url = "https://example.com/a.png";
    const other = harness.otherState.get(externalAddresses()).imagePath(url);
    expect(other).not.toBe(pathOf(url));
    expect(pathOf(url)).toBe(pathOf(url));
  });
});

describe("a picture is kept", () => {
  test("and fetched once, also for many who ask at once", async () => {
    const url = host.serve("/once.png", "image/png", png);
    const answers = await Promise.all(Array.from({ length: 10 }, () => loadUrl(url)));
    expect(answers.map(({ statusCode }) => statusCode)).toEqual(Array(10).fill(200));
    expect((await loadUrl(url)).statusCode).toBe(200);
    expect(host.count("/once.png")).toBe(1);
  });

  test("in the client, which asks by its tag", async () => {
    const path = pathOf(host.serve("/tag.png", "image/png", png));
    const { headers } = await load(path);
    const again = await load(path, { headers: { "if-none-match": headers.etag as string } });
    expect([again.statusCode, again.body]).toEqual([304, ""]);
    const head = await load(path, { method: "HEAD" });
    expect([head.statusCode, head.body, head.headers["content-length"]]).toEqual([
      200,
      "",
      headers["content-length"],
    ]);
  });

  test("for some days, and its file goes after its row", async () => {
    const url = host.serve("/old.png", "image/png", png);
    await loadUrl(url);
    const before = await storedFiles();
    await harness.services.database.query(sql`
      update external_images set fetched_at = now() - make_interval(days => ${KEPT_DAYS}::int)
      where fetched_at = (select max(fetched_at) from external_images)`);
    await harness.services.database.query(sql`
      select from graphile_worker.add_job('forget_external_content', payload => '{}'::json)`);
    await runJobsEarly(harness.services);
    expect(await storedFiles()).toHaveLength(before.length - 1);
    expect((await loadUrl(url)).statusCode).toBe(200);
    expect(host.count("/old.png")).toBe(2);
  });

  test("in a limited space, from which the oldest go first", async () => {
    const { database } = harness.services;
    const { organizationId } = harness.otherState;
    await database.query(sql`
      insert into external_images (organization_id, digest, file_name, size_bytes, fetched_at)
      select ${organizationId}, sha256(n::text::bytea), 'f' || n, 100, now() - make_interval(hours => n)
      from generate_series(1, 10) as n`);
    const gone = await deleteSurplusImages(database, organizationId, { bytes: 750, count: 100 });
    expect(gone.map(({ fileName }) => fileName).sort()).toEqual(["f10", "f8", "f9"]);
    const more = await deleteSurplusImages(database, organizationId, { bytes: 10_000, count: 2 });
    expect(more).toHaveLength(5);
  });

  test("again, if its file was lost", async () => {
    const url = host.serve("/lost.png", "image/png", png);
    await loadUrl(url);
    const [row] = await harness.services.database.query<{ name: string }>(sql`
      select file_name as name from external_images order by fetched_at desc limit 1`);
    await harness.services.files.delete(`${harness.state.organizationId}/external/${row?.name}`);
    expect((await loadUrl(url)).statusCode).toBe(200);
    expect((await loadUrl(url)).statusCode).toBe(200);
    expect(host.count("/lost.png")).toBe(2);
  });
});

describe("what another host sends is not what a client gets", () => {
  test("a large picture becomes smaller, and loses what is hidden in it", async () => {
    const photo = await sharp(await picture("jpeg", 4000, 2000))
      .withExif({ IFD0: { Artist: "secret place" } })
      .toBuffer();
    const { rawPayload } = await loadUrl(host.serve("/photo.jpg", "image/jpeg", photo));
    expect(await sharp(rawPayload).metadata()).toMatchObject({ width: 1680, height: 840, format: "webp" });
    expect(rawPayload.includes("secret place")).toBe(false);
  });

  test("a moving picture stays one", async () => {
    const { rawPayload } = await loadUrl(
      host.serve("/moving.gif", "image/gif", await animation("gif", 40, 20, 3)),
    );
    expect(await sharp(rawPayload).metadata()).toMatchObject({ format: "webp", pages: 3 });
  });

  test("with very many frames, its first one is shown", async () => {
    const gif = await animation("gif", 8, 8, 210);
    const { rawPayload } = await loadUrl(host.serve("/many.gif", "image/gif", gif));
    expect((await sharp(rawPayload).metadata()).pages ?? 1).toBe(1);
  });

  test("a picture without a type, or with a wrong one, is known by its bytes", async () => {
    expect((await loadUrl(host.serve("/a.png", "image/jpeg", png))).statusCode).toBe(200);
    expect((await loadUrl(host.serve("/b.png", "application/octet-stream", png))).statusCode).toBe(200);
  });

  test.each([
    ["an SVG", "image/svg+xml", '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'],
    ["an SVG under another type", "image/png", '<svg xmlns="http://www.w3.org/2000/svg"/>'],
    ["a page", "text/html", "<!doctype html><script>alert(1)</script>"],
    ["a page under another type", "image/png", "<!doctype html><script>alert(1)</script>"],
    ["a page that begins like a picture", "image/gif", "GIF89a<script>alert(1)</script>"],
    ["a BMP", "image/bmp", `BM${"\0".repeat(60)}`],
    ["an icon", "image/x-icon", "\0\0\x01\0\x01\0"],
    ["a video", "video/mp4", "\0\0\0\x18ftypmp42"],
    ["nothing", "image/png", ""],
  ])("%s is not sent", async (title, type, body) => {
    const path = `/${title.replace(/\W/g, "-")}.png`;
    const answer = await loadUrl(host.serve(path, type, Buffer.from(body, "latin1")));
    expect(answer.statusCode).toBe(502);
    expect(answer.headers["content-type"]).toBe("text/plain; charset=utf-8");
    expect(answer.headers["cache-control"]).toBe("no-store");
    expect(answer.body).not.toContain("script");
  });
});

describe("a picture that can't be fetched", () => {
  test("is not tried again for some minutes", async () => {
    const url = host.url("/missing.png");
    for (let count = 0; count < 3; count++) expect((await loadUrl(url)).statusCode).toBe(502);
    expect(host.count("/missing.png")).toBe(1);
  });

  test("gives the same answer whatever the reason is, so nobody learns what is inside the network", async () => {
    const closed = await loadUrl("http://10.0.0.1/a.png");
    const metadata = await loadUrl("http://169.254.169.254/a.png");
    const own = await loadUrl(`http://${HOST}/a.png`);
    const redirected = await loadUrl(host.redirect("/inside.png", "http://10.0.0.1/a.png"));
    const absent = await loadUrl(host.url("/absent.png"));
    for (const { statusCode, body } of [closed, metadata, own, redirected, absent]) {
      expect([statusCode, body]).toEqual([502, "This picture can't be shown.\n"]);
    }
  });

  test("because it is too large, by what really arrives, leaves nothing behind", async () => {
    const files = await storedFiles();
    const url = host.drip("/endless.png", "image/png", Buffer.alloc(2_000_000, png), 1);
    expect((await loadUrl(url)).statusCode).toBe(502);
    expect(await storedFiles()).toEqual(files);
  });
});
