/**
 * The samples of all integrations with parts exchanged, removed or added at random. Whatever comes of it is a
 * message or is refused: an internal error makes the other program send the same again.
 */
import { expect, test } from "vitest";
import { ApiError } from "../../../../api/errors.ts";
import { badValues } from "../../../../test/harness/bad-values.ts";
import { Random } from "../../../../test/harness/random.ts";
import { howToRepeat, seed } from "../../../../test/harness/seed.ts";
import { deliveryOf, readSamples, type WebhookSample } from "../../../../test/harness/webhook-samples.ts";
import { findIntegration } from "./integrations.ts";
import { topicText } from "./outside-text.ts";
import { finalContent } from "./receive.ts";

const ROUNDS = 150;
const MAX_CHARS = 100_000;

const samples = readSamples();

const odd: readonly unknown[] = [
  ...[
    null,
    true,
    false,
    0,
    -1,
    1.5,
    2 ** 53,
    1e300,
    "",
    " ",
    "1",
    "\u0000",
    "\ud800",
    "2024-13-45T99:00:00Z",
  ],
  ...[[], [null], [[]], {}, { toString: 1 }, { valueOf: null, toJSON: 1 }, { length: -1 }, ["toString"]],
  ...badValues.map(({ encoded }) => plainOf(encoded)).filter((text) => text.length < 2_000),
];

function plainOf(encoded: string): string {
  try {
    return decodeURIComponent(encoded);
  } catch {
    return encoded;
  }
}

/** Names of members that are added. */
const names = ["toString", "constructor", "__proto__", "length", "0", "action", "status", "type", ""];

interface Slot {
  holder: Record<string, unknown> | unknown[];
  key: string | number;
}

/** The places of all values in a payload. */
function slotsOf(value: unknown): Slot[] {
  if (typeof value !== "object" || value === null) return [];
  const holder = value as Slot["holder"];
  const keys = Array.isArray(holder) ? [...holder.keys()] : Object.keys(holder);
  return keys.flatMap((key) => [{ holder, key }, ...slotsOf(get({ holder, key }))]);
}

function get({ holder, key }: Slot): unknown {
  return (holder as Record<string | number, unknown>)[key];
}

function set({ holder, key }: Slot, value: unknown): void {
  Object.defineProperty(holder, key, { value, writable: true, enumerable: true, configurable: true });
}

function newKey({ holder }: Slot, random: Random): Slot["key"] {
  return Array.isArray(holder) ? holder.length : random.pick(names);
}

function anyOdd(random: Random): unknown {
  return structuredClone(random.pick(odd));
}

function mutated(payload: unknown, random: Random): unknown {
  const root = { payload: structuredClone(payload) };
  for (let count = random.pick([1, 1, 2, 5]); count > 0; count--) {
    const slots = slotsOf(root);
    const slot = random.pick(slots);
    const kind = random.upTo(6);
    if (kind === 0 && slot.holder !== root)
      delete (slot.holder as Record<string | number, unknown>)[slot.key];
    else if (kind === 1) set(slot, structuredClone(get(random.pick(slots))));
    else if (kind === 2) set(slot, [get(slot)]);
    else if (kind === 3) set({ holder: slot.holder, key: newKey(slot, random) }, anyOdd(random));
    else set(slot, anyOdd(random));
  }
  return root.payload;
}

/** Reads a delivery as the server does; throws what it would answer with an internal error. */
function read(sample: WebhookSample, payload: unknown): void {
  const integration = findIntegration(sample.integration);
  if (!integration) throw new Error(`there is no integration ${sample.integration}`);
  try {
    const { header } = deliveryOf(sample);
    const name = integration.eventOf({ payload, header });
    const event = Object.hasOwn(integration.events, name) ? integration.events[name] : undefined;
    const message = event?.read(payload, sample.query ?? {});
    if (!message || message === "unreadable") return;
    finalContent(message.content);
    topicText(message.topic ?? "");
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
  }
}

function problemOf(sample: WebhookSample, payload: unknown): string[] {
  const json = JSON.stringify(payload) ?? "null";
  if (json.length > MAX_CHARS) return [];
  try {
    read(sample, JSON.parse(json));
    return [];
  } catch (error) {
    return [`${sample.integration}/${sample.file}: ${String(error)} of ${json.slice(0, 1000)}`];
  }
}

test("an object, a list or nothing in place of any value is refused and never an internal error", () => {
  const problems = samples.flatMap((sample) =>
    slotsOf({ payload: sample.delivery.payload }).flatMap((_, index) =>
      [{ toString: 1 }, [[]], null].flatMap((value) => {
        const root = { payload: structuredClone(sample.delivery.payload) };
        set(slotsOf(root)[index] as Slot, value);
        return problemOf(sample, root.payload);
      }),
    ),
  );
  expect(problems.slice(0, 5)).toEqual([]);
});

const repeat = howToRepeat("server/integrations/webhooks/incoming/mutations.test.ts");

test(`a payload that nobody foresaw is refused and never an internal error (${repeat})`, () => {
  const random = new Random(seed);
  const problems: string[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    for (const sample of samples)
      problems.push(...problemOf(sample, mutated(sample.delivery.payload, random)));
  }
  expect(problems.slice(0, 5)).toEqual([]);
});
