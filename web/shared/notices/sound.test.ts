import { afterEach, expect, test, vi } from "vitest";

interface Played {
  frequency: number;
  seconds: number;
}

afterEach(() => vi.unstubAllGlobals());

test("the two sounds differ in pitch and in length", async () => {
  const played: Played[] = [];
  vi.stubGlobal(
    "AudioContext",
    class {
      readonly currentTime = 0;
    },
  );
  vi.stubGlobal("GainNode", FakeGain);
  vi.stubGlobal(
    "OscillatorNode",
    class {
      #startsAt = 0;
      readonly #frequency: number;
      constructor(_context: unknown, { frequency }: { frequency: number }) {
        this.#frequency = frequency;
      }
      connect(next: unknown) {
        return next;
      }
      start(at: number) {
        this.#startsAt = at;
      }
      stop(at: number) {
        played.push({ frequency: this.#frequency, seconds: at - this.#startsAt });
      }
    },
  );
  const { playSound } = await import("./sound.ts");
  playSound("zulip");
  const twoTones = played.splice(0);
  playSound("ding");
  const highest = Math.max(...twoTones.map(({ frequency }) => frequency));
  expect(twoTones).toHaveLength(2);
  expect(Math.min(...played.map(({ frequency }) => frequency))).toBeGreaterThan(1.5 * highest);
  const longest = (all: readonly Played[]) => Math.max(...all.map(({ seconds }) => seconds));
  expect(longest(played)).toBeGreaterThan(3 * longest(twoTones));
});

class FakeGain {
  readonly gain = {
    setValueAtTime() {},
    linearRampToValueAtTime() {},
    exponentialRampToValueAtTime() {},
  };
  connect(next: unknown) {
    return next;
  }
}
