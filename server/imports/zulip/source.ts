/** An export of Zulip, of any version: what is not known is left out and named in the report. */

import { ArchiveError } from "../archive/archive-error.ts";
import { readJsonRows } from "../archive/json-rows.ts";
import { dateOf, flagOf, idOf, isRow, numberOf, type Row, textOf } from "../archive/row.ts";
import type { Archive } from "../archive/unpack.ts";
import type {
  ImportSource,
  SourceEmoji,
  SourceReaction,
  SourceTopicPolicy,
  SourceUpload,
} from "../core/records.ts";
import type { Report } from "../core/report.ts";
import { readChannels, readFolders } from "./channels.ts";
import { readGroups } from "./groups.ts";
import { readersOf, ZulipMessages } from "./messages.ts";
import { readPeople } from "./people.ts";
import { ZulipSubscriptions } from "./subscriptions.ts";
import { readTables, type ZulipTables } from "./tables.ts";
import { convertText } from "./text.ts";

const EPOCH = new Date(0);
const REACTION_TYPES: ReadonlySet<unknown> = new Set(["unicode_emoji", "realm_emoji", "zulip_extra_emoji"]);

/** Tables that an export has and that do not come, as people call what is in them. */
const notTaken: Record<string, string> = {
  zerver_alertword: "alert words",
  zerver_customprofilefield: "custom profile fields",
  zerver_customprofilefieldvalue: "values of custom profile fields",
  zerver_muteduser: "muted users",
  zerver_navigationview: "navigation views",
  zerver_realmdomain: "domains of email addresses",
  zerver_realmfilter: "linkifiers",
  zerver_realmplayground: "code playgrounds",
  zerver_realmuserdefault: "default settings of new people",
  zerver_savedsnippet: "saved snippets",
  zerver_scheduledmessage: "scheduled messages",
  zerver_service: "addresses of outgoing webhooks",
  zerver_userstatus: "statuses",
};

/** Throws an ArchiveError for an export that can't be read. */
export async function openZulip(
  archive: Archive,
  report: Report,
  { oldUrl }: { oldUrl?: string | undefined } = {},
): Promise<ImportSource> {
  const realmPath = archive.files.get("realm.json")?.path;
  if (realmPath === undefined) throw new ArchiveError("The export has no realm.json.");
  const tables = await readTables(realmPath);
  const [realm] = tables.rows("zerver_realm");
  if (!realm)
    throw new ArchiveError("realm.json has no organization in it: the export failed or was cut off.");
  for (const [table, count] of tables.others) {
    const what = notTaken[table];
    report.lose(
      what ? `${what} do not come` : "records of unknown tables were left out",
      what ? undefined : table,
      count,
    );
  }
  report.lose("personal settings do not come", undefined, tables.rows("zerver_userprofile").length);
  const groups = readGroups(tables, report);
  const channels = readChannels(tables, groups, report);
  const subscriptions = new ZulipSubscriptions(tables, channels);
  const messages = new ZulipMessages(archive, tables, subscriptions, readersOf(tables));
  noteAvatars(tables, report);
  return {
    name: "zulip",
    digest: archive.digest,
    organization: {
      name: textOf(realm, "name") ?? "",
      createdAt: dateOf(realm, "date_created") ?? EPOCH,
      messageRetentionDays: retentionOf(realm),
    },
    people: readPeople(tables, report),
    systemIds: new Set(tables.rows("zerver_userprofile_crossrealm").map((row) => idOf(row, "id") ?? "")),
    groups: groups.groups,
    folders: readFolders(tables, report),
    channels,
    emoji: readEmoji(archive, tables, report),
    uploads: await readUploads(archive, report),
    topicPolicies: readTopicPolicies(tables, report),
    readMarks: [],
    subscriptions: () => subscriptions.list(),
    messages: (into) => messages.read(into),
    reactions: (into) => readReactions(realmPath, into),
    convert: (text, ids) => convertText(text, ids, oldUrl),
  };
}

function retentionOf(realm: Row): number | null {
  const days = numberOf(realm, "message_retention_days");
  return days !== undefined && Number.isInteger(days) && days > 0 && days < 100_000 ? days : null;
}

function noteAvatars(tables: ZulipTables, report: Report): void {
  const count = tables.rows("zerver_userprofile").filter((row) => row.avatar_source === "U").length;
  if (count > 0) report.lose("pictures of people do not come", undefined, count);
}

function readEmoji(archive: Archive, tables: ZulipTables, report: Report): SourceEmoji[] {
  const byFileName = new Map<string, string>();
  for (const name of archive.files.keys()) {
    if (name.startsWith("emoji/") && !name.endsWith(".original")) {
      byFileName.set(name.slice(name.lastIndexOf("/") + 1), name);
    }
  }
  return tables.rows("zerver_realmemoji").flatMap((row) => {
    const id = idOf(row, "id");
    if (id === undefined) return [];
    report.found("emoji");
    return {
      id,
      name: textOf(row, "name") ?? "",
      authorId: idOf(row, "author"),
      isActive: !flagOf(row, "deactivated"),
      file: archive.files.get(byFileName.get(textOf(row, "file_name") ?? "") ?? ""),
    };
  });
}

async function readUploads(archive: Archive, report: Report): Promise<SourceUpload[]> {
  const file = archive.files.get("attachment.json");
  if (!file) return [];
  const uploads: SourceUpload[] = [];
  for await (const { table, row } of readJsonRows(file.path, "attachment.json")) {
    if (table !== "zerver_attachment" || !isRow(row)) continue;
    report.found("files");
    const [id, ownerId] = [textOf(row, "path_id"), idOf(row, "owner")];
    if (id === undefined || ownerId === undefined) {
      report.lose("files without a path or an owner were left out");
      continue;
    }
    uploads.push({
      id,
      fileName: textOf(row, "file_name") ?? "",
      ownerId,
      createdAt: dateOf(row, "create_time") ?? EPOCH,
      file: archive.files.get(`uploads/${id.normalize("NFC")}`),
    });
  }
  return uploads;
}

function readTopicPolicies(tables: ZulipTables, report: Report): SourceTopicPolicy[] {
  const rows = [...tables.rows("zerver_usertopic"), ...tables.rows("zerver_mutedtopic")];
  return rows.flatMap((row) => {
    report.found("topic policies");
    const [channelId, personId] = [idOf(row, "stream"), idOf(row, "user_profile")];
    const policy = numberOf(row, "visibility_policy") ?? 1;
    if (!channelId || !personId || (policy !== 1 && policy !== 2 && policy !== 3)) return [];
    const at = dateOf(row, "last_updated") ?? dateOf(row, "date_muted") ?? EPOCH;
    return { channelId, topic: textOf(row, "topic_name") ?? "", personId, policy, at };
  });
}

async function* readReactions(realmPath: string, report: Report): AsyncGenerator<SourceReaction> {
  for await (const { table, row } of readJsonRows(realmPath, "realm.json")) {
    if (table !== "zerver_reaction" || !isRow(row)) continue;
    report.found("reactions");
    const messageId = numberOf(row, "message");
    const personId = idOf(row, "user_profile");
    const [emojiName, emojiCode] = [textOf(row, "emoji_name"), textOf(row, "emoji_code")];
    const reactionType = row.reaction_type as SourceReaction["reactionType"];
    if (!messageId || !personId || !emojiName || !emojiCode || !REACTION_TYPES.has(reactionType)) {
      report.lose("reactions that can't be read were left out");
      continue;
    }
    yield { messageId, personId, emojiName, emojiCode, reactionType };
  }
}
