/** What the length of an export costs a server: buffers of a fixed size, not its length. */
import { execFileSync } from "node:child_process";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { beforeAll, expect, test } from "vitest";
import { build, temporaryDirectory } from "../e2e/parley.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));
const RECORDS = 200_000;
/** It was 151 with new memory for each file of the archive, and is 34. */
const MAX_GROWTH_MIB = 90;

beforeAll(build);

test("an archive of 200,000 messages costs a server at most 90 MB of memory", () => {
  const script = `
    const { Archive, RecordFiles } = await import("${root}dist/server/administration/exports/archive.js");
    const { setTimeout: sleep } = await import("node:timers/promises");
    const archive = await Archive.create(process.argv[1]);
    const files = new RecordFiles(archive, "messages");
    gc();
    const before = process.memoryUsage().rss;
    let peak = before;
    for (let id = 1; id <= ${RECORDS}; id++) {
      const place = { channel_id: 3, topic: "lunch", sender_id: 12, sent_at: 1700000000, client: "website" };
      const lists = { reactions: [], submessages: [], flags: [] };
      await files.add({ id, ...place, content: "Message " + id, edited_at: null, moved_at: null, ...lists });
      if (id % 1000 !== 0) continue;
      await sleep(1);
      peak = Math.max(peak, process.memoryUsage().rss);
    }
    await files.end();
    await archive.finish();
    console.log(JSON.stringify({ growth: (peak - before) / 2 ** 20, count: files.count }));`;
  // As npm start runs it.
  const words = ["--expose-gc", "--max-semi-space-size=64", "--input-type=module", "-e", script];
  const file = path.join(temporaryDirectory(), "export.tar.gz");
  const { growth, count } = JSON.parse(
    execFileSync(process.execPath, [...words, file], { encoding: "utf8" }),
  ) as { growth: number; count: number };
  console.log(`memory grew by ${growth.toFixed(1)} MiB`);
  expect(count).toBe(RECORDS);
  expect(growth).toBeLessThan(MAX_GROWTH_MIB);
});
