import { mkdir, readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import sharp from "sharp";
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { MAX_CUSTOM_EMOJI } from "../../../api/limits.ts";
import { expectSuccess } from "../../../test/harness/answers.ts";
import {
  type Answer,
  type CastName,
  createHarness,
  type Harness,
  HOST,
} from "../../../test/harness/harness.ts";
import { MULTIPART, multipartBody, type Part } from "../../../test/harness/multipart.ts";
import { animation, picture } from "../../../test/harness/pictures.ts";
import { sql } from "../../platform/db/sql.ts";
import { runStateChange } from "../../platform/log/change.ts";
import { customEmoji } from "./custom-emoji.ts";

let harness: Harness;
let png: Buffer;
beforeAll(async () => {
  harness = await createHarness();
  png = await picture("png", 100, 50);
});
afterAll(() => harness.close());

let name: string;
let count = 0;
beforeEach(() => {
  name = `soup_${++count}`;
});

const file = (content: Buffer | string, more: Partial<Part> = {}): Part => ({
  name: "f1",
  fileName: "soup.png",
  contentType: "image/png",
  content,
  ...more,
});

async function add(by: CastName, emoji: string, ...parts: Part[]): Promise<Answer> {
  const { email, apiKey } = harness.user(by);
  const authorization = `Basic ${Buffer.from(`${email}:${apiKey}`).toString("base64")}`;
  const response = await harness.app.inject({
    method: "POST",
    url: `/api/v1/realm/emoji/${encodeURIComponent(emoji)}`,
    headers: { host: HOST, authorization, "content-type": MULTIPART, "user-agent": "ParleyTest/1.0" },
    payload: multipartBody(parts),
  });
  return { status: response.statusCode, body: response.json(), headers: response.headers };
}

const remove = (by: CastName, emoji: string) => harness.as(by).delete(`/realm/emoji/${emoji}`);

async function find(emoji: string) {
  const { emoji: all } = await expectSuccess(harness.as("gus").get("/realm/emoji"));
  const named = Object.values<Record<string, string>>(all).filter((each) => each.name === emoji);
  return named.at(-1) as Record<string, string>;
}

const load = (
  url: string | undefined,
  headers: Record<string, string> = {},
  method: "GET" | "HEAD" = "GET",
) => harness.app.inject({ method, url: url as string, headers: { host: HOST, ...headers } });

/** All that is stored of the organization's emoji, or is being received. */
async function stored(): Promise<string[]> {
  const root = harness.services.config.files as string;
  const all = await readdir(root, { recursive: true, withFileTypes: true }).catch(() => []);
  return all.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
}

/** Without those whose deletion may be under way. */
const kept = async () => (await stored()).filter((path) => !path.includes(".temporary"));

/** The refusal of an upload that leaves neither a row nor a file. */
async function refused(answer: Promise<Answer>): Promise<[number, string]> {
  const rows = harness.state.get(customEmoji).byId.size;
  const { status, body } = await answer;
  expect(body.result).toBe("error");
  await expect.poll(stored).toEqual(before);
  expect(harness.state.get(customEmoji).byId.size).toBe(rows);
  return [status, body.msg];
}
let before: string[];
beforeEach(async () => {
  before = await kept();
});

describe("adding an emoji", () => {
  test.each(["png", "jpeg", "webp", "gif", "avif"] as const)(
    "with a %s makes a PNG of 64 pixels",
    async (format) => {
      const content = await picture(format, 300, 200);
      await expectSuccess(add("dev", name, file(content, { fileName: "x.exe", contentType: "text/html" })));
      const emoji = await find(name);
      expect(emoji).toMatchObject({ still_url: null, deactivated: false, author_id: harness.user("dev").id });
      expect(emoji.source_url).toMatch(/^\/user_avatars\/\d+\/emoji\/images\/[0-9a-f]{32}\.png$/);
      const { rawPayload, headers } = await load(emoji.source_url);
      expect(headers["content-type"]).toBe("image/png");
      expect(await sharp(rawPayload).metadata()).toMatchObject({ format: "png", width: 64, height: 64 });
    },
  );

  test("with a moving picture keeps it moving, and makes a still one too", async () => {
    await expectSuccess(add("dev", name, file(await animation("gif", 100, 100, 4))));
    const { source_url, still_url } = await find(name);
    expect(source_url).toMatch(/\.webp$/);
    const moving = await load(source_url);
    expect(moving.headers["content-type"]).toBe("image/webp");
    expect(await sharp(moving.rawPayload).metadata()).toMatchObject({ format: "webp", width: 64, pages: 4 });
    const still = await load(still_url);
    expect(still.headers["content-type"]).toBe("image/png");
    expect(await sharp(still.rawPayload).metadata()).toMatchObject({ format: "png", width: 64, height: 64 });
  });

  test("makes it known to messages and reactions", async () => {
    await expectSuccess(add("dev", name, file(png)));
    const { rendered } = await expectSuccess(
      harness.as("dev").post("/messages/render", { content: `:${name}:` }),
    );
    expect(rendered).toContain((await find(name)).source_url);
  });

  test("leaves only the files of the emoji on disk", async () => {
    await expectSuccess(add("dev", name, file(png)));
    await expect.poll(stored).toHaveLength(before.length + 1);
  });

  test("needs the permission; guests never have it", async () => {
    const nobody = await systemGroup("role:administrators");
    expect(await refused(add("gus", name, file(png)))).toEqual([400, "Insufficient permission"]);
    await expectSuccess(harness.as("ada").patch("/realm", { can_add_custom_emoji_group: { new: nobody } }));
    expect(await refused(add("dev", name, file(png)))).toEqual([400, "Insufficient permission"]);
    await expectSuccess(add("ben", name, file(png)));
    const members = await systemGroup("role:members");
    await expectSuccess(harness.as("ada").patch("/realm", { can_add_custom_emoji_group: { new: members } }));
  });

  test.each([
    [
      "Soup",
      "Emoji names must contain only lowercase English letters, digits, spaces, dashes, and underscores.",
    ],
    [
      "sou*p",
      "Emoji names must contain only lowercase English letters, digits, spaces, dashes, and underscores.",
    ],
    ["soup_", "Emoji names must end with either a letter or digit."],
    ["soup-", "Emoji names must end with either a letter or digit."],
    [" ", "Emoji name is missing"],
  ])("under the name '%s' is refused", async (wrong, msg) => {
    expect(await refused(add("dev", wrong, file(png)))).toEqual([400, msg]);
  });

  test("under a name with spaces gives it underscores", async () => {
    await expectSuccess(add("dev", ` big ${name} `, file(png)));
    expect(await find(`big_${name}`)).toBeDefined();
  });

  test("under the name of a Unicode emoji is for administrators", async () => {
    const answer = add("dev", "tada", file(png));
    expect(await refused(answer)).toEqual([400, "Only administrators can override default emoji."]);
    await expectSuccess(add("ben", "tada", file(png)));
  });

  test("under a name in use is refused; one out of use can be taken again", async () => {
    await expectSuccess(add("dev", name, file(png)));
    const { id } = await find(name);
    const taken = "A custom emoji with this name already exists.";
    before = await kept();
    expect(await refused(add("elin", name, file(png)))).toEqual([400, taken]);
    await expectSuccess(remove("dev", name));
    await expectSuccess(add("elin", name, file(png)));
    const now = await find(name);
    expect(now.id).not.toBe(id);
    expect(now.author_id).toBe(harness.user("elin").id);
  });

  test("twice at a time under one name succeeds once", async () => {
    const answers = await Promise.all([add("dev", name, file(png)), add("elin", name, file(png))]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 400]);
    await expect.poll(stored).toHaveLength(before.length + 1);
  });

  test("takes exactly one file", async () => {
    const one = "You must upload exactly one file.";
    expect(await refused(add("dev", name))).toEqual([400, one]);
    expect(await refused(harness.as("dev").post(`/realm/emoji/${name}`))).toEqual([400, one]);
    const two = add("dev", name, file(png), file(png, { name: "f2" }));
    expect(await refused(two)).toEqual([400, "The request has more files than the allowed 1."]);
  });

  test.each([
    ["an SVG", () => '<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>', "Invalid image format"],
    ["HTML", () => "<!doctype html><script>alert(1)</script>", "Invalid image format"],
    ["nothing", () => "", "Invalid image format"],
    ["a torn PNG", () => png.subarray(0, 200), "The picture can't be read; the file may be damaged."],
    ["text like a GIF", () => "GIF89a<script>", "The picture can't be read; the file may be damaged."],
  ])("with %s is refused", async (_, content, msg) => {
    expect(await refused(add("dev", name, file(content())))).toEqual([400, msg]);
  });

  test("with very many frames or pixels is refused", async () => {
    const msg = "The picture has too many pixels or frames.";
    expect(await refused(add("dev", name, file(await animation("gif", 8, 8, 201))))).toEqual([400, msg]);
    const large = await sharp({ create: { width: 4100, height: 4100, channels: 3, background: "red" } })
      .png()
      .toBuffer();
    expect(await refused(add("dev", name, file(large)))).toEqual([400, msg]);
  });

  test("with a larger file than /register says is refused", async () => {
    const { max_emoji_file_size_mib: mib } = await expectSuccess(harness.as("dev").post("/register", {}));
    const padded = (bytes: number) => file(Buffer.concat([png, Buffer.alloc(bytes - png.length)]));
    await expectSuccess(add("dev", name, padded(mib * 2 ** 20)));
    before = await kept();
    const msg = `Uploaded file is larger than the allowed limit of ${mib} MiB`;
    expect(await refused(add("dev", `${name}b`, padded(mib * 2 ** 20 + 1)))).toEqual([413, msg]);
  });

  test("leaves no row if its picture can't be stored", async () => {
    vi.spyOn(harness.services.files, "put").mockRejectedValueOnce(new Error("the disk is full"));
    expect((await refused(add("dev", name, file(png))))[0]).toBe(500);
    vi.restoreAllMocks();
    await expectSuccess(add("dev", name, file(png)));
  });

  test("leaves no picture if its row can't be written", async () => {
    const { database } = harness.services;
    await database.query(sql`
      create function refuse() returns trigger language plpgsql as 'begin raise exception ''a fault''; end'`);
    await database.query(sql`create trigger refuse before insert on custom_emoji execute function refuse()`);
    try {
      expect((await refused(add("dev", name, file(png))))[0]).toBe(500);
    } finally {
      await database.query(sql`drop function refuse cascade`);
    }
  });
});

