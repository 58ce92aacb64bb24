import { topics, type Verb, type Verbs, type Walk } from "../walk.ts";
import { channelVerbs } from "./channels.ts";
import { messageVerbs } from "./messages.ts";
import { ownVerbs } from "./own.ts";
import { peopleVerbs } from "./people.ts";

/** Ids that no message of the organization has, and one of a message twice. */
const strange = (walk: Walk) => [walk.pick([0, 1, 9_999_999, Number.MAX_SAFE_INTEGER]), walk.recent()];

const mark = (walk: Walk, op: "add" | "remove", messages: readonly number[]) =>
  walk.anybody().post("/messages/flags", { messages: [...messages], op, flag: "read" });

/** Marks as read and unread, of all kinds. */
const marks: Verbs = {
  "mark messages as read": [24, (walk) => mark(walk, "add", walk.some(walk.sent.slice(-16)))],
  "mark the newest as read": [8, (walk) => mark(walk, "add", walk.sent.slice(-walk.upTo(6) - 1))],
  "mark strange ids as read": [4, (walk) => mark(walk, "add", [...strange(walk), ...strange(walk)])],
  "mark messages as unread": [8, (walk) => mark(walk, "remove", walk.some(walk.sent.slice(-12)))],
  "mark a topic as read": [
    2,
    async (walk) =>
      walk.anybody().post("/mark_topic_as_read", {
        stream_id: await walk.channel(),
        topic_name: walk.pick(topics),
      }),
  ],
  "mark a channel as read": [
    2,
    async (walk) => walk.anybody().post("/mark_stream_as_read", { stream_id: await walk.channel() }),
  ],
  "mark all as read": [1, (walk) => walk.anybody().post("/mark_all_as_read")],
};

function only(verbs: Verbs, names: readonly string[]): Verbs {
  return Object.fromEntries(names.map((name) => [name, verbs[name] as Verbs[string]]));
}

const others = Object.keys(messageVerbs).filter((name) => !name.startsWith("type"));

/** Mostly marks, of enough messages, with what changes beside them who has to read what. */
export const readingVerbs: Verbs = {
  ...marks,
  ...only(messageVerbs, others),
  "send to a channel": [40, messageVerbs["send to a channel"]?.[1] as Verb[1]],
  "send to people": [12, messageVerbs["send to people"]?.[1] as Verb[1]],
  ...channelVerbs,
  ...only(ownVerbs, ["mute a person", "set a policy for a topic"]),
  ...peopleVerbs,
};
