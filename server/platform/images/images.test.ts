import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { deflateSync } from "node:zlib";
import sharp from "sharp";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { animation, picture } from "../../../test/harness/pictures.ts";
import type { ImageProblem } from "./image-error.ts";
import { costOf, makeThumbnail, readImageInfo } from "./images.ts";

let directory: string;
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), "parley-images-"));
});
afterAll(() => rm(directory, { recursive: true, force: true }));

let count = 0;
async function put(bytes: Buffer | string): Promise<string> {
  const path = join(directory, String(++count));
  await writeFile(path, bytes);
  return path;
}

const HOLDER = "user 1 of organization 1";
const small = { width: 64, height: 64, fit: "contain", isAnimated: true, holder: HOLDER } as const;

async function expectProblem(work: Promise<unknown>, problem: ImageProblem): Promise<void> {
  await expect(work).rejects.toMatchObject({ problem });
}

describe.each(["png", "jpeg", "webp", "gif", "avif"] as const)("a %s", (format) => {
  test("is recognised by its content, and made into a small PNG", async () => {
    const path = await put(await picture(format, 200, 100));
    expect(await readImageInfo(path, HOLDER)).toEqual({
      format,
      width: 200,
      height: 100,
      frames: 1,
      isAnimated: false,
    });
    const made = await makeThumbnail(path, small);
    expect(made).toMatchObject({ contentType: "image/png", width: 64, height: 64, isAnimated: false });
    expect(await sharp(made.bytes).metadata()).toMatchObject({ format: "png", width: 64, height: 64 });
  });

  test("that was torn is refused", async () => {
    const whole = await picture(format, 200, 100);
    await expectProblem(makeThumbnail(await put(whole.subarray(0, whole.length / 2)), small), "broken");
    await expectProblem(makeThumbnail(await put(whole.subarray(0, 20)), small), "broken");
  });
});

describe.each(["gif", "webp"] as const)("a moving %s", (format) => {
  test("stays one, or gives its first frame", async () => {
    const path = await put(await animation(format, 80, 40, 3));
    expect(await readImageInfo(path, HOLDER)).toMatchObject({
      width: 80,
      height: 40,
      frames: 3,
      isAnimated: true,
    });
    const moving = await makeThumbnail(path, small);
    expect(moving).toMatchObject({ contentType: "image/webp", width: 64, height: 64, isAnimated: true });
    expect(await sharp(moving.bytes).metadata()).toMatchObject({ format: "webp", pages: 3 });
    const still = await makeThumbnail(path, { ...small, isAnimated: false });
    expect(still).toMatchObject({ contentType: "image/png", width: 64, height: 64, isAnimated: false });
  });

  test("with too many frames is refused, unless only the first is used", async () => {
    const path = await put(await animation(format, 16, 16, 12));
    await expectProblem(makeThumbnail(path, { ...small, maxFrames: 10 }), "frames");
    expect(await makeThumbnail(path, { ...small, maxFrames: 10, isAnimated: false })).toMatchObject({
      width: 64,
    });
  });

  test("with too many pixels in all frames is refused", async () => {
    const path = await put(await animation(format, 50, 50, 5));
    await expectProblem(makeThumbnail(path, { ...small, maxPixels: 12_000 }), "size");
    await expectProblem(readImageInfo(path, HOLDER, { maxPixels: 12_000 }), "size");
  });
});

test.each([
  ["an SVG", '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>'],
  ["HTML", "<!doctype html><script>alert(1)</script>"],
  ["a PDF", "%PDF-1.4\n%âãÏÓ"],
  ["nothing", ""],
  ["a TIFF", Buffer.from("49492a0008000000", "hex")],
  ["a BMP", `BM${"\0".repeat(60)}`],
  ["HEIC", "\0\0\0\x18ftypheic\0\0\0\0"],
])("%s is refused", async (_, content) => {
  const path = await put(content);
  await expectProblem(makeThumbnail(path, small), "format");
  await expectProblem(readImageInfo(path, HOLDER), "format");
});

test.each([
  ["a PNG", "\x89PNG\r\n\x1a\n"],
  ["a JPEG", "\xff\xd8\xff\xe0"],
  ["a GIF", "GIF89a"],
])("text that begins like %s is refused", async (_, head) => {
  const text = `${head}<script>alert(1)</script>${"x".repeat(5000)}`;
  await expectProblem(makeThumbnail(await put(Buffer.from(text, "latin1")), small), "broken");
});

