/** Whole servers with their files in a bucket, and what a large file costs one. */
import { execFile } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";
import { build, call, start, temporaryDirectory, usedDirectory } from "../e2e/parley.ts";
import { type S3Server, startS3Server } from "../harness/s3-server.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));
const FILE_MIB = 200;
const MAX_GROWTH_MIB = 32;

let server: S3Server;
beforeAll(async () => {
  build();
  server = await startS3Server();
});
afterAll(() => server.close());

/** Starts a server and ends it. Returns what it printed, and which modules of the SDK it had loaded. */
async function serve(env: Record<string, string>): Promise<{ stdout: string; sdk: string[] }> {
  const directory = temporaryDirectory();
  const [probe, list] = [path.join(directory, "probe.cjs"), path.join(directory, "modules")];
  writeFileSync(
    probe,
    `process.on("exit", () => {
       const files = Object.keys(require.cache).filter((file) => /@(aws-sdk|smithy)\\//.test(file));
       require("node:fs").writeFileSync(${JSON.stringify(list)}, files.join("\\n"));
     });`,
  );
  const places = { PARLEY_DATA_DIR: await usedDirectory("serve"), ...env };
  expect(await call(["files", "adopt"], { env: places })).toMatchObject({ code: 0 });
  const running = await start(["serve"], { env: { ...places, NODE_OPTIONS: `--require ${probe}` } });
  await running.stop();
  const sdk = readFileSync(list, "utf8").split("\n").filter(Boolean);
  return { stdout: running.stdout(), sdk };
}

test("a server loads the SDK only if its files lie in a bucket, and says where they lie", async () => {
  const local = await serve({});
  expect(local.sdk).toEqual([]);
  expect(local.stdout).not.toContain("s3://");
  const remote = await serve(server.variables);
  expect(remote.sdk.length).toBeGreaterThan(0);
  expect(remote.stdout).toContain(`  files     s3://parley-files/chat at ${server.endpoint}`);
});

test("doctor tries the bucket out, and a start with a wrong one is refused with the same sentence", async () => {
  const env = { PARLEY_DATA_DIR: await usedDirectory("serve"), ...server.variables };
  const good = await call(["doctor"], { env });
  expect(good.stdout).toMatch(/^✓ Files lie in s3:\/\/parley-files\/chat at http:\S+, which takes them/m);
  const wrong = { ...env, PARLEY_FILES: "s3://other-files" };
  const sentence =
    /The storage for files, s3:\/\/other-files at \S+, has no bucket 'other-files'\. Create it/;
  const checked = await call(["doctor"], { env: wrong });
  expect(checked.code).toBe(1);
  expect(checked.stdout).toMatch(sentence);
  const refused = await call(["serve"], { env: wrong });
  expect(refused.code).toBe(78);
  expect(refused.stderr).toMatch(sentence);
});

test("a file of 200 MB costs a server at most 32 MB of memory, when it is stored and when it is read", async () => {
  const script = `
    const { S3Storage } = await import("${root}dist/server/platform/file-storage/s3-storage.js");
    const { open } = await import("node:fs/promises");
    const [settings, directory] = process.argv.slice(1);
    const storage = new S3Storage(JSON.parse(settings), directory);
    const mib = 2 ** 20;
    async function write(count) {
      const path = await storage.temporaryPath();
      const file = await open(path, "w");
      for (let index = 0; index < count; index++) await file.write(Buffer.alloc(mib, "x"));
      await file.close();
      return { path, contentType: "text/plain" };
    }
    async function drain(key) {
      let length = 0;
      for await (const chunk of (await storage.open(key)).stream) length += chunk.length;
      return length;
    }
    await storage.put("1/small", await write(20));
    await drain("1/small");
    const large = await write(${FILE_MIB});
    gc();
    const before = process.memoryUsage().rss;
    let peak = before;
    // Buffers that nobody holds any more are not the file's price, but the collector's patience.
    const timer = setInterval(() => { gc(); peak = Math.max(peak, process.memoryUsage().rss); }, 20);
    await storage.put("1/large", large);
    const put = (peak - before) / mib;
    const read = (await drain("1/large")) / mib;
    clearInterval(timer);
    console.log(JSON.stringify({ put, both: (peak - before) / mib, read }));`;
  const words = ["--expose-gc", "--input-type=module", "-e", script];
  const { stdout } = await promisify(execFile)(process.execPath, [
    ...words,
    JSON.stringify(server.settings),
    temporaryDirectory(),
  ]);
  const grown = JSON.parse(stdout) as { put: number; both: number; read: number };
  console.log(`memory grew by ${grown.put.toFixed(1)} MiB, then to ${grown.both.toFixed(1)} MiB`);
  expect(grown.read).toBe(FILE_MIB);
  expect(grown.both).toBeLessThan(MAX_GROWTH_MIB);
});
