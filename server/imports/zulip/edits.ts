import { idOf, isRow, millisecondsOf, numberOf, type Row, textOf } from "../archive/row.ts";
import type { SourceEdit } from "../core/records.ts";
import type { Report } from "../core/report.ts";

/** As many as the API shows of a message. */
const MAX_EDITS = 200;

/**
 * The changes of a message, oldest first. A change that can't be read ends what is known: all before it are
 * left out, since one of them may be a move out of a place that not everybody could read.
 */
export function readEdits(row: Row, report: Report): SourceEdit[] {
  const text = row.edit_history;
  if (text === null || text === undefined || text === "") return [];
  const entries = parseHistory(text);
  if (!entries) {
    report.lose("edit histories that can't be read were left out", `message ${numberOf(row, "id")}`);
    return [];
  }
  const newestFirst = entries
    .map((entry) => ({ entry, at: millisecondsOf(entry, "timestamp") }))
    .sort((a, b) => (b.at ?? 0) - (a.at ?? 0))
    .slice(0, MAX_EDITS);
  const edits: SourceEdit[] = [];
  for (const { entry, at } of newestFirst) {
    if (at === undefined) break;
    edits.push({
      editorId: idOf(entry, "user_id"),
      at,
      previousText: textOf(entry, "prev_content") ?? null,
      previousTopic: textOf(entry, "prev_topic") ?? textOf(entry, "prev_subject") ?? null,
      topic: textOf(entry, "topic") ?? null,
      previousChannelId: idOf(entry, "prev_stream") ?? null,
      channelId: idOf(entry, "stream") ?? null,
    });
  }
  return edits.reverse();
}

function parseHistory(text: unknown): Row[] | undefined {
  try {
    const value = typeof text === "string" ? JSON.parse(text) : text;
    return Array.isArray(value) && value.every(isRow) ? value : undefined;
  } catch {
    return undefined;
  }
}