test("no metadata is in what is made, and what it says of the orientation is done", async () => {
  const photo = await sharp(await picture("jpeg", 120, 60))
    .withExif({
      IFD0: { Artist: "somebody", Copyright: "secret place" },
      IFD3: { GPSLatitude: "51/1 30/1 0/1" },
    })
    .withMetadata({ orientation: 6 })
    .toBuffer();
  const path = await put(photo);
  expect(await readImageInfo(path, HOLDER)).toMatchObject({ width: 60, height: 120 });
  const made = await makeThumbnail(path, {
    ...{ width: 100, height: 100, fit: "inside", isAnimated: false },
    holder: HOLDER,
  });
  expect([made.width, made.height]).toEqual([50, 100]);
  const { exif, icc, xmp, orientation } = await sharp(made.bytes).metadata();
  expect({ exif, icc, xmp, orientation }).toEqual({});
  expect(made.bytes.includes("secret place")).toBe(false);
});

test("what follows the picture in its file is left out", async () => {
  const path = await put(
    Buffer.concat([await picture("png", 20, 20), Buffer.from("<script>alert(1)</script>")]),
  );
  expect((await makeThumbnail(path, small)).bytes.includes("<script>")).toBe(false);
});

test("a small file that would be decoded into gigabytes is refused by its header", async () => {
  const bomb = blackPng(40_000, 40_000);
  // The second one has nothing that could be decoded.
  for (const bytes of [bomb, bomb.subarray(0, 200)]) {
    const path = await put(bytes);
    await expectProblem(makeThumbnail(path, small), "size");
    await expectProblem(readImageInfo(path, HOLDER), "size");
  }
});

test("more pictures than can wait are refused, and the others are made", async () => {
  const path = await put(await picture("png", 800, 800));
  const all = await Promise.allSettled(
    Array.from({ length: 80 }, (_, n) => makeThumbnail(path, { ...small, holder: `${n % 4}` })),
  );
  const refused = all.filter(({ status }) => status === "rejected");
  // Two are worked on, and 64 wait. Some may be done before the last ones come.
  expect(refused.length).toBeGreaterThan(0);
  expect(refused.length).toBeLessThanOrEqual(14);
  for (const each of refused) expect(each).toMatchObject({ reason: { problem: "busy" } });
  expect(await makeThumbnail(path, small)).toMatchObject({ width: 64 });
});

test("one person's pictures leave places to others", async () => {
  const path = await put(await picture("png", 800, 800));
  const all = Promise.allSettled(Array.from({ length: 80 }, () => makeThumbnail(path, small)));
  const other = await makeThumbnail(path, { ...small, holder: "user 2 of organization 1" });
  expect(other).toMatchObject({ width: 64 });
  const refused = (await all).filter(({ status }) => status === "rejected");
  expect(refused.length).toBeGreaterThan(10);
});

test("two pictures of one person that take long do not hold up another's", async () => {
  const long = await put(blackPng(7000, 7000));
  const short = await put(await picture("png", 20, 10));
  const done: string[] = [];
  const make = (path: string, holder: string) =>
    makeThumbnail(path, { ...small, holder }).then(() => done.push(holder));
  await Promise.all([make(long, "one"), make(long, "one"), make(short, "other")]);
  expect(done).toEqual(["other", "one", "one"]);
});

test("a picture in AVIF has 16 million pixels at most, and takes more of the share of its sender", async () => {
  const plain = (width: number, height: number) =>
    sharp({ create: { width, height, channels: 3, background: "red" } })
      .avif({ effort: 0 })
      .toBuffer();
  const large = await put(await plain(4100, 4000));
  await expectProblem(readImageInfo(large, HOLDER), "size");
  await expectProblem(makeThumbnail(large, small), "size");
  const fit = await readImageInfo(await put(await plain(1600, 1000)), HOLDER);
  expect(costOf(fit)).toBe(4);
  expect(costOf({ ...fit, format: "jpeg" })).toBe(1);
  expect(costOf({ ...fit, width: 5000, height: 3200 })).toBe(32);
});

/** A PNG of one colour, a thousandth of a byte for each pixel. */
function blackPng(width: number, height: number): Buffer {
  const chunk = (type: string, data: Buffer) => {
    const body = Buffer.concat([Buffer.from(type), data]);
    const [length, check] = [Buffer.alloc(4), Buffer.alloc(4)];
    length.writeUInt32BE(data.length);
    check.writeUInt32BE(crc32(body));
    return Buffer.concat([length, body, check]);
  };
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  // One bit for each pixel, in shades of grey.
  header.writeUInt8(1, 8);
  const rows = Buffer.alloc((width / 8 + 1) * height);
  return Buffer.concat([
    Buffer.from("\x89PNG\r\n\x1a\n", "latin1"),
    chunk("IHDR", header),
    chunk("IDAT", deflateSync(rows)),
    chunk("IEND", Buffer.alloc(0)),
  ]);
}

function crc32(bytes: Buffer): number {
  let crc = 0xffffffff;
  for (const byte of bytes) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? (crc >>> 1) ^ 0xedb88320 : crc >>> 1;
  }
  return (crc ^ 0xffffffff) >>> 0;
}