describe("deactivating an emoji", () => {
  test("is for who added it and for administrators", async () => {
    await expectSuccess(add("dev", name, file(png)));
    const { body } = await remove("elin", name);
    expect(body.msg).toBe("Must be an organization administrator or emoji author");
    await expectSuccess(remove("dev", name));
    expect(await find(name)).toMatchObject({ deactivated: true });
    await expectSuccess(add("dev", `${name}b`, file(png)));
    await expectSuccess(remove("ben", `${name}b`));
  });

  test("leaves its picture for messages and reactions", async () => {
    await expectSuccess(add("dev", name, file(png)));
    await expectSuccess(remove("dev", name));
    expect((await load((await find(name)).source_url)).statusCode).toBe(200);
  });

  test("that is not there, or out of use, gives 404", async () => {
    await expectSuccess(add("dev", name, file(png)));
    await expectSuccess(remove("dev", name));
    for (const missing of [name, "no_such_emoji"]) {
      const { status, body } = await remove("ada", missing);
      expect([status, body.code, body.msg]).toEqual([
        404,
        "BAD_REQUEST",
        `Emoji '${missing}' does not exist`,
      ]);
    }
    expect((await harness.as("zed").delete("/realm/emoji/tada")).status).toBe(404);
  });
});

describe("the picture of an emoji", () => {
  test("is loaded without credentials, cached for ever, and taken for nothing but a picture", async () => {
    await expectSuccess(add("dev", name, file(png)));
    const { source_url } = await find(name);
    const { statusCode, headers, rawPayload } = await load(source_url);
    expect(statusCode).toBe(200);
    expect(headers).toMatchObject({
      "content-type": "image/png",
      "content-length": rawPayload.length.toString(),
      "x-content-type-options": "nosniff",
      "content-security-policy": "default-src 'none'; sandbox",
      "cross-origin-resource-policy": "cross-origin",
      "cache-control": "public, max-age=31536000, immutable",
    });
    const head = await load(source_url, {}, "HEAD");
    expect([head.statusCode, head.rawPayload.length]).toEqual([200, 0]);
    expect(head.headers["content-length"]).toBe(headers["content-length"]);
    const again = await load(source_url, { "if-none-match": `W/${headers.etag}, "other"` });
    expect([again.statusCode, again.rawPayload.length]).toEqual([304, 0]);
    expect(again.headers["cache-control"]).toBe(headers["cache-control"]);
    expect((await load(source_url, { "if-none-match": '"other"' })).statusCode).toBe(200);
  });

  test("is found under its exact address alone", async () => {
    await expectSuccess(add("dev", name, file(png)));
    const { source_url } = await find(name);
    const root = `/user_avatars/${harness.state.organizationId}/emoji/images`;
    const files = harness.services.config.files as string;
    await mkdir(join(files, "1", "emoji"), { recursive: true });
    await writeFile(join(files, "1", "emoji", "secret.png"), "secret");
    const known = source_url?.split("/").at(-1);
    for (const url of [
      `${root}/${"0".repeat(32)}.png`,
      `${root}/secret.png`,
      `${root}/still/${known}`,
      `${root}/..%2f${known}`,
      `${root}/${known}%00`,
      `${root}/${known?.toUpperCase()}`,
      `/user_avatars/0/emoji/images/${known}`,
      `/user_avatars/1e0/emoji/images/${known}`,
      `/user_avatars/..%2f1/emoji/images/${known}`,
      root,
    ]) {
      expect((await load(url)).statusCode, url).toBe(404);
    }
  });
});

