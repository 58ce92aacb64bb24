import { dateOf, flagOf, isRow, type Row, textOf } from "../archive/row.ts";
import type { SourceChannel } from "../core/records.ts";
import type { Report } from "../core/report.ts";
import { rowsOf } from "../texts/attachments.ts";
import { literal } from "./mrkdwn.ts";
import { slackId } from "./people.ts";

const EPOCH = new Date(0);

export interface Conversation {
  id: string;
  /** Where its messages lie. */
  folder: string;
  memberIds: string[];
  /** undefined: direct messages. */
  channel: SourceChannel | undefined;
}

export type ConversationKind = "channels" | "groups" | "mpims" | "dms";

/** Where its messages lie, even if nothing else of it can be read. */
export function folderOf(row: Row, kind: ConversationKind): string {
  return (textOf(row, kind === "dms" ? "id" : "name") ?? "").normalize("NFC");
}

/** undefined: it can't be read. */
export function readConversation(row: Row, kind: ConversationKind, report: Report): Conversation | undefined {
  const isChannel = kind === "channels" || kind === "groups";
  if (isChannel) report.found("channels");
  const id = slackId(row, "id");
  const name = textOf(row, "name") ?? "";
  if (id === undefined || (name === "" && kind !== "dms")) {
    report.lose("channels and conversations without an id or a name were left out", name);
    return undefined;
  }
  const members = Array.isArray(row.members) ? row.members : [];
  const memberIds = [...new Set(members.flatMap((member) => slackId({ member }, "member") ?? []))];
  const pins = rowsOf(row.pins).length;
  if (pins > 0) report.lose("pins of channels do not come", name, pins);
  const folder = folderOf(row, kind);
  if (!isChannel) return { id, folder, memberIds, channel: undefined };
  // Public is only what nothing calls private.
  const isPrivate = kind === "groups" || [row.is_private, row.is_mpim, row.is_im].some(Boolean);
  return { id, folder, memberIds, channel: channelOf(row, id, { name, isPrivate }) };
}

function channelOf(
  row: Row,
  id: string,
  { name, isPrivate }: { name: string; isPrivate: boolean },
): SourceChannel {
  const isArchived = flagOf(row, "is_archived");
  const texts = [row.topic, row.purpose].map((each) =>
    isRow(each) ? literal(textOf(each, "value") ?? "") : "",
  );
  return {
    ...{ id, name, isPrivate, isArchived, isWebPublic: false },
    description: [...new Set(texts.filter((text) => text !== ""))].join(" "),
    // Slack shows people who join all that was said before.
    isHistoryShared: true,
    isDefault: flagOf(row, "is_general") && !isPrivate && !isArchived,
    topicsPolicy: "inherit",
    messageRetentionDays: null,
    folderId: undefined,
    creatorId: slackId(row, "creator"),
    createdAt: dateOf(row, "created") ?? EPOCH,
    permissions: {},
  };
}
