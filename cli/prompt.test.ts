import { PassThrough } from "node:stream";
import { describe, expect, test } from "vitest";
import { ask, askNewPassword, canAsk } from "./prompt.ts";

/** A terminal at which somebody types the given answers, each when something has been asked. */
function terminal(answers: string[]) {
  const input = Object.assign(new PassThrough(), { isTTY: true, isRaw: false, setRawMode });
  const output = Object.assign(new PassThrough(), { isTTY: true });
  let shown = "";
  let rawCount = 0;
  function setRawMode(isRaw: boolean) {
    input.isRaw = isRaw;
    // From now on the terminal itself shows nothing: it is the moment to type.
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
    const place = terminal(["\r", " Grace Hill \r"]);
    expect(await ask("The owner's name", place)).toBe("Grace Hill");
    expect(place.shown()).toContain("Grace Hill");
  });

  test("a password is not shown, even after other questions, and is asked for twice until both agree", async () => {
    const place = terminal([
      "Grace\r",
      "knight-takes-rook\r",
      "knight-takes-rok\r",
      "knight-takes-rook\r",
      "knight-takes-rook\r",
    ]);
    await ask("Name", place);
    expect(await askNewPassword("A password", place)).toBe("knight-takes-rook");
    expect(place.shown()).not.toMatch(/k.?n.?i.?g.?h.?t/);
    expect(place.shown()).toContain("The two differ.");
    expect(place.rawCount()).toBe(5);
    expect(place.input.isRaw).toBe(false);
  });

  test("Ctrl+C and the end of the input give up", async () => {
    await expect(ask("Name", terminal(["Gra\x03"]))).rejects.toThrow("Given up; nothing was changed.");
    await expect(ask("Name", terminal(["\x04"]))).rejects.toThrow("Given up; nothing was changed.");
  });

  test("nobody is asked where there is no terminal", () => {
    const { input, output } = terminal([]);
    expect(canAsk({ input, output })).toBe(true);
    expect(canAsk({ input: new PassThrough(), output })).toBe(false);
    expect(canAsk({ input, output: new PassThrough() })).toBe(false);
  });
});
