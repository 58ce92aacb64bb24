/** How the walk calls each command. `dir` is an empty directory for what a command writes. */
import path from "node:path";

const dev = "dev@demo.test";
const elin = "elin@demo.test";

export const wordsOf = (dir: string): Record<string, string[]> => ({
  serve: [],
  demo: [],
  "organization create": [
    ...["Chess", "--host", "chess.test", "--owner-name", "Grace Hill", "--owner-email", "grace@chess.test"],
  ],
  "organization list": [],
  "organization deactivate": ["--host", "chess.test", "--yes"],
  "organization reactivate": ["--host", "chess.test"],
  "user create": ["faye@demo.test", "Faye Lind"],
  "user list": [],
  "user role": [dev, "moderator"],
  "user deactivate": [elin],
  "user reactivate": [elin],
  "user export": [elin, path.join(dir, "elin.tar.gz")],
  "user erase": [elin, "--dry-run"],
  "user unlock": [dev],
  "user reset-password": [dev],
  "user change-email": ["faye@demo.test", "faye.lind@demo.test"],
  "user sessions": [dev],
  "user permit-email-changes": [dev],
  "user reset-second-step": [dev],
  "user identities": [dev],
  "mail queue": [],
  "mail retry": ["--all"],
  "mail test": ["ops@example.com"],
  "mail discard": ["1", "--yes"],
  invite: ["gita@demo.test"],
  "channel list": [],
  "channel create": ["harvest"],
  "channel rename": ["harvest", "orchard"],
  "channel archive": ["orchard"],
  "bot create": ["ci", "Build Bot", "--owner", "ada@demo.test"],
  statistics: [],
  storage: [],
  "files adopt": [],
  "topic merge": ["general", "welcome"],
  "api-key": [dev],
  export: [path.join(dir, "demo.tar.gz")],
  "import zulip": [path.join(dir, "missing"), "--host", "zulip.test"],
  "import slack": [path.join(dir, "missing"), "--host", "slack.test"],
  "import mattermost": [path.join(dir, "missing"), "--host", "mattermost.test"],
  "import parley": [path.join(dir, "missing"), "--host", "parley.test"],
  "import cancel": ["--host", "zulip.test"],
  "backup verify": ["--scratch", dir, path.join(dir, "missing")],
  "backup list": [path.join(dir, "missing")],
  backup: [path.join(dir, "backups")],
  restore: [path.join(dir, "missing"), "--data-dir", path.join(dir, "restored")],
  "audit-log": [],
  send: ["--as", dev, "general", "welcome", "Hello"],
  tail: ["--as", dev],
  "secret rotate": ["--yes"],
  "secret reset": ["--yes"],
  completion: ["bash"],
  man: [path.join(dir, "man")],
  config: [],
  doctor: [],
});

export const allNames: readonly string[] = Object.keys(wordsOf(""));

/** They ask for neither data nor a server, as the walk calls them. */
export const lookingAtNoData: readonly string[] = [
  ...["import zulip", "import slack", "import mattermost", "import parley"],
  ...["backup verify", "backup list", "completion", "man"],
];
