import { expect, test } from "vitest";
import { Backoff } from "./backoff.ts";

test("a pause that the server asked for is kept, whatever happens", async () => {
  const backoff = new Backoff({ firstMs: 600_000 });
  let isOver = false;
  const pause = backoff.pause(30).then(() => {
    isOver = true;
  });
  backoff.wakeUp();
  await Promise.resolve();
  expect(isOver).toBe(false);
  // From then on, the pause can be ended.
  const waking = setInterval(() => backoff.wakeUp(), 5);
  await pause;
  clearInterval(waking);
});

test("a pause ends with the signal, and leaves nothing behind", async () => {
  const end = new AbortController();
  const pause = new Backoff({ firstMs: 600_000 }).pause(0, end.signal);
  end.abort(new Error("Enough."));
  await expect(pause).rejects.toThrow("Enough.");
  await expect(new Backoff().pause(0, end.signal)).rejects.toThrow("Enough.");
});
