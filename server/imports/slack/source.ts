/** An export of Slack, of public channels or of everything. What is not known is left out and counted. */
import { ArchiveError } from "../archive/archive-error.ts";
import { readJsonList } from "../archive/json-rows.ts";
import { isRow } from "../archive/row.ts";
import type { Archive } from "../archive/unpack.ts";
import type { ImportSource, SourceChannel, SourceSubscription } from "../core/records.ts";
import type { Report } from "../core/report.ts";
import { resolveReferences } from "../texts/references.ts";
import { type Conversation, type ConversationKind, folderOf, readConversation } from "./conversations.ts";
import { SlackFiles } from "./files.ts";
import { firstWords, reasonAgainst, SlackMessages } from "./messages.ts";
import { SLACKBOT, SlackPeople } from "./people.ts";
import { SlackThreads } from "./threads.ts";

const EPOCH = new Date(0);
/** The most private first: where two have one name, its messages are those of the first. */
const LISTS: readonly ConversationKind[] = ["dms", "mpims", "groups", "channels"];
/** What a mention of a private channel shows, since its readers need not be members. */
const PRIVATE_NAME = "private channel";
const notTaken: Record<string, string> = {
  "canvases.json": "canvases do not come",
  "canvas_in_the_conversation.json": "canvases do not come",
  "integration_logs.json": "the log of integrations does not come",
  "workflows.json": "workflows do not come",
};
const preferences: SourceSubscription["preferences"] = {
  ...{ color: null, isMuted: false, isPinned: false, desktopNotifications: null, audibleNotifications: null },
  ...{ pushNotifications: null, emailNotifications: null, wildcardMentionsNotify: null },
};

/** Throws an ArchiveError for an export that can't be read. */
export async function openSlack(archive: Archive, report: Report): Promise<ImportSource> {
  if (archive.files.has("org_users.json")) {
    throw new ArchiveError("This is an export of an Enterprise organization. Export one workspace of it.");
  }
  const people = new SlackPeople();
  for await (const row of listIn(archive, "users.json")) people.add(isRow(row) ? row : {}, report);
  const byFolder = new Map<string, Conversation>();
  // A private channel that is left out keeps its folder, or its messages would be those of a public one.
  const folders = new Set<string>();
  const ids = new Set<string>();
  for (const kind of LISTS) {
    for await (const row of listIn(archive, `${kind}.json`)) {
      const given = isRow(row) ? row : {};
      const conversation = readConversation(given, kind, report);
      const folder = folderOf(given, kind);
      const isTaken = folders.has(folder);
      folders.add(folder);
      if (!conversation) continue;
      if (isTaken || ids.has(conversation.id)) {
        report.lose("channels and conversations that come twice were left out", conversation.folder);
        continue;
      }
      ids.add(conversation.id);
      byFolder.set(conversation.folder, conversation);
    }
  }
  for (const [name, reason] of Object.entries(notTaken)) {
    for await (const _ of listIn(archive, name)) report.lose(reason);
  }
  const threads = new SlackThreads();
  const files = new SlackFiles(archive);
  const messages = new SlackMessages(archive, byFolder, { people, threads, report });
  await lookThrough(messages, files, report);
  const conversations = [...byFolder.values()];
  for (const { memberIds } of conversations)
    for (const id of memberIds) people.addStranger(id, undefined, report);
  const channels = conversations.flatMap(({ channel }) => channel ?? ([] as SourceChannel[]));
  const subscriptions = subscriptionsOf(conversations);
  const names = new Map(
    channels.map(({ id, name, isPrivate }) => [id, isPrivate ? PRIVATE_NAME : name] as const),
  );
  const nameOf = (id: string) => names.get(id);
  return {
    name: "slack",
    digest: archive.digest,
    organization: { name: "", createdAt: firstDate(channels), messageRetentionDays: null },
    people: people.list,
    systemIds: new Set([SLACKBOT]),
    groups: [],
    folders: [],
    channels,
    emoji: [],
    uploads: files.uploads,
    topicPolicies: [],
    readMarks: [],
    subscriptions: () => subscriptions,
    messages: (into) => messages.read(into),
    reactions: (into) => messages.reactions(into),
    convert: (text, ids) => resolveReferences(text, ids, nameOf),
  };
}

/** Finds the people whom no list has, threads, and files. */
async function lookThrough(messages: SlackMessages, files: SlackFiles, report: Report): Promise<void> {
  const { people, threads } = messages;
  for await (const { conversation, row, time } of messages.rows()) {
    if (time === undefined || reasonAgainst(row) !== undefined) continue;
    const senderId = people.senderOf(row);
    if (senderId === undefined) continue;
    people.addStranger(senderId, row, report);
    files.note(row, senderId, report);
    if (conversation.channel) threads.note(conversation.id, row, { ts: time.ts, words: firstWords(row) });
  }
  threads.end();
}

/** A list that the archive need not have. */
async function* listIn(archive: Archive, name: string): AsyncGenerator<unknown> {
  const file = archive.files.get(name);
  if (file) yield* readJsonList(file.path, name);
}

function subscriptionsOf(conversations: readonly Conversation[]): SourceSubscription[] {
  return conversations.flatMap(({ channel, memberIds }) =>
    channel === undefined
      ? []
      : memberIds.map((personId) => ({
          channelId: channel.id,
          personId,
          intervals: [{ after: 0, upTo: Number.MAX_SAFE_INTEGER }],
          isCurrent: true,
          preferences,
        })),
  );
}

function firstDate(channels: readonly SourceChannel[]): Date {
  const times = channels.map(({ createdAt }) => createdAt.getTime()).filter((time) => time > 1000);
  return times.length === 0 ? EPOCH : new Date(times.reduce((a, b) => Math.min(a, b)));
}
