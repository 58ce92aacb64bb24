/** Messages for the flows, written past the API where there are many. */
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

/** Many messages of one topic, some at a time. Gives their ids, ascending. */
export async function sayMany(
  harness: Harness,
  name: CastName,
  channelId: number,
  topic: string,
  count: number,
): Promise<number[]> {
  const ids: number[] = [];
  const texts = [
    "Short.",
    "Two lines of text,\nand the second one.",
    "A list:\n* one\n* two",
    "See `code` there.",
  ];
  for (let done = 0; done < count; done += 50) {
    const some = Array.from({ length: Math.min(50, count - done) }, (_one, at) =>
      say(harness, name, channelId, topic, `Message ${done + at + 1}: ${texts[(done + at) % texts.length]}`),
    );
    ids.push(...(await Promise.all(some)));
  }
  return ids.sort((a, b) => a - b);
}
