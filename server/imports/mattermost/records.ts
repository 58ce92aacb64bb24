/**
 * The records of a bulk export: a line each, with a type and a value of that name. The file is read several
 * times, and a message has the same id each time: the number of its line, and its own among the replies.
 */
import { ArchiveError } from "../archive/archive-error.ts";
import { readJsonLines } from "../archive/json-lines.ts";
import { recordsOfMattermost } from "../archive/kind.ts";
import { isRow, type Row, textOf } from "../archive/row.ts";
import type { Archive } from "../archive/unpack.ts";
import { rowsOf } from "../texts/attachments.ts";
import { usernamesIn } from "./usernames.ts";

const FORMAT_VERSION = 1;

export interface MattermostRecord {
  number: number;
  type: string;
  row: Row;
}

/** A message or a reply, with where it was said. */
export interface Post {
  id: string;
  row: Row;
  /** The message that the thread begins with, which may be this one. */
  root: Row;
  /** The id of `root`. */
  rootId: string;
  to: { channelId: string } | { personIds: string[] };
}

export function channelIdOf(team: string, name: string): string {
  return `${team}:${name}`;
}

/** Throws an ArchiveError if the file is none of Mattermost, or of a version that is not known here. */
export async function* readRecords({ files }: Archive): AsyncGenerator<MattermostRecord> {
  const name = recordsOfMattermost(files) ?? "";
  const file = files.get(name);
  if (!file) throw new ArchiveError("The archive has no import.jsonl.");
  let isFirst = true;
  for await (const { number, row } of readJsonLines(file.path, name)) {
    const type = textOf(row, "type") ?? "";
    const value = row[type];
    if (isFirst) checkVersion(row, name);
    isFirst = false;
    yield { number, type, row: isRow(value) ? value : {} };
  }
  if (isFirst) throw new ArchiveError(`${name} is empty.`);
}

function checkVersion({ type, version }: Row, name: string): void {
  if (type !== "version") throw new ArchiveError(`${name} does not begin as an export of Mattermost does.`);
  if (version === FORMAT_VERSION) return;
  throw new ArchiveError(`${name} is of a version that is not known here: only version 1 is.`);
}

/** The message of a record and its replies. None for records of other types. */
export function* postsOf({ number, type, row }: MattermostRecord): Generator<Post> {
  if (type !== "post" && type !== "direct_post") return;
  const to =
    type === "post"
      ? { channelId: channelIdOf(textOf(row, "team") ?? "", textOf(row, "channel") ?? "") }
      : { personIds: usernamesIn(row, "channel_members") };
  const rootId = String(number);
  let count = 0;
  // Replies have no replies in Mattermost. Where a file says so, they belong to the thread.
  const waiting = [row];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const id = count === 0 ? rootId : `${rootId}.${count}`;
    count++;
    yield { id, row: next, root: row, rootId, to };
    waiting.push(...rowsOf(next.replies).reverse());
  }
}
