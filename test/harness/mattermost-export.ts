/** A small bulk export of Mattermost: two teams, with what goes wrong in real ones. */
import { zipOf } from "./zip-archive.ts";

/** Its records, a line each, and its files by their names. */
export interface MattermostExport {
  lines: object[];
  files: Record<string, string | Buffer>;
}

/** What a record is of, and its fields. */
export function record(type: string, fields: object): object {
  return { type, [type]: fields };
}

export const SECOND = 1000;
export const START = 1_700_000_000_000;

const user = (username: string, roles: string, teams: object, fields: object = {}) =>
  record("user", {
    ...{
      username,
      email: `${username}@mm.test`,
      auth_service: "",
      nickname: "",
      last_name: "",
      position: "",
    },
    first_name: `${username[0]?.toUpperCase()}${username.slice(1)}`,
    ...{ roles, locale: "en", notify_props: { desktop: "mention" } },
    teams: Object.entries(teams).map(([name, channels]) => ({ name, roles: "team_user", channels })),
    ...fields,
  });

const member = (name: string, viewed: number | undefined, fields: object = {}) => ({
  ...{ name, roles: "channel_user", notify_props: { mark_unread: "all" }, favorite: false },
  ...(viewed !== undefined && { last_viewed_at: viewed }),
  ...{ urgend_mention_count: 0, ...fields },
});

const post = (
  team: string,
  channel: string,
  name: string,
  seconds: number,
  message: string,
  fields: object = {},
) =>
  record("post", {
    ...{ team, channel, user: name, type: "", message, props: {}, edit_at: 0 },
    ...{ create_at: START + seconds * SECOND, ...fields },
  });

const reply = (name: string, seconds: number, message: string, fields: object = {}) => ({
  ...{ user: name, type: "", message, create_at: START + seconds * SECOND, edit_at: 0, ...fields },
});

/** The smallest picture that is one. */
const GIF = Buffer.from("R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7", "base64");

