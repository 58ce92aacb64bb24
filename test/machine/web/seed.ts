/** Messages for the flows. */
import { expectSuccess } from "../../harness/answers.ts";
import type { CastName, Harness } from "../../harness/harness.ts";

export async function say(
  harness: Harness,
  name: CastName,
  channelId: number,
  topic: string,
  content: string,
): Promise<number> {
  const message = { type: "channel", to: channelId, topic, content };
  const { id } = (await expectSuccess(harness.as(name).post("/messages", message))) as { id: number };
  return id;
}

export async function sayToPeople(harness: Harness, name: CastName, to: readonly number[], content: string) {
  return expectSuccess(harness.as(name).post("/messages", { type: "direct", to, content }));
}

/**
 * Many messages of one topic. The first and the last one are numbered so; those between are sent some at a
 * time, and get their ids in any order. Gives the ids, ascending.
 */
export async function sayMany(
  harness: Harness,
  name: CastName,
  channelId: number,
  topic: string,
  count: number,
): Promise<number[]> {
  const texts = [
    "Short.",
    "Two lines of text,\nand the second one.",
    "A list:\n* one\n* two",
    "See `code` there.",
  ];
  const sayOne = (number: number) =>
    say(harness, name, channelId, topic, `Message ${number}: ${texts[(number - 1) % texts.length]}`);
  const ids = [await sayOne(1)];
  for (let next = 2; next < count; next += 50) {
    const some = Array.from({ length: Math.min(50, count - next) }, (_one, at) => sayOne(next + at));
    ids.push(...(await Promise.all(some)).sort((a, b) => a - b));
  }
  ids.push(await sayOne(count));
  return ids;
}
