import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { QueuedEvent } from "../../../client/contract.ts";
import { expectSuccess } from "../../../test/harness/answers.ts";
import { eventNames } from "../../../test/harness/follow.ts";
import { type CastName, createHarness, type Harness } from "../../../test/harness/harness.ts";
import type { Channel } from "../../channels/channel.ts";
import { queuesOf } from "../../platform/queues/organization-queues.ts";

let harness: Harness;
let open: Channel;
let closed: Channel;
let count = 0;
beforeAll(async () => {
  harness = await createHarness();
});
afterAll(() => harness.close());
beforeEach(async () => {
  open = await harness.channel(`open ${++count}`, ["ada", "elin"]);
  closed = await harness.channel(`closed ${count}`, ["ada"], { isPrivate: true });
});

const say = (channel: Channel, content: string, topic = "plans") =>
  expectSuccess(
    harness.as("ada").post("/messages", { type: "channel", to: channel.id, topic, content }),
  ).then(({ id }) => id);
const edit = (id: number, params: Record<string, unknown>) =>
  expectSuccess(
    harness.as("ada").patch(`/messages/${id}`, {
      send_notification_to_old_thread: false,
      send_notification_to_new_thread: false,
      ...params,
    }),
  );
const remove = (id: number) => expectSuccess(harness.as("ada").delete(`/messages/${id}`));

const saidByAda = (events: readonly QueuedEvent[]) =>
  events
    .map(({ message }) => message as { sender_id: number; content: string } | undefined)
    .filter((message) => message?.sender_id === harness.user("ada").id)
    .map((message) => message?.content);

const sources = ["the stored log", "what the node still has of it"] as const;

/** What the viewer's queue gets when it is read again from `source` after all events. */
async function hearLater(
  viewer: CastName,
  verb: () => Promise<unknown>,
  {
    source = sources[0],
    ...params
  }: { source?: (typeof sources)[number]; all_public_streams?: boolean } = {},
): Promise<QueuedEvent[]> {
  const types = ["message", "update_message", "delete_message", "reaction", "submessage"];
  const { body } = await harness.as(viewer).post("/register", { event_types: types, ...params });
  const queue = queuesOf(harness.state).byId.get(body.queue_id);
  if (!queue) throw new Error("there is no such queue");
  queue.isCold = true;
  await verb();
  if (source === sources[0]) {
    harness.state.recent.clear();
  }
  const poll = { queue_id: body.queue_id, last_event_id: body.last_event_id, dont_block: true };
  return (await harness.as(viewer).get("/events", poll)).body.events;
}

describe.each(sources)("a queue that is read again from %s", (source) => {
  test("gets no text that was edited where its user could not read, even if the place is public later", async () => {
    const heard = await hearLater(
      "dev",
      async () => {
        const id = await say(closed, "the password is hunter2");
        await edit(id, { content: "never mind" });
        await remove(await say(closed, "a secret", "layoffs"));
        await expectSuccess(harness.as("ada").patch(`/streams/${closed.id}`, { is_private: false }));
        await say(closed, "welcome");
      },
      { source, all_public_streams: true },
    );
    expect(saidByAda(heard)).toEqual(["welcome"]);
    expect(JSON.stringify(heard)).not.toMatch(/hunter2|never mind|secret|layoffs/);
  });

  test("gets messages that were sent to a public channel before it was private for a while", async () => {
    const heard = await hearLater(
      "dev",
      async () => {
        await say(open, "before");
        await expectSuccess(harness.as("ada").patch(`/streams/${open.id}`, { is_private: true }));
        await say(open, "meanwhile");
        await expectSuccess(harness.as("ada").patch(`/streams/${open.id}`, { is_private: false }));
        await say(open, "after");
      },
      { source, all_public_streams: true },
    );
    expect(saidByAda(heard)).toEqual(["before", "after"]);
  });

  test("gets neither text nor edit of a message that was deleted or moved where the user can't read", async () => {
    const heard = await hearLater(
      "elin",
      async () => {
        const moved = await say(open, "moved secret");
        await edit(moved, { content: "moved secret, edited" });
        await expectSuccess(harness.as("ada").post(`/messages/${moved}/reactions`, { emoji_name: "tada" }));
        await edit(moved, { stream_id: closed.id });
        const deleted = await say(open, "deleted secret");
        await edit(deleted, { content: "deleted secret, edited" });
        await remove(deleted);
      },
      { source },
    );
    expect(eventNames(heard)).toEqual(["delete_message", "delete_message"]);
  });

  test("gets a message that counts as read since its channel was closed, and that moved on, as read", async () => {
    const other = await harness.channel(`other ${count}`, ["ada", "elin"]);
    const archive = () => expectSuccess(harness.as("ada").delete(`/streams/${open.id}`));
    let id = 0;
    const react = (messageId: number, name: string) =>
      expectSuccess(harness.as("ada").post(`/messages/${messageId}/reactions`, { emoji_name: name }));
    const heard = await hearLater(
      "elin",
      async () => {
        id = await say(open, "read by the new subscription");
        await react(id, "tada");
        await archive();
        await expectSuccess(harness.as("ada").patch(`/streams/${open.id}`, { is_archived: false }));
        await edit(id, { stream_id: other.id });
        await react(id, "octopus");
        await say(other, "unread");
        await archive();
      },
      { source },
    );
    const flags = heard.flatMap(({ message, flags }) =>
      (message as { sender_id: number } | undefined)?.sender_id === harness.user("ada").id ? [flags] : [],
    );
    const unread = await expectSuccess(
      harness.as("elin").post("/register", { event_types: ["message", "update_message_flags"] }),
    );
    const ids = unread.unread_msgs.streams.flatMap(
      (place: { unread_message_ids: number[] }) => place.unread_message_ids,
    );
    expect(ids).not.toContain(id);
    const shown = heard.find((event) => (event.message as { id: number } | undefined)?.id === id);
    const message = shown?.message as { reactions: { emoji_name: string }[] } | undefined;
    expect(message?.reactions.map(({ emoji_name }) => emoji_name)).toEqual(["tada", "octopus"]);
    expect(eventNames(heard)).not.toContain("reaction/add");
    expect(flags).toEqual([["read"], []]);
  });

  test.each(sources)(
    "gets no text that was drawn again in a move and deleted since, from %s",
    async (source) => {
      const other = await harness.channel(`other ${count}`, ["ada", "elin"]);
      const secret = "the password is hunter2";
      const events = await hearLater(
        "elin",
        async () => {
          const first = await say(open, `@**all** ${secret}`);
          const named = await say(open, "another");
          await edit(named, { stream_id: other.id, propagate_mode: "change_all" });
          await remove(first);
        },
        { source },
      );
      expect(JSON.stringify(events)).not.toContain(secret);
      expect(eventNames(events)).toContain("delete_message");
    },
  );

  test("still gets the move of other messages when it no longer gets the text of one", async () => {
    let ids: number[] = [];
    const heard = await hearLater(
      "elin",
      async () => {
        ids = [await say(open, "named secret"), await say(open, "another")];
        await edit(ids[0] as number, {
          content: "named secret, edited",
          topic: "later",
          propagate_mode: "change_all",
        });
        await remove(ids[0] as number);
      },
      { source },
    );
    expect(eventNames(heard)).toEqual(["message", "update_message", "delete_message"]);
    expect(heard[1]).toMatchObject({ subject: "later", message_ids: ids });
    expect(JSON.stringify(heard)).not.toContain("secret");
  });
});
