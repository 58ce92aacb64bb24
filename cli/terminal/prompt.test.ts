import { PassThrough } from "node:stream";
import { describe, expect, test } from "vitest";
import { ask, askNewPassword, canAsk } from "./prompt.ts";

/** A terminal at which a person types the given answers, one after each question. */
function terminal(answers: string[]) {
  const input = Object.assign(new PassThrough(), { isTTY: true, isRaw: false, setRawMode });
  const output = Object.assign(new PassThrough(), { isTTY: true });
  let shown = "";
  let rawCount = 0;
  function setRawMode(isRaw: boolean) {
    input.isRaw = isRaw;
    // The terminal itself shows nothing from now on, so the question has been asked.
    if (!isRaw) return;
    rawCount++;
    const answer = answers.shift();
    if (answer !== undefined) setImmediate(() => input.write(answer));
  }
  output.on("data", (chunk) => {
    shown += chunk;
  });
  return { input, output, shown: () => shown, rawCount: () => rawCount };
}

describe("asking at a terminal", () => {
  test("an empty answer is asked for again", async () => {
    const fake = terminal(["\r", " Grace Hill \r"]);
    expect(await ask("The owner's name", fake)).toBe("Grace Hill");
    expect(fake.shown()).toContain("Grace Hill");
  });

  test("a password is not shown, even after other questions, and is asked for twice until both answers agree", async () => {
    const fake = terminal([
      "Grace\r",
      "knight-takes-rook\r",
      "knight-takes-rok\r",
      "knight-takes-rook\r",
      "knight-takes-rook\r",
    ]);
    await ask("Name", fake);
    expect(await askNewPassword("A password", fake)).toBe("knight-takes-rook");
    expect(fake.shown()).not.toMatch(/k.?n.?i.?g.?h.?t/);
    expect(fake.shown()).toContain("The two passwords differ.");
    expect(fake.rawCount()).toBe(5);
    expect(fake.input.isRaw).toBe(false);
  });

  test("Ctrl+C and the end of the input cancel the command", async () => {
    await expect(ask("Name", terminal(["Gra\x03"]))).rejects.toThrow("Cancelled; nothing was changed.");
    await expect(ask("Name", terminal(["\x04"]))).rejects.toThrow("Cancelled; nothing was changed.");
  });

  test("no question is asked without a terminal for input and output", () => {
    const { input, output } = terminal([]);
    expect(canAsk({ input, output })).toBe(true);
    expect(canAsk({ input: new PassThrough(), output })).toBe(false);
    expect(canAsk({ input, output: new PassThrough() })).toBe(false);
  });
});
