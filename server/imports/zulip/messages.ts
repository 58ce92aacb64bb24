import { pastFlags } from "../../messages/past-messages.ts";
import { ArchiveError } from "../archive/archive-error.ts";
import { readJsonRows } from "../archive/json-rows.ts";
import { flagOf, idOf, isRow, millisecondsOf, numberOf, type Row, textOf } from "../archive/row.ts";
import type { Archive } from "../archive/unpack.ts";
import type { SourceMessage } from "../core/records.ts";
import type { Report } from "../core/report.ts";
import { readEdits } from "./edits.ts";
import type { ZulipSubscriptions } from "./subscriptions.ts";
import type { ZulipTables } from "./tables.ts";

const MESSAGE_FILE = /^messages-\d+\.json$/;
/** Zulip writes 1,000 to a file. All of a file are in memory at once. */
const MAX_MESSAGES_A_FILE = 50_000;
const PERSONAL_TOPIC = "\u0007";

/** Bits of `flags_mask`. */
const READ = 1;
const HISTORICAL = 1024;
const flagBits: readonly (readonly [number, number])[] = [
  [2, pastFlags.starred],
  [4, pastFlags.collapsed],
  [8, pastFlags.mentioned],
  [32, pastFlags.topicMentioned],
  [512, pastFlags.alertWord],
];

type Place =
  | { kind: "channel"; channelId: string }
  | { kind: "person"; id: string }
  | { kind: "group"; ids: string[] };

export class ZulipMessages {
  readonly #archive: Archive;
  readonly #subscriptions: ZulipSubscriptions;
  readonly #places = new Map<string, Place>();
  readonly #clients: ReadonlyMap<string, string>;
  /** People without an account here read nothing, and bots' marks mean nothing. */
  readonly #readers: ReadonlySet<string>;

