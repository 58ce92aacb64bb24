/** A bulk export of Mattermost, of one team or several. What is not known is left out and counted. */
import type { Archive } from "../archive/unpack.ts";
import type { ImportSource, SourceChannel, SourceEmoji, SourceReadMark } from "../core/records.ts";
import type { Report } from "../core/report.ts";
import { resolveReferences } from "../texts/references.ts";
import { MattermostChannels } from "./channels.ts";
import { MattermostFiles } from "./files.ts";
import { readMarksIn, readMarksOf, subscriptionsOf } from "./memberships.ts";
import { MattermostMessages } from "./messages.ts";
import { MattermostPeople } from "./people.ts";
import { type MattermostRecord, readRecords } from "./records.ts";

const EPOCH = new Date(0);

/** Throws an ArchiveError for an export that can't be read. */
export async function openMattermost(
  archive: Archive,
  report: Report,
  { oldUrl }: { oldUrl: string | undefined },
): Promise<ImportSource> {
  const [people, channels, files] = [
    new MattermostPeople(),
    new MattermostChannels(),
    new MattermostFiles(archive),
  ];
  const emoji = new Map<string, SourceEmoji>();
  const marks: SourceReadMark[] = [];
  const readDefinition = ({ type, row }: MattermostRecord) => {
    switch (type) {
      case "team":
        return channels.addTeam(row, report);
      case "channel":
        return channels.addChannel(row, report);
      case "user":
        return people.addUser(row, report);
      case "bot":
        return people.addBot(row, report);
      case "direct_channel":
        marks.push(...readMarksIn(row, report));
        return;
      case "emoji": {
        const found = files.emojiOf(row, report);
        if (emoji.has(found.name))
          report.lose("emoji whose name is taken or not allowed here do not come", found.name);
        else emoji.set(found.name, found);
        return;
      }
      case "role":
      case "scheme":
        return report.lose("roles and schemes of permissions do not come");
      case "version":
      case "post":
      case "direct_post":
        return;
      default:
        return report.lose("records of kinds that are not known here were left out", type);
    }
  };
  for await (const record of readRecords(archive)) readDefinition(record);
  const messages = new MattermostMessages({
    archive,
    people,
    channels,
    files,
    emoji: new Set(emoji.keys()),
    oldUrl,
  });
  // Records may come in any order, and a stranger is somebody whom none describes.
  for await (const record of readRecords(archive)) messages.note(record, report);
  const topicPolicies = messages.end();
  const structure = channels.structure(people, report);
  const subscriptions = subscriptionsOf(people);
  // Readers of a mention need not be members of a private channel: it shows what the text says.
  const names = new Map(
    structure.channels.flatMap(({ id, name, isPrivate }) => (isPrivate ? [] : [[id, name] as const])),
  );
  return {
    name: "mattermost",
    digest: archive.digest,
    organization: { name: "", createdAt: firstDate(structure.channels), messageRetentionDays: null },
    people: people.list,
    systemIds: new Set(),
    ...structure,
    emoji: [...emoji.values()],
    uploads: files.uploads,
    topicPolicies,
    readMarks: [...readMarksOf(people), ...marks],
    subscriptions: () => subscriptions,
    messages: (into) => messages.read(into),
    reactions: (into) => messages.reactions(into),
    convert: (text, ids) => resolveReferences(text, ids, (id) => names.get(id)),
  };
}

function firstDate(channels: readonly SourceChannel[]): Date {
  const times = channels.map(({ createdAt }) => createdAt.getTime()).filter((time) => time > 0);
  return times.length === 0 ? EPOCH : new Date(times.reduce((a, b) => Math.min(a, b)));
}