export const mattermostExport = (): MattermostExport => {
  const late = START + 60 * SECOND;
  const town = member("town-square", late);
  return {
    lines: [
      { type: "version", version: 1, info: { generator: "mattermost-server", version: "10.11.8" } },
      record("role", { name: "channel_user", permissions: ["read_channel"], scheme_managed: true }),
      record("team", { name: "alpha", display_name: "Alpha", type: "O", allow_open_invite: true }),
      record("team", { name: "beta", display_name: "Beta", type: "I", allow_open_invite: false }),
      record("channel", {
        team: "alpha",
        name: "town-square",
        display_name: "Town Square",
        type: "O",
        purpose: "For all",
      }),
      record("channel", { team: "alpha", name: "secret", display_name: "Top Secret", type: "P", header: "" }),
      record("channel", { team: "beta", name: "town-square", display_name: "town square", type: "O" }),
      record("channel", { team: "alpha", name: "old", display_name: "Old", type: "O", deleted_at: START }),
      user(
        "mara",
        "system_user system_admin",
        { alpha: [town, member("secret", late), member("old", late)] },
        {
          profile_image: "data/profile_pictures/mara.png",
        },
      ),
      user("tomas", "system_user", {
        alpha: [
          member("town-square", 0, {
            ...{
              roles: "channel_user channel_admin",
              favorite: true,
              notify_props: { mark_unread: "mention" },
            },
          }),
        ],
        beta: [member("town-square", undefined)],
      }),
      user("gone", "system_user", { alpha: [town] }, { delete_at: START }),
      user("visitor", "system_guest", { alpha: [member("secret", undefined)] }),
      user("sso", "system_user", { alpha: [town] }, { auth_service: "ldap", auth_data: "uid=sso" }),
      record("bot", { username: "deploy", owner: "mara", display_name: "Deploy", description: "CI" }),
      record("bot", { username: "calls", owner: "com.mattermost.calls", display_name: "Calls" }),
      record("emoji", { name: "party_parrot", image: "data/emoji/party_parrot.gif" }),
      record("emoji", { name: "lost_parrot", image: "emoji/none.gif" }),
      post("alpha", "town-square", "mara", 0, "Hello @channel ~secret @tomas :party_parrot: _all_", {
        reactions: [
          { user: "tomas", create_at: START + 1, emoji_name: "party_parrot" },
          { user: "gone", create_at: START + 2, emoji_name: "+1" },
          { user: "gone", create_at: START + 3, emoji_name: "+1_dark_skin_tone" },
          { user: "gone", create_at: START + 4, emoji_name: "lost_parrot" },
        ],
        ...{ flagged_by: ["tomas"], is_pinned: true },
      }),
      post("alpha", "town-square", "tomas", 10, "**Root** of a thread", {
        edit_at: START + 15 * SECOND,
        replies: [
          reply("mara", 11, "first", { attachments: [{ path: "20260101/teams/x/plan *a*.txt" }] }),
          reply("gone", 12, "second", { replies: [reply("mara", 13, "third, deeper")] }),
        ],
        thread_followers: [{ user: "mara", last_viewed: START + 12 * SECOND }],
        attachments: [{ path: "20260101/teams/x/shot.png" }, { path: "20260101/teams/x/missing.bin" }],
      }),
      post("alpha", "town-square", "deploy", 20, "", {
        type: "slack_attachment",
        props: {
          attachments: [
            {
              ...{ fallback: "failed", title: "Deploy 12", title_link: "https://ci.example.com/12" },
              ...{ text: "__failed__", fields: [{ title: "Branch", value: "main", short: true }] },
            },
          ],
          ...{ from_webhook: "true", override_username: "CI" },
        },
      }),
      post("alpha", "town-square", "mara", 30, "mara joined the channel.", { type: "system_join_channel" }),
      post("alpha", "town-square", "calls", 31, "playbook", { type: "custom_run_update" }),
      post("alpha", "town-square", "mara", 32, "_waves_", { type: "me" }),
      post("alpha", "town-square", "erased", 33, "from nobody who is left"),
      post("alpha", "nowhere", "mara", 34, "channel that the file lacks"),
      post("alpha", "secret", "mara", 35, "secret plan"),
      post("beta", "town-square", "tomas", 36, "in beta"),
      post("alpha", "town-square", "tomas", 70, "unread by mara"),
      post("alpha", "old", "mara", -1000, "archived"),
      record("direct_channel", {
        members: ["mara", "tomas"],
        participants: [
          { username: "mara", last_viewed_at: START + 100 * SECOND },
          { username: "tomas", last_viewed_at: 0 },
        ],
        ...{ favorited_by: ["mara"], header: "" },
      }),
      record("direct_channel", { members: ["gone", "mara", "tomas"], header: "three" }),
      record("direct_post", {
        ...{
          channel_members: ["mara", "tomas"],
          user: "tomas",
          message: "hi",
          create_at: START + 90 * SECOND,
        },
        replies: [reply("mara", 91, "hi back")],
      }),
      record("direct_post", {
        ...{ channel_members: ["tomas", "mara", "gone"], user: "gone", message: "direct three" },
        ...{ create_at: START - SECOND, reactions: null, replies: null, attachments: null },
      }),
    ],
    files: {
      "data/20260101/teams/x/plan *a*.txt": "planned!",
      "data/20260101/teams/x/shot.png": "no picture",
      "data/emoji/party_parrot.gif": GIF,
    },
  };
};

export function linesOf({ lines }: MattermostExport): string {
  return lines.map((line) => `${JSON.stringify(line)}\n`).join("");
}

export function mattermostZip(given: MattermostExport): Buffer {
  const files = Object.entries(given.files).map(([name, content]) => ({ name, content }));
  return zipOf([{ name: "import.jsonl", content: linesOf(given) }, ...files]);
}
