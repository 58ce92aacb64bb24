/** How much an organization is used, by day. docs/statistics.md says what is counted, and when. */
import { type Static, Type } from "typebox";
import { endpoint, optional } from "../endpoint.ts";
import { errors } from "../errors.ts";
import { DEFAULT_STATISTICS_DAYS, MAX_STATISTICS_DAYS, MAX_STORAGE_LISTED } from "../limits.ts";

const count = (description: string) => Type.Integer({ minimum: 0, description });
const perhaps = (description: string) =>
  Type.Union([Type.Integer({ minimum: 0 }), Type.Null()], { description });
/** What is noted at each turn of the day, and stays as it was at the last one. */
const state = (what: string) => perhaps(`${what}, as it was last on this day; \`null\` if nobody looked.`);
const active = (when: string) =>
  perhaps(
    `How many people sent a message, reacted or were present ${when}; \`null\` if that is not known. Bots are not counted.`,
  );

export const statisticsDay = Type.Object({
  day: Type.String({ description: "The day in UTC, as `YYYY-MM-DD`." }),
  public_messages: count("Messages that were sent to public channels."),
  private_messages: count("Messages that were sent to private channels."),
  direct_messages: count("Direct messages."),
  bot_messages: count("How many of all these messages bots sent."),
  active_people: active("on this day"),
  active_people_7_days: active("in the seven days that end with this one"),
  active_people_28_days: active("in the 28 days that end with this one"),
  new_people: count("Accounts of people that were made on this day."),
  owners: state("How many owners there are"),
  administrators: state("How many administrators there are, without owners"),
  moderators: state("How many moderators there are"),
  members: state("How many people with the role of a member there are"),
  guests: state("How many guests there are"),
  deactivated_people: state("How many people are deactivated"),
  bots: state("How many active bots there are"),
  public_channels: state("How many public channels there are"),
  private_channels: state("How many private channels there are"),
  archived_channels: state("How many archived channels there are"),
  upload_bytes: state("The size of all uploaded files in bytes"),
});

export type StatisticsDayRecord = Static<typeof statisticsDay>;

const channelMessages = Type.Object({
  stream_id: Type.Integer({ description: "The channel's ID." }),
  messages: count("How many messages were sent there on these days."),
});

const exampleDay: StatisticsDayRecord = {
  day: "2026-03-02",
  public_messages: 214,
  private_messages: 38,
  direct_messages: 97,
  bot_messages: 41,
  active_people: 31,
  active_people_7_days: 36,
  active_people_28_days: 38,
  new_people: 1,
  owners: 1,
  administrators: 2,
  moderators: 1,
  members: 33,
  guests: 4,
  deactivated_people: 6,
  bots: 3,
  public_channels: 18,
  private_channels: 5,
  archived_channels: 2,
  upload_bytes: 734003200,
};

export const getStatistics = endpoint({
  name: "getStatistics",
  subject: "Statistics",
  method: "GET",
  path: "/realm/statistics",
  access: "administrator",
  summary: "Get statistics",
  description:
    "Returns how much the organization was used on each of some days, in numbers alone. They are counted in the background, some ten minutes behind. A message counts for the day on which it was sent, also if it is deleted later.",
  parameters: {
    days: optional(Type.Integer({ minimum: 1, maximum: MAX_STATISTICS_DAYS }), {
      description: `How many days: at most ${MAX_STATISTICS_DAYS}, and ${DEFAULT_STATISTICS_DAYS} by default.`,
    }),
    to: optional(Type.String({ pattern: "^\\d{4}-\\d{2}-\\d{2}$" }), {
      description: "The last of the days in UTC, as `YYYY-MM-DD`; by default today.",
    }),
  },
  reply: {
    counted_at: Type.Union([Type.Integer(), Type.Null()], {
      description:
        "When everything was counted that had been sent until then, in UNIX seconds; `null` while the past is still being counted.",
    }),
    days: Type.Array(statisticsDay, { description: "Each of the days, the oldest first." }),
    channels: Type.Array(channelMessages, {
      description: `The channels in which messages were sent on these days, the most first. Only channels that the caller may know of are there, and messages of the last ${MAX_STATISTICS_DAYS} days.`,
    }),
  },
  errors: [errors.invalidDay],
  emits: [],
  example: {
    parameters: { days: 1, to: "2026-03-02" },
    reply: {
      counted_at: 1772445601,
      days: [exampleDay],
      channels: [
        { stream_id: 3, messages: 120 },
        { stream_id: 9, messages: 38 },
      ],
    },
  },
  sample: () => ({ days: 2 }),
});

const others = (what: string) =>
  Type.Object(
    {
      count: Type.Integer({ minimum: 0, description: `How many ${what} more have uploads.` }),
      bytes: Type.Integer({ minimum: 0, description: "The size of theirs together." }),
    },
    { description: `The ${what} that are not in the list.` },
  );
const bytes = Type.Integer({ minimum: 0, description: "The size of the files in bytes." });

export const getStorageStatistics = endpoint({
  name: "getStorageStatistics",
  subject: "Statistics",
  method: "GET",
  path: "/realm/statistics/storage",
  access: "owner",
  summary: "Get who and what takes storage",
  description: `Returns whose uploads, and those in which channels, take the most storage now: at most ${MAX_STORAGE_LISTED} of each. A file that messages of several channels link counts in each of them. A channel that the caller may not know of is among the others.`,
  parameters: {},
  reply: {
    people: Type.Array(
      Type.Object({ user_id: Type.Integer({ description: "Who uploaded them, a bot too." }), bytes }),
      { description: "Those with the most, the most first." },
    ),
    other_people: others("people"),
    channels: Type.Array(Type.Object({ stream_id: Type.Integer({ description: "The channel." }), bytes }), {
      description: "Those whose messages link the most, the most first.",
    }),
    other_channels: others("channels"),
  },
  errors: [],
  emits: [],
  example: {
    parameters: {},
    reply: {
      people: [{ user_id: 8, bytes: 52428800 }],
      other_people: { count: 3, bytes: 4096 },
      channels: [{ stream_id: 3, bytes: 31457280 }],
      other_channels: { count: 0, bytes: 0 },
    },
  },
  sample: () => ({}),
});
