import { createCipheriv } from "node:crypto";
import { Writable } from "node:stream";
import { expect, test } from "vitest";
import { Archive } from "./archive.ts";

/** A file on a disk that takes as many bytes. */
function fileOf(room: number): Writable {
  let left = room;
  return new Writable({
    write(chunk: Buffer, _encoding, done) {
      left -= chunk.length;
      const full = Object.assign(new Error("ENOSPC: no space left"), { code: "ENOSPC", syscall: "write" });
      setImmediate(done, left < 0 ? full : null);
    },
  });
}

test("an archive that the disk does not take says so, whatever is added before and after", async () => {
  const archive = await Archive.over("/nonexistent", "folder", fileOf(100_000));
  // What can't be compressed.
  const noise = createCipheriv("aes-128-ctr", Buffer.alloc(16), Buffer.alloc(16)).update(
    Buffer.alloc(60_000),
  );
  const errors: unknown[] = [];
  for (let file = 0; file < 40; file++) {
    await archive.add(`${file}`, noise).catch((error: unknown) => errors.push(error));
  }
  expect(errors.length).toBeGreaterThan(1);
  for (const error of errors) expect(error).toMatchObject({ code: "ENOSPC" });
  await archive.discard();
});

test("a file that can't be read is the reason, and not the end of the archive that follows", async () => {
  const archive = await Archive.over("/nonexistent", "folder", fileOf(1e9));
  const broken = (function* () {
    yield Buffer.from("some");
    throw new Error("the storage is away");
  })();
  await expect(archive.addFile("a", 100, broken)).rejects.toThrow("the storage is away");
  await archive.discard();
});
