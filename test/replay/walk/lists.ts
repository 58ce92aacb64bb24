/** What the lists of messages say, for one person: they must agree with each other and with the snapshot. */
import { expect } from "vitest";
import { forms } from "../../harness/follow.ts";
import type { CastName, Harness } from "../../harness/harness.ts";

interface Listed {
  id: number;
  type: string;
  stream_id?: number;
  subject: string;
  flags: string[];
}

/** The messages with a flag, or without it, are those that a narrow lists. */
const narrowsOfFlags: readonly [operand: string, holds: (flags: readonly string[]) => boolean][] = [
  ["unread", (flags) => !flags.includes("read")],
  ["starred", (flags) => flags.includes("starred")],
];

export async function compareLists(harness: Harness, viewer: CastName): Promise<void> {
  const { body: snapshot } = await harness.as(viewer).post("/register", { ...forms.modern });
  await harness.as(viewer).delete("/events", { queue_id: snapshot.queue_id });
  const unread = unreadIn(snapshot.unread_msgs);
  const listed = new Map<string, number[]>();
  for (const [operand, holds] of narrowsOfFlags) {
    const messages = await list(harness, viewer, [{ operator: "is", operand }]);
    for (const { id, flags } of messages)
      expect(holds(flags), `message ${id} of is:${operand} for ${viewer}, with ${flags}`).toBe(true);
    listed.set(
      operand,
      messages.map(({ id }) => id),
    );
  }
  expect(listed.get("unread"), `is:unread and unread_msgs of ${viewer}`).toEqual(unread);
  expect(listed.get("starred"), `is:starred and starred_messages of ${viewer}`).toEqual(
    snapshot.starred_messages,
  );
  const feed = await list(harness, viewer, []);
  for (const [operand, holds] of narrowsOfFlags) {
    const held = feed.filter(({ flags }) => holds(flags)).map(({ id }) => id);
    expect(listed.get(operand), `is:${operand} has all of the feed of ${viewer}`).toEqual(
      expect.arrayContaining(held),
    );
  }
  await compareById(harness, viewer, feed);
  await compareTopics(harness, viewer, feed, snapshot.subscriptions);
}

/** Reading by ids, and one alone, gives what the feed gives. */
async function compareById(harness: Harness, viewer: CastName, feed: readonly Listed[]): Promise<void> {
  const last = feed.slice(-20);
  if (last.length === 0) return;
  const form = { apply_markdown: true, allow_empty_topic_name: true };
  const { body } = await harness
    .as(viewer)
    .get("/messages", { message_ids: last.map(({ id }) => id), ...form });
  const withoutContext = ({ match_content: _, match_subject: __, ...message }: Record<string, unknown>) =>
    message;
  expect(body.messages.map(withoutContext), `messages of ${viewer} by id`).toEqual(
    last.map((each) => withoutContext({ ...each })),
  );
  const newest = last.at(-1) as Listed;
  const alone = await harness.as(viewer).get(`/messages/${newest.id}`, form);
  expect(alone.body.message, `message ${newest.id} of ${viewer} alone`).toEqual(newest);
}

/** The newest message of a channel's topics is that of the topic's list. */
async function compareTopics(
  harness: Harness,
  viewer: CastName,
  feed: readonly Listed[],
  subscriptions: readonly { stream_id: number; is_archived: boolean }[],
): Promise<void> {
  for (const { stream_id } of subscriptions.slice(0, 3)) {
    const { body } = await harness
      .as(viewer)
      .get(`/users/me/${stream_id}/topics`, { allow_empty_topic_name: true });
    const newest = new Map<string, number>();
    for (const message of await list(harness, viewer, [{ operator: "channel", operand: stream_id }]))
      newest.set(message.subject.toLowerCase(), message.id);
    const topics = new Map(
      body.topics.map(({ name, max_id }: { name: string; max_id: number }) => [name.toLowerCase(), max_id]),
    );
    expect(topics, `topics of channel ${stream_id} for ${viewer}`).toEqual(newest);
    const isIn = feed
      .filter((message) => message.stream_id === stream_id)
      .map(({ subject }) => subject.toLowerCase());
    expect([...topics.keys()]).toEqual(expect.arrayContaining(isIn));
  }
}

async function list(harness: Harness, viewer: CastName, narrow: unknown[]): Promise<Listed[]> {
  const { body } = await harness.as(viewer).get("/messages", {
    anchor: "newest",
    num_before: 2000,
    num_after: 0,
    narrow,
    apply_markdown: true,
    allow_empty_topic_name: true,
  });
  return body.messages;
}

interface UnreadMessages {
  pms: { unread_message_ids: number[] }[];
  streams: { unread_message_ids: number[] }[];
  huddles: { unread_message_ids: number[] }[];
}

function unreadIn({ pms, streams, huddles }: UnreadMessages): number[] {
  const ids = [...pms, ...streams, ...huddles].flatMap(({ unread_message_ids }) => unread_message_ids);
  return ids.sort((one, other) => one - other);
}
