/**
 * The tables of `realm.json` that are kept in memory: all but reactions, which may be as many as messages.
 */
import { readJsonRows } from "../archive/json-rows.ts";
import { isRow, type Row } from "../archive/row.ts";

const kept = [
  "zerver_realm",
  "zerver_userprofile",
  "zerver_userprofile_mirrordummy",
  "zerver_userprofile_crossrealm",
  "zerver_stream",
  "zerver_recipient",
  "zerver_subscription",
  "zerver_huddle",
  "zerver_defaultstream",
  "zerver_realmemoji",
  "zerver_usertopic",
  "zerver_mutedtopic",
  "zerver_usergroup",
  "zerver_namedusergroup",
  "zerver_usergroupmembership",
  "zerver_groupgroupmembership",
  "zerver_channelfolder",
  "zerver_client",
  "zerver_realmauditlog",
] as const;

export type Table = (typeof kept)[number];

/** Tables with nothing that people would miss: counts, and what the source's server did. */
const IGNORED = new Set([
  "import_source",
  "zerver_reaction",
  "zerver_userpresence",
  "zerver_useractivity",
  "zerver_useractivityinterval",
  "zerver_usergroup",
  "zerver_realmauthenticationmethod",
  "zerver_onboardingstep",
  "zerver_onboardingusermessage",
]);

/** What events of the audit log say of subscriptions. */
const SUBSCRIPTION_EVENTS = new Set([301, 302, 303]);

/** What is needed of large tables. The rest would fill the memory. */
const fields: Partial<Record<Table, readonly string[]>> = {
  zerver_realmauditlog: ["id", "event_type", "modified_user", "modified_stream", "event_last_message_id"],
  zerver_userprofile: [
    ...["id", "email", "delivery_email", "full_name", "role", "is_realm_admin", "is_guest", "is_active"],
    ...["is_bot", "bot_type", "bot_owner", "timezone", "date_joined", "avatar_source"],
  ],
  zerver_subscription: [
    ...["user_profile", "recipient", "active", "is_muted", "in_home_view", "pin_to_top", "color"],
    ...["desktop_notifications", "audible_notifications", "push_notifications", "email_notifications"],
    "wildcard_mentions_notify",
  ],
};

export interface ZulipTables {
  rows(table: Table): readonly Row[];
  has(table: Table): boolean;
  /** How many rows of tables the archive has that are not read. */
  others: ReadonlyMap<string, number>;
}

export async function readTables(path: string): Promise<ZulipTables> {
  const tables = new Map<string, Row[]>(kept.map((name) => [name, []]));
  const seen = new Set<string>();
  const others = new Map<string, number>();
  for await (const { table, row } of readJsonRows(path, "realm.json")) {
    seen.add(table);
    const rows = tables.get(table);
    if (rows) {
      if (isRow(row) && isNeeded(table, row)) rows.push(shortened(table as Table, row));
    } else if (!IGNORED.has(table) && isRow(row)) {
      others.set(table, (others.get(table) ?? 0) + 1);
    }
  }
  return {
    rows: (table) => tables.get(table) ?? [],
    has: (table) => seen.has(table),
    others,
  };
}

function isNeeded(table: string, row: Row): boolean {
  return table !== "zerver_realmauditlog" || SUBSCRIPTION_EVENTS.has(row.event_type as number);
}

function shortened(table: Table, row: Row): Row {
  const needed = fields[table];
  return needed ? Object.fromEntries(needed.map((name) => [name, row[name]])) : row;
}
