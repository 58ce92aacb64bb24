import { type Conversation, on } from "./conversation.ts";

/**
 * The oldest messages of the demo organization, whose people make an app with tide tables. The examples of
 * the API name some of them by their ids, so they are sent first, in this order.
 */
export const firstConversations: Conversation[] = [
  {
    to: { channel: "general", topic: "welcome" },
    at: on(9, "9:05"),
    lines: [
      [
        "ada",
        "Good morning, and welcome! :wave: Each channel is about a theme, and each topic about one thing in it.",
      ],
      ["cleo", "If you don't know where something belongs, post it here; I'll find it a home."],
      ["elin", "First day for me. Is there a list of what I should read?"],
      ["cleo", "@**Elin Berg** start with #**engineering>release 2.4**, it shows how we work."],
    ],
  },
  {
    to: { channel: "leads", topic: "hiring" },
    at: on(9, "9:40"),
    lines: [
      ["ada", "Two people made it to the second round for the mobile role. Notes are in the folder."],
      ["ben", "I can talk to both on Thursday, *if* somebody takes my on-call that afternoon."],
      ["cleo", "I'll take it."],
    ],
  },
  {
    to: { channel: "design", topic: "new icon" },
    at: on(9, "10:15"),
    lines: [
      [
        "cleo",
        "Three drafts for the app's icon:\n\n1. the wave, as now, but without the gradient\n2. the buoy\n3. the tide gauge",
      ],
      ["gus", "For print I'd take the buoy. Thin lines like those of the gauge vanish below 8 mm."],
      ["dev", "> Thin lines like those of the gauge vanish below 8 mm.\n\nOn a phone, too. Buoy it is?"],
      ["cleo", "Buoy it is. :check:"],
    ],
  },
  {
    to: { channel: "engineering", topic: "release 2.4" },
    at: on(9, "11:00"),
    lines: [
      [
        "ben",
        "Release 2.4 goes out on Friday. Still open:\n\n* the widget shows the wrong harbor after a restart\n* release notes",
      ],
      ["dev", "The widget is mine. It reads the harbor before the settings are there."],
      [
        "dev",
        "Found it:\n\n```python\ndef next_tide(harbor, now):\n    # `tides` is sorted, so the first later one is the next.\n    return next(tide for tide in harbor.tides if tide.time > now)\n```\n\n`harbor` was the default one. A fix is on its way.",
      ],
      ["elin", "I can write the release notes, it's a good way to learn what is in there."],
      ["ben", "Thank you! @**Elin Berg** the last ones are in #**town square>release notes**."],
    ],
  },
  {
    to: { channel: "general", topic: "lunch" },
    at: on(9, "11:50"),
    lines: [
      ["dev", "Soup or salad?"],
      ["elin", "Soup. It's November."],
      ["ada", "/me has had two sandwiches already"],
    ],
  },
  {
    to: { channel: "engineering", topic: "slow start" },
    at: on(9, "12:30"),
    lines: [
      ["elin", "The first screen takes 1.8 s on my old phone. Is that known?"],
      [
        "dev",
        "It is, and most of it is one query:\n\n| step | ms |\n| --- | --- |\n| read the tables | 1,240 |\n| draw | 310 |\n| the rest | 250 |",
      ],
      [
        "ben",
        "An index on `(harbor_id, time)` should do. See [the documentation](https://www.postgresql.org/docs/current/indexes-multicolumn.html).",
      ],
      ["dev", "**140 ms** now. :rocket:"],
    ],
  },
  {
    to: { channel: "engineering", topic: "builds" },
    at: on(9, "14:10"),
    lines: [
      ["echo", "Build 812 of `main` failed: 1 of 640 tests."],
      ["echo", "Build 813 of `main` passed."],
    ],
  },
  {
    to: { channel: "town square", topic: "release notes" },
    at: on(9, "15:00"),
    lines: [
      [
        "ada",
        "Everything in this channel can be read without an account. Questions are welcome all the same!",
      ],
      [
        "elin",
        "**Tidewater 2.3** is out: harbors can be sorted by distance, and the tables of 40 more are there.",
      ],
    ],
  },
  {
    to: { channel: "design", topic: "empty states" },
    at: on(9, "15:20"),
    lines: [
      ["elin", "What do we show before someone has chosen a harbor? Now it's a blank page."],
      ["cleo", "@**Dev Rao** could we show the nearest one, with a line that says so? Sketch tomorrow."],
    ],
  },
  {
    to: { people: ["cleo", "elin", "ada"] },
    at: on(9, "16:00"),
    lines: [["cleo", "Coffee at three, to welcome Elin? I'm getting cake."]],
  },
  {
    to: { channel: "general", topic: "Friday" },
    at: on(9, "16:20"),
    lines: [
      ["ada", "/poll Lunch on Friday?\nSoup\nSalad", {}, { votes: [["dev", "elin", "ben"], ["cleo"]] }],
    ],
  },
  {
    to: { people: ["dev", "ada"] },
    at: on(9, "16:40"),
    lines: [
      ["dev", "Do you have a minute for the budget of the test phones?"],
      ["ada", "After lunch. Bring the list!"],
    ],
  },
];