test("an emoji leaves an entry in the audit log, and so does its end", async () => {
  await expectSuccess(add("dev", name, file(png)));
  await expectSuccess(remove("ben", name));
  const { entries } = await expectSuccess(harness.as("ada").get("/realm/audit_log", { limit: 2 }));
  const target_id = Number((await find(name)).id);
  expect(entries).toMatchObject([
    { action: "custom_emoji_deactivated", actor_id: harness.user("ben").id, target_id },
    {
      action: "custom_emoji_added",
      actor_id: harness.user("dev").id,
      target_id,
      target_type: "custom_emoji",
    },
  ]);
});

test("a person can add so many in an hour, and a picture that can't be read counts too", async () => {
  const secrets = { PARLEY_ENV: "production", PARLEY_SECRET: "a secret for the tests" };
  const limited = await createHarness(secrets);
  const open = harness;
  try {
    harness = limited;
    expect((await add("dev", name, file("no picture"))).status).toBe(400);
    await limited.services.database.query(sql`update quota_usage set used = used + 98`);
    await expectSuccess(add("dev", name, file(png)));
    const { status, body } = await add("dev", `${name}b`, file(png));
    expect([status, body.code]).toEqual([429, "RATE_LIMIT_HIT"]);
    await expectSuccess(add("elin", `${name}b`, file(png)));
  } finally {
    harness = open;
    await limited.close();
  }
});

test("an organization has a limited number of them, with those out of use", async () => {
  const missing = MAX_CUSTOM_EMOJI - harness.state.get(customEmoji).byId.size;
  const many = Array.from({ length: missing }, (_, index) => ({
    id: 1_000_000 + index,
    name: `filler_${index}`,
    fileName: "filler.png",
    isAnimated: false,
    authorId: null,
    isActive: false,
  }));
  await runStateChange(harness.state, async (tx) => tx.appendPatch({ [customEmoji.name]: many }));
  expect(await refused(add("ada", name, file(png)))).toEqual([
    400,
    `An organization can have at most ${MAX_CUSTOM_EMOJI} custom emoji.`,
  ]);
});

async function systemGroup(role: string): Promise<number> {
  const { user_groups } = await expectSuccess(harness.as("ada").get("/user_groups"));
  return user_groups.find((each: { name: string }) => each.name === role).id;
}