  constructor(
    archive: Archive,
    tables: ZulipTables,
    subscriptions: ZulipSubscriptions,
    readers: ReadonlySet<string>,
  ) {
    this.#archive = archive;
    this.#subscriptions = subscriptions;
    this.#readers = readers;
    this.#clients = new Map(
      tables.rows("zerver_client").map((row) => [idOf(row, "id") ?? "", textOf(row, "name") ?? ""]),
    );
    for (const row of tables.rows("zerver_recipient")) {
      const [id, typeId] = [idOf(row, "id"), idOf(row, "type_id")];
      if (!id || !typeId) continue;
      if (row.type === 1) this.#places.set(id, { kind: "person", id: typeId });
      else if (row.type === 2) this.#places.set(id, { kind: "channel", channelId: typeId });
      else if (row.type === 3) this.#places.set(id, { kind: "group", ids: [] });
    }
    for (const row of tables.rows("zerver_userprofile_crossrealm")) {
      const [id, recipient] = [idOf(row, "id"), idOf(row, "recipient_id")];
      if (id && recipient) this.#places.set(recipient, { kind: "person", id });
    }
    for (const row of tables.rows("zerver_subscription")) {
      const place = this.#places.get(idOf(row, "recipient") ?? "");
      const personId = idOf(row, "user_profile");
      if (place?.kind === "group" && personId) place.ids.push(personId);
    }
  }

  async *read(report: Report): AsyncGenerator<SourceMessage> {
    const names = [...this.#archive.files.keys()].filter((name) => MESSAGE_FILE.test(name)).sort();
    for (const name of names) yield* this.#readFile(name, report);
  }

  async *#readFile(name: string, report: Report): AsyncGenerator<SourceMessage> {
    const messages = new Map<string, SourceMessage>();
    const marks: { personId: string; messageId: string; mask: number }[] = [];
    const path = this.#archive.files.get(name)?.path as string;
    const mark = ({ personId, messageId, mask }: (typeof marks)[number]) => {
      const message = messages.get(messageId);
      if (message) this.#mark(message, personId, mask);
    };
    let isAfterMessages = false;
    for await (const { table, row } of readJsonRows(path, name)) {
      if (!isRow(row)) continue;
      if (table === "zerver_message") {
        const message = this.#message(row, report);
        if (message) messages.set(String(message.id), message);
        if (messages.size > MAX_MESSAGES_A_FILE) {
          throw new ArchiveError(`${name} has more than ${MAX_MESSAGES_A_FILE} messages.`);
        }
        isAfterMessages = true;
      } else if (table === "zerver_usermessage") {
        const [personId, messageId] = [idOf(row, "user_profile"), idOf(row, "message")];
        if (!personId || !messageId) continue;
        const read = { personId, messageId, mask: numberOf(row, "flags_mask") ?? READ };
        if (isAfterMessages) mark(read);
        else marks.push(read);
      }
    }
    for (const each of marks) mark(each);
    yield* messages.values();
  }

  #message(row: Row, report: Report): SourceMessage | undefined {
    report.found("messages");
    const id = numberOf(row, "id");
    const senderId = idOf(row, "sender");
    const sentAt = millisecondsOf(row, "date_sent") ?? millisecondsOf(row, "pub_date");
    const text = textOf(row, "content");
    const example = `message ${id}`;
    if (
      id === undefined ||
      !Number.isSafeInteger(id) ||
      id <= 0 ||
      senderId === undefined ||
      text === undefined
    ) {
      report.lose("messages without an id, a sender or a text were left out", example);
      return undefined;
    }
    if (sentAt === undefined) {
      report.lose("messages without a time were left out", example);
      return undefined;
    }
    const to = this.#addressee(row, senderId);
    if (to === undefined) {
      report.lose("messages to channels or conversations that the archive lacks were left out", example);
      return undefined;
    }
    const edits = readEdits(row, report);
    const changed = (field: "previousText" | "previousTopic" | "previousChannelId") =>
      edits.findLast((edit) => edit[field] !== null)?.at ?? null;
    const movedAt = Math.max(changed("previousTopic") ?? 0, changed("previousChannelId") ?? 0) || null;
    const isEdited = typeof row.edit_history !== "string" || changed("previousText") !== null;
    return {
      id,
      order: id,
      sentAt,
      senderId,
      to,
      text,
      client: this.#clients.get(idOf(row, "sending_client") ?? "") ?? "",
      editedAt:
        changed("previousText") ?? (isEdited ? (millisecondsOf(row, "last_edit_time") ?? null) : null),
      movedAt,
      edits,
      flags: [],
      unreadBy: [],
    };
  }

  #addressee(row: Row, senderId: string): SourceMessage["to"] | undefined {
    const place = this.#places.get(idOf(row, "recipient") ?? "");
    switch (place?.kind) {
      case "channel": {
        const topic = textOf(row, "subject") ?? "";
        return { channelId: place.channelId, topic: topic === PERSONAL_TOPIC ? "" : topic };
      }
      case "person":
        return { personIds: [...new Set([senderId, place.id])] };
      case "group":
        // A person who left the organization before it knew inactive members may have no row.
        return place.ids.length === 0 ? undefined : { personIds: [...new Set([senderId, ...place.ids])] };
      default:
        return undefined;
    }
  }

  #mark(message: SourceMessage, personId: string, mask: number): void {
    const bits = flagBits.reduce((sum, [theirs, ours]) => ((mask & theirs) === 0 ? sum : sum | ours), 0);
    if (bits !== 0) message.flags.push([personId, bits]);
    if ((mask & HISTORICAL) !== 0) return;
    if ("channelId" in message.to)
      this.#subscriptions.noteReceived(message.to.channelId, personId, message.order);
    if ((mask & READ) === 0 && this.#readers.has(personId)) message.unreadBy.push(personId);
  }
}

/** Whose unread messages are kept. */
export function readersOf(tables: ZulipTables): Set<string> {
  return new Set(
    tables
      .rows("zerver_userprofile")
      .filter((row) => flagOf(row, "is_active") && !flagOf(row, "is_bot"))
      .map((row) => idOf(row, "id") ?? ""),
  );
}
