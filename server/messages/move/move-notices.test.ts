import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { expectSuccess, sayIn } from "../../../test/harness/answers.ts";
import { createHarness, type Harness } from "../../../test/harness/harness.ts";

let harness: Harness;
const ids = new Map<string, number>();
beforeAll(async () => {
  harness = await createHarness();
  const make = async (...[name, ...rest]: Parameters<Harness["channel"]>) =>
    ids.set(name, (await harness.channel(name, ...rest)).id);
  await make("kitchen", ["ada", "ben", "dev"]);
  await make("hall", ["ada", "ben", "gus"]);
  await make("yard", ["ada", "gus"]);
  await make("leads", ["ada", "ben"], { isPrivate: true, isHistoryShared: true });
  await make("safe", ["ada", "ben"], { isPrivate: true });
  await make("street", ["ada"], { isWebPublic: true });
});
afterAll(() => harness.close());

const say = sayIn(() => harness);

interface Notice {
  content: string;
  subject: string;
  flags: string[];
}

/** The bot's notices, by channel and as Markdown, when a message that is alone in its topic is moved. */
async function noticesOf(id: number, params: Record<string, unknown>): Promise<Record<string, string>> {
  const notices = await newNotices(() =>
    expectSuccess(
      harness.as("ada").patch(`/messages/${id}`, { send_notification_to_old_thread: true, ...params }),
    ),
  );
  return Object.fromEntries(
    notices.map(({ display_recipient, content }) => [display_recipient, content.replace(/^@_\S+ \S+ /, "")]),
  );
}

async function newNotices(
  change: () => Promise<unknown>,
): Promise<(Notice & { display_recipient: string })[]> {
  const read = async (anchor: number | "newest", count: number) => {
    const range = {
      anchor,
      num_before: anchor === "newest" ? count : 0,
      num_after: anchor === "newest" ? 0 : count,
    };
    return (await expectSuccess(harness.as("ada").get("/messages", { ...range, apply_markdown: false })))
      .messages;
  };
  const [last] = await read("newest", 1);
  await change();
  const after = await read(last.id, 50);
  return after.filter(
    ({ id, client }: { id: number; client: string }) => id > last.id && client === "internal",
  );
}

describe("a move's notice names the other channel only where all its readers may know of that channel", () => {
  test.each([
    ["kitchen", "hall", "#**hall>lunch 1**", "another channel"],
    ["hall", "kitchen", "another channel", "#**hall>lunch 2**"],
    ["hall", "yard", "#**yard>lunch 3**", "#**hall>lunch 3**"],
    ["kitchen", "street", "#**street>lunch 4**", "another channel"],
    ["street", "hall", "another channel", "#**street>lunch 5**"],
    ["leads", "kitchen", "#**kitchen>lunch 6**", "another channel"],
    ["kitchen", "leads", "another channel", "#**kitchen>lunch 7**"],
    ["leads", "safe", "another channel", "another channel"],
  ])("from %s to %s", async (from, to, there, here) => {
    const topic = /lunch \d/.exec(there + here)?.[0] ?? "lunch";
    const id = await say("ada", from, { topic });
    expect(await noticesOf(id, { stream_id: ids.get(to) })).toEqual({
      [from]: `moved this topic to ${there}.`,
      [to]: `moved this topic here from ${here}.`,
    });
  });

  test.each([
    ["kitchen", "plans", "#**kitchen>plans**"],
    ["leads", "plans", "`plans`"],
    ["safe", "", "`general chat`"],
  ])("within %s", async (channel, topic, expected) => {
    const id = await say("ada", channel, { topic });
    expect(await noticesOf(id, { topic: "news", send_notification_to_old_thread: false })).toEqual({
      [channel]: `moved this topic here from ${expected}.`,
    });
  });
});

test("topic names that look like mentions are shown and mention nobody", async () => {
  const topic = "a** @**all** @**Ada Osei** b";
  for (const [channel, to] of [
    ["kitchen", { topic: "tamed" }],
    ["leads", { topic: "tamed" }],
    ["hall", { stream_id: ids.get("yard"), topic: "tamed" }],
  ] as const) {
    const id = await say("ada", channel, { topic });
    const notices = await newNotices(() => expectSuccess(harness.as("ada").patch(`/messages/${id}`, to)));
    expect(notices).toHaveLength(1);
    expect(notices[0]?.content).toContain(`\`${topic}\``);
    expect(notices[0]?.flags).toEqual([]);
  }
});

describe("the notice of a rename in the same channel", () => {
  let renames = 0;
  test.each([
    ["T", "✔ T", "marked this topic as resolved."],
    ["✔ T", "T", "marked this topic as unresolved."],
    ["✔ ✔ T", "T", "marked this topic as unresolved."],
    ["✔ T", "✔ ✔ T", "moved this topic here from #**kitchen>✔ T N**."],
    ["T", "✔ other T", "moved this topic here from #**kitchen>T N**."],
  ])("from %s to %s", async (from, to, notice) => {
    const unique = ++renames;
    const id = await say("ada", "kitchen", { topic: `${from} ${unique}` });
    const heard = await noticesOf(id, { topic: `${to} ${unique}`, send_notification_to_old_thread: false });
    expect(heard).toEqual({ kitchen: notice.replace("N", String(unique)) });
    const moved = (await expectSuccess(harness.as("ada").get(`/messages/${id}`))).message;
    expect("last_moved_timestamp" in moved).toBe(notice.startsWith("moved"));
  });

  test("reports a move for one message of several, and a resolved topic for the last one", async () => {
    const first = await say("ada", "kitchen", { topic: "oven" });
    const second = await say("ada", "kitchen", { topic: "oven" });
    const params = { topic: "✔ oven", send_notification_to_old_thread: false };
    expect(await noticesOf(first, params)).toEqual({
      kitchen: "moved a message here from #**kitchen>oven**.",
    });
    expect(await noticesOf(second, params)).toEqual({ kitchen: "marked this topic as resolved." });
  });
});
