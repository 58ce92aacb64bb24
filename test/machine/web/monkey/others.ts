/** What other people do by the API, and what the person does on another device. Some of it is refused. */
import type { Harness } from "../../../harness/harness.ts";
import type { Dice } from "./dice.ts";

export interface Town {
  harness: Harness;
  channels: { id: number; name: string; topics: string[] }[];
  /** The ids of messages that others have sent. */
  sent: number[];
}

const RESOLVED = "✔ ";

export async function buildTown(harness: Harness): Promise<Town> {
  const town: Town = { harness, channels: [], sent: [] };
  for (const name of ["quay", "market", "tower"]) {
    const { id } = await harness.channel(name, ["ada", "dev", "elin"]);
    town.channels.push({ id, name, topics: ["bread", "boats", "bells"] });
    for (const topic of ["bread", "boats", "bells"])
      for (let number = 1; number <= 25; number++) await say(town, id, topic, `Word ${number} of ${topic}`);
  }
  // The server sends no events of channels that one is not in.
  const { id } = await harness.channel("far", ["ada", "elin"]);
  town.channels.push({ id, name: "far", topics: ["roads"] });
  for (let number = 1; number <= 5; number++) await say(town, id, "roads", `Mile ${number}`);
  return town;
}

async function say(town: Town, to: number, topic: string, content: string): Promise<void> {
  const message = { type: "channel", to, topic, content };
  const { status, body } = await town.harness.as("elin").post("/messages", message);
  if (status === 200) town.sent.push(body.id);
}

type Deed = readonly [
  weight: number,
  deed: readonly [name: string, run: (town: Town, dice: Dice) => Promise<unknown>],
];

const channelOf = (town: Town, dice: Dice) => dice.pick(town.channels);
const recent = (town: Town, dice: Dice) => dice.pick(town.sent.slice(-40));

export const deeds: readonly Deed[] = [
  [
    12,
    [
      "writes",
      (town, dice) => {
        const { id, topics } = channelOf(town, dice);
        return say(
          town,
          id,
          dice.pick(topics),
          dice.pick(["Yes.", "Look:\n* one\n* two", "@**Dev Rao** here", "`code`"]),
        );
      },
    ],
  ],
  [
    3,
    [
      "writes to the person",
      async (town, dice) => {
        const message = {
          type: "direct",
          to: [town.harness.user("dev").id],
          content: `Psst ${dice.upTo(99)}`,
        };
        return town.harness.as(dice.pick(["ada", "elin"])).post("/messages", message);
      },
    ],
  ],
  [
    4,
    [
      "reacts",
      (town, dice) => {
        const caller = town.harness.as(dice.pick(["ada", "elin", "dev"]));
        const reaction = { emoji_name: dice.pick(["heart", "tada"]) };
        const path = `/messages/${recent(town, dice)}/reactions`;
        return dice.chance(60) ? caller.post(path, reaction) : caller.delete(path, reaction);
      },
    ],
  ],
  [
    3,
    [
      "edits",
      (town, dice) =>
        town.harness
          .as("elin")
          .patch(`/messages/${recent(town, dice)}`, { content: `Better ${dice.upTo(999)}` }),
    ],
  ],
  [2, ["deletes", (town, dice) => town.harness.as("ada").delete(`/messages/${recent(town, dice)}`)]],
  [
    3,
    [
      "resolves or renames a topic",
      async (town, dice) => {
        const channel = channelOf(town, dice);
        const at = dice.upTo(channel.topics.length);
        const before = channel.topics[at] as string;
        const isResolved = before.startsWith(RESOLVED);
        const name = dice.chance(70)
          ? isResolved
            ? before.slice(RESOLVED.length)
            : `${RESOLVED}${before}`
          : `${dice.pick(["bread", "boats", "bells", "roads"])} ${dice.upTo(4)}`;
        const narrow = [
          { operator: "channel", operand: channel.id },
          { operator: "topic", operand: before },
        ];
        const page = await town.harness
          .as("ada")
          .get("/messages", { narrow, anchor: "newest", num_before: 1, num_after: 0 });
        const id = page.body.messages?.at(-1)?.id;
        if (id === undefined) return;
        const { status } = await town.harness
          .as("ada")
          .patch(`/messages/${id}`, { topic: name, propagate_mode: "change_all" });
        if (status === 200) channel.topics[at] = name;
      },
    ],
  ],
  [
    1,
    [
      "moves one message",
      (town, dice) =>
        town.harness.as("ada").patch(`/messages/${recent(town, dice)}`, {
          topic: dice.pick(channelOf(town, dice).topics),
          propagate_mode: "change_one",
        }),
    ],
  ],
  [
    1,
    [
      "renames a channel",
      (town, dice) => {
        const channel = channelOf(town, dice);
        channel.name = `${channel.name.split(" ")[0]} ${dice.upTo(90)}`;
        return town.harness.as("ada").patch(`/streams/${channel.id}`, { new_name: channel.name });
      },
    ],
  ],
  [
    1,
    [
      "changes a name",
      (town, dice) => town.harness.as("elin").patch("/settings", { full_name: `Elin Berg ${dice.upTo(9)}` }),
    ],
  ],
  [
    2,
    [
      "takes the person out of a channel, or adds them",
      (town, dice) => {
        const { name } = dice.pick(town.channels.slice(1));
        const principals = [town.harness.user("dev").id];
        const path = "/users/me/subscriptions";
        return dice.chance(60)
          ? town.harness.as("ada").post(path, { subscriptions: [{ name }], principals })
          : town.harness.as("ada").delete(path, { subscriptions: [name], principals });
      },
    ],
  ],
  [
    2,
    [
      "marks as read elsewhere",
      (town, dice) =>
        town.harness.as("dev").post("/messages/flags", {
          messages: town.sent.slice(-dice.upTo(30) - 1),
          ...{ op: dice.chance(80) ? "add" : "remove", flag: dice.pick(["read", "read", "starred"]) },
        }),
    ],
  ],
  [
    2,
    [
      "mutes or follows a topic elsewhere",
      (town, dice) => {
        const { id, topics } = channelOf(town, dice);
        const policy = { stream_id: id, topic: dice.pick(topics), visibility_policy: dice.upTo(4) };
        return town.harness.as("dev").post("/user_topics", policy);
      },
    ],
  ],
  [
    1,
    [
      "mutes a channel elsewhere",
      (town, dice) =>
        town.harness.as("dev").post("/users/me/subscriptions/properties", {
          subscription_data: [
            { stream_id: channelOf(town, dice).id, property: "is_muted", value: dice.chance(50) },
          ],
        }),
    ],
  ],
  [
    1,
    [
      "types",
      (town, dice) => {
        const { id, topics } = channelOf(town, dice);
        return town.harness
          .as("elin")
          .post("/typing", { type: "channel", op: "start", stream_id: id, topic: dice.pick(topics) });
      },
    ],
  ],
];
