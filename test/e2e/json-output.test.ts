import path from "node:path";
import { beforeAll, expect, test } from "vitest";
import { build, parley, start, temporaryDirectory, usedDirectory } from "./parley.ts";

beforeAll(build);

const dev = "dev@demo.test";
const elin = "elin@demo.test";

/** The words of each command, in an order in which each has something to do, and the fields it prints. */
const calls = (dir: string): [command: string, words: string[], fields: string[]][] => [
  ["organization list", [], ["host", "is_active", "name"]],
  ["organization create", ["Chess", "--host", "chess.test"], ["host", "name", "owner_email", "url"]],
  ["organization deactivate", ["--host", "chess.test", "--yes"], ["changed", "host", "is_active", "name"]],
  ["organization reactivate", ["--host", "chess.test"], ["changed", "host", "is_active", "name"]],
  ["user create", ["faye@demo.test", "Faye Lind"], ["email", "full_name", "password", "role", "user_id"]],
  [
    "user list",
    [],
    ["bot_owner_id", "date_joined", "email", "full_name", "is_active", "is_bot", "role", "user_id"],
  ],
  ["user role", [dev, "moderator"], ["email", "role"]],
  ["user deactivate", [dev], ["email", "is_active"]],
  ["user reactivate", [dev], ["changed", "email", "is_active"]],
  ["user unlock", [dev], ["changed", "email"]],
  ["user reset-password", [dev], ["email", "expires_at", "link", "sessions_ended"]],
  ["user change-email", ["faye@demo.test", "faye.lind@demo.test"], ["email", "former_email", "user_id"]],
  ["user sessions", [dev, "--end-all"], ["email", "ended"]],
  ["user permit-email-changes", [dev], ["email", "is_permitted"]],
  ["user reset-second-step", [dev], ["changed", "email"]],
  ["user identities", [dev], []],
  ["invite", ["gita@demo.test"], ["email", "expires_at", "link", "role"]],
  [
    "bot create",
    ["ci", "Build Bot", "--owner", "ada@demo.test"],
    ["api_key", "bot_owner_id", "bot_type", "email", "full_name", "site", "user_id"],
  ],
  ["channel list", [], [...channelFields, "subscriber_count"]],
  ["channel create", ["harvest", dev], [...channelFields, "subscriber_count"]],
  ["channel rename", ["harvest", "orchard"], channelFields],
  ["channel archive", ["orchard"], ["changed", ...channelFields]],
  ["api-key", [dev], ["api_key", "email", "site"]],
  ["mail queue", [], []],
  ["mail retry", ["--all"], ["ids"]],
  ["statistics", ["--days", "2"], statisticsFields],
  ["config", [], ["fault", "file", "name", "reader", "sentence", "source", "value"]],
  ["doctor", [], ["advice", "fault", "level", "sentence"]],
  ["storage", [], ["bytes", "count", "host", "kind", "name"]],
  ["files adopt", [], ["place", "written"]],
  ["topic merge", ["general", "welcome"], ["messages", "topic", "topics"]],
  ["send", ["--as", dev, "general", "welcome", "Hello"], ["id"]],
  ["export", [path.join(dir, "demo.tar.gz")], ["bytes", "file", "lostFiles", "messages", "name"]],
  ["user export", [elin, path.join(dir, "elin.tar.gz")], ["bytes", "counts", "file"]],
  ["user erase", [elin, "--dry-run"], ["dry_run", "messages", "rows", "user_id"]],
  [
    "audit-log",
    [],
    ["action", "actor_id", "at", "changes", "client", "id", "network", "target_id", "target_type"],
  ],
  ["backup", [path.join(dir, "backups")], [...backupFields, "deleted", "target", "written_bytes"]],
  ["backup list", [path.join(dir, "backups")], backupFields],
  [
    "backup verify",
    ["--scratch", dir, path.join(dir, "backups")],
    [...backupFields, "files_read", "indexes", "is_good", "rows", "tables", "target"],
  ],
  [
    "restore",
    [path.join(dir, "backups"), "--data-dir", path.join(dir, "restored")],
    [...backupFields, "data_dir", "files_until", "moment"],
  ],
];

const channelFields = ["invite_only", "is_archived", "is_web_public", "name", "stream_id"];

const statisticsFields = [
  ...["active_people", "active_people_28_days", "active_people_7_days", "administrators"],
  ...["archived_channels", "bot_messages", "bots", "day", "deactivated_people", "direct_messages", "guests"],
  ...["members", "moderators", "new_people", "owners", "private_channels", "private_messages"],
  ...["public_channels", "public_messages", "upload_bytes"],
];

const backupFields = [
  "database_bytes",
  "file_bytes",
  "files",
  "finished_at",
  "id",
  "parley",
  "schema",
  "secret",
  "started_at",
];

/** What has nothing to print for programs, and what is tried elsewhere. */
const others = {
  "a server or a text": ["serve", "demo", "completion", "man"],
  "tried with archives": [
    ...["import zulip", "import slack", "import mattermost", "import parley", "import cancel"],
  ],
  "tried without a server, with --yes": ["secret rotate", "secret reset"],
  "goes on until it is interrupted": ["tail"],
  "its own test": ["mail test", "mail discard"],
};

// Each command is a process.
test("every command that prints something prints it as JSON too", { timeout: 300_000 }, async () => {
  const dataDir = await usedDirectory("demo");
  const server = await start(["demo"], { env: { PARLEY_DATA_DIR: dataDir } });
  const env = {
    PARLEY_DATA_DIR: dataDir,
    PARLEY_PORT: server.port,
    PARLEY_OWNER_NAME: "Grace Hill",
    PARLEY_OWNER_EMAIL: "grace@chess.test",
    PARLEY_OWNER_PASSWORD: "knight-takes-rook",
  };
  const dir = temporaryDirectory();
  for (const [command, words, fields] of calls(dir)) {
    const host = ["organization", "backup", "config", "doctor", "files", "restore", "send"].includes(
      command.split(" ")[0] ?? "",
    );
    const chosen = host ? [] : ["--host", "localhost"];
    const ended = await parley([...command.split(" "), ...words, ...chosen, "--json"], env);
    expect([
      command,
      ended.code,
      ended.stderr.replace(
        /^(\d+ %|Exported .*|.* has no identity .*|No mail waits.*|Not everything is counted yet.*)\n/gm,
        "",
      ),
    ]).toEqual([command, 0, ""]);
    const lines = ended.stdout.split("\n").slice(0, -1);
    expect([command, lines.length > 0]).toEqual([command, fields.length > 0]);
    for (const line of lines) {
      expect([command, Object.keys(JSON.parse(line)).sort()]).toEqual([command, [...fields].sort()]);
    }
  }
  await server.stop();
});

test("no command is forgotten", async () => {
  const { stdout } = await parley(["--help"]);
  const names = [...stdout.matchAll(/^ {2}([a-z-]+(?: [a-z-]+)?) {2,}\S/gm)].map(([, name]) => name);
  expect(names.length).toBeGreaterThan(20);
  const known = [...calls("").map(([command]) => command), ...Object.values(others).flat()];
  expect(names.filter((name) => !known.includes(name as string))).toEqual([]);
});
