/** A small workspace in the form of Slack's exports. */
import { zipOf } from "./zip-archive.ts";

/** By the names of files. */
export type SlackFiles = Record<string, unknown>;

export const slackPeople = (
  [
    ["U0ANN", "Ann Lind", "ann@slack.test", { is_owner: true }],
    ["U0BEN", "Ben Berg", "ben@slack.test", {}],
    ["U0CAT", "Cat Cole", "cat@slack.test", {}],
    ["U0DAN", "Dan Dietz", "dan@slack.test", { is_restricted: true, is_ultra_restricted: true }],
    ["U0EVE", "Eve Ek", "eve@slack.test", { deleted: true }],
    ["U0BOT", "Deploy Bot", undefined, { is_bot: true }],
  ] as const
).map(([id, real_name, email, fields]) => ({
  ...{ id, name: id.toLowerCase(), tz: "Europe/Berlin", ...fields },
  profile: { real_name, email, ...(id === "U0BOT" && { bot_id: "B0BOT" }) },
}));

const conversation = (id: string, name: string, members: string[], fields: object = {}) => ({
  ...{ id, name, created: 1_690_000_000, creator: "U0ANN", members, ...fields },
});

const say = (user: string, ts: string, text: string, fields: object = {}) => ({
  ...{ type: "message", user, ts, text, ...fields },
});

export const slackFiles = (): SlackFiles => ({
  "users.json": slackPeople,
  "channels.json": [
    conversation("C0GEN", "general", ["U0ANN", "U0BEN", "U0CAT", "U0DAN"], { is_general: true }),
    conversation("C0OLD", "old", ["U0ANN"], { is_archived: true, pins: [{}] }),
  ],
  "groups.json": [conversation("G0SEC", "secret", ["U0ANN", "U0BEN"])],
  "dms.json": [conversation("D0ONE", "", ["U0ANN", "U0CAT"])],
  "mpims.json": [conversation("G0MPI", "mpdm-1", ["U0ANN", "U0BEN", "U0CAT"])],
  "canvases.json": [{ id: "F0CAN" }],
  "general/2023-11-14.json": [
    say("U0ANN", "1700000000.000100", "Ask <@U0BEN> &amp; *Cat*", {
      reactions: [
        { name: "clap::skin-tone-3", users: ["U0BEN", "U0CAT"], count: 2 },
        { name: "clap", users: ["U0BEN"], count: 1 },
        { name: "party_parrot", users: ["U0BEN"], count: 1 },
      ],
      edited: { user: "U0ANN", ts: "1700000005.000000" },
    }),
    say("U0BEN", "1700000010.000100", "Shall we move the release?", { thread_ts: "1700000010.000100" }),
    say("U0CAT", "1700000020.000100", "Yes", { thread_ts: "1700000010.000100" }),
    say("U0CAT", "1700000020.000100", "of the same time", { thread_ts: "1600000000.000100" }),
    say("U0CAT", "1700000030.000100", "joined", { subtype: "channel_join" }),
    say("U0EVE", "1700000031.000100", "deleted", { subtype: "tombstone" }),
    say("U0STRANGER", "1700000040.000100", "from elsewhere", { user_profile: { real_name: "Fay Fox" } }),
    { type: "message", subtype: "bot_message", bot_id: "B0BOT", ts: "1700000050.000100", text: "deployed" },
    say("U0BEN", "1700000060.000100", "file", {
      files: [
        {
          id: "F0ONE",
          name: "plan ü.txt",
          user: "U0BEN",
          url_private: "https://files.slack.com/F0ONE?t=xoxe-1",
        },
        {
          id: "F0TWO",
          name: "gone.txt",
          user: "U0BEN",
          url_private: "https://files.slack.com/F0TWO?t=xoxe-1",
        },
      ],
    }),
  ],
  "general/2023-11-15.json": [
    say("U0ANN", "1700090000.000100", "Later in it", {
      thread_ts: "1700000010.000100",
      subtype: "thread_broadcast",
    }),
  ],
  "old/2023-11-14.json": [say("U0ANN", "1690000001.000100", "archived")],
  "secret/2023-11-14.json": [say("U0BEN", "1700000001.000100", "secret plan")],
  "D0ONE/2023-11-14.json": [say("U0CAT", "1700000002.000100", "direct one")],
  "mpdm-1/2023-11-14.json": [say("U0BEN", "1700000003.000100", "direct three")],
  "__uploads/F0ONE/plan ü.txt": "planned!",
});

export function slackZip(files: SlackFiles): Buffer {
  return zipOf(
    Object.entries(files).map(([name, content]) => ({
      name,
      content: typeof content === "string" ? content : JSON.stringify(content),
    })),
  );
}
