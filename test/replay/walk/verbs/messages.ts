import { upload } from "../../../harness/uploads.ts";
import { actors, channelNames, contents, topics, type Verbs } from "../walk.ts";

export const messageVerbs: Verbs = {
  "send to a channel": [
    8,
    (walk) =>
      walk.noteSent(
        walk.anybody().post("/messages", {
          type: "channel",
          to: walk.pick(channelNames),
          topic: walk.pick(topics),
          content: walk.pick(contents),
          read_by_sender: walk.chance(50),
        }),
      ),
  ],
  "send to people": [
    5,
    (walk) =>
      walk.noteSent(
        walk.anybody().post("/messages", {
          type: "direct",
          to: walk.someIds(),
          content: walk.pick(contents),
          read_by_sender: walk.chance(50),
        }),
      ),
  ],
  "upload a file": [
    2,
    async (walk) => {
      const part = { name: "f", content: "Soup today", fileName: "soup.txt" };
      const outcome = await upload(walk.harness, walk.pick(actors), part);
      if (outcome.status === 200) walk.files.push(outcome.body.url);
      return outcome;
    },
  ],
  "send files": [
    5,
    (walk) => {
      const content = `[one](${walk.file()}) [two](${walk.file()}) ${walk.pick(contents)}`;
      const place = { type: "channel", to: walk.pick(channelNames), topic: walk.pick(topics) };
      const people = { type: "direct", to: walk.someIds() };
      return walk.noteSent(
        walk.anybody().post("/messages", { ...(walk.chance(75) ? place : people), content }),
      );
    },
  ],
  "delete a file": [
    1,
    async (walk) => {
      const caller = walk.anybody();
      const { body } = await caller.get("/attachments");
      const attachments: { id: number }[] = body.attachments ?? [];
      return caller.delete(`/attachments/${walk.pick(attachments)?.id ?? 0}`);
    },
  ],
  "edit a text": [
    4,
    (walk) => walk.anybody().patch(`/messages/${walk.recent()}`, { content: walk.pick(contents) }),
  ],
  "move to a topic": [
    2,
    (walk) =>
      walk.as("ada", "ada", "cleo", "dev").patch(`/messages/${walk.recent()}`, {
        topic: walk.pick(topics),
        propagate_mode: walk.pick(["change_one", "change_later", "change_all"]),
      }),
  ],
  "move to a channel": [
    4,
    async (walk) =>
      walk.as("ada", "ada", "cleo", "dev").patch(`/messages/${walk.recent()}`, {
        stream_id: await walk.channel(),
        ...(walk.chance(50) ? { topic: walk.pick(topics) } : {}),
        propagate_mode: walk.pick(["change_one", "change_later", "change_all"]),
        send_notification_to_old_thread: walk.chance(20),
        send_notification_to_new_thread: walk.chance(20),
      }),
  ],
  "delete a message": [2, (walk) => walk.as("ada", "ada", "dev").delete(`/messages/${walk.recent()}`)],
  react: [
    3,
    (walk) => {
      const path = `/messages/${walk.recent()}/reactions`;
      const emoji = { emoji_name: walk.pick(["octopus", "+1"]) };
      return walk.chance(70) ? walk.anybody().post(path, emoji) : walk.anybody().delete(path, emoji);
    },
  ],
  "answer a poll": [
    3,
    (walk) =>
      walk.anybody().post("/submessage", {
        message_id: walk.recent(),
        msg_type: "widget",
        content: walk.pick([
          { type: "vote", key: "canned,0", vote: 1 },
          { type: "new_option", idx: 1, option: "stew" },
        ]),
      }),
  ],
  "flag messages": [
    8,
    (walk) =>
      walk.anybody().post("/messages/flags", {
        messages: walk.some(walk.sent.slice(-12)),
        op: walk.pick(["add", "add", "remove"]),
        flag: walk.pick(["read", "read", "starred", "starred", "collapsed"]),
      }),
  ],
  type: [
    2,
    (walk) =>
      walk.anybody().post("/typing", { op: walk.pick(["start", "stop"]), to: walk.ids(walk.some(actors)) }),
  ],
  "type in an edit": [
    1,
    (walk) => walk.anybody().post(`/messages/${walk.recent()}/typing`, { op: walk.pick(["start", "stop"]) }),
  ],
};
