/**
 * Reads a whole archive before anything is written. What a row names must be in the archive, and each value
 * must be what its column is declared to be. So an archive that is torn, foreign or hostile leaves nothing.
 */
import { roles } from "../../../api/roles.ts";
import { filesOfRow } from "../../administration/exports/whole/files.ts";
import { wholeTables } from "../../administration/exports/whole/tables.ts";
import { parseWebTemplate } from "../../content/linkifiers/web-template.ts";
import { systemGroups } from "../../groups/group.ts";
import { parseOrganizationName } from "../../organization/names.ts";
import { isEmail } from "../../people/names.ts";
import { ArchiveError } from "../archive/archive-error.ts";
import type { Row } from "../archive/row.ts";
import type { Archive } from "../archive/unpack.ts";
import { isTimezone } from "../core/plan.ts";
import type { Report } from "../core/report.ts";
import { type Head, readHead, readStoredFiles, type StoredFile } from "./head.ts";
import { Ids } from "./ids.ts";
import { checkedObject, type KnownIds } from "./json-values.ts";
import { rowsOf, type TableRow } from "./rows.ts";
import { isSafeHtml } from "./texts.ts";
import { isValue } from "./values.ts";

/** All of them are in the memory of each node. */
const MAX_PEOPLE = 1_000_000;
const READ_STEP = 1000;

export const UNSAFE_HTML = "texts whose HTML no server writes are shown as they were typed";
export const LOST_FILE = "files that the storage of the old server had lost do not come";
const LOST_TIMEZONE = "time zones that this server does not have become UTC";
/**
 * One address. Those of bots, and of people who came without one, end with the host name of the server, which
 * may have a port or be an address of IPv6.
 */
const EMAIL = /^[^\s\p{Cc}@"'<>,;:()[\]\\]{1,250}@[^\s\p{Cc}@"'<>,;()\\]{1,300}$/u;
const LOST_SETTING = "settings that this server does not have, or not with this value, do not come";

/** An archive of which everything was checked. */
export interface ReadWhole extends KnownIds {
  archive: Archive;
  head: Head;
  name: string;
  files: ReadonlyMap<string, StoredFile>;
  /** The last id of each table whose rows keep theirs. */
  lastIds: ReadonlyMap<string, number>;
  /** How many rows there are in all. */
  rows: number;
  uploads: ReadonlySet<string>;
  emoji: ReadonlySet<string>;
  /** The keys of files that rows name and the archive has. */
  keys: readonly string[];
}

/** Tables whose ids others name. Rows of other tables get ids here. */
export const keptIds: ReadonlySet<string> = new Set([
  ...wholeTables.flatMap(({ columns }) =>
    columns.flatMap((column) => (column.kind === "row" || column.kind === "rows" ? [column.table] : [])),
  ),
  // Messages name conversations beside channels, and reactions have ids of emoji in their codes.
  ...["conversations", "custom_emoji"],
]);

/** Throws an ArchiveError for an archive that can't be imported. `schema`: of this server. */
export async function readWhole(
  archive: Archive,
  { schema, report, signal, onRead }: ReadOptions,
): Promise<ReadWhole> {
  const head = await readHead(archive, schema);
  const files = await readStoredFiles(archive, signal);
  const check = new Check(head, report);
  for await (const each of rowsOf(archive)) {
    check.row(each);
    if (check.rows % READ_STEP !== 0) continue;
    signal?.throwIfAborted();
    onRead?.(check.rows);
  }
  check.end();
  for (const key of new Set(check.files)) {
    report.found("files");
    if (files.has(key)) report.taken("files");
    else report.lose(LOST_FILE, key);
  }
  return {
    ...{ archive, head, files, name: check.name, rows: check.rows },
    ...{ uploads: check.uploads, emoji: check.emoji },
    keys: [...new Set(check.files)].filter((key) => files.has(key)),
    lastIds: new Map([...check.ids].map(([table, ids]) => [table, ids.last])),
    has: (table, id) => check.has(table, id),
  };
}

export interface ReadOptions {
  schema: number;
  report: Report;
  signal?: AbortSignal | undefined;
  onRead?(rows: number): void;
}

/** Kinds that people count in, by their tables. All others are counted together. */
const shownKinds: Readonly<Record<string, string>> = {
  users: "people and bots",
  groups: "groups",
  channels: "channels",
  messages: "messages",
  reactions: "reactions",
  custom_emoji: "emoji",
};

class Check implements KnownIds {
  readonly ids = new Map<string, Ids>();
  readonly files: string[] = [];
  readonly uploads = new Set<string>();
  readonly emoji = new Set<string>();
  name = "";
  rows = 0;
  readonly #head: Head;
  readonly #report: Report;
  readonly #counts = new Map<string, number>();
  readonly #systemCodes: unknown[] = [];
  readonly #topicChannels: number[] = [];
  /** Permissions of groups, which may name groups further on. */
  readonly #named: { table: string; id: number; of: TableRow }[] = [];
  #systemPeople = 0;
  #owners = 0;

  constructor(head: Head, report: Report) {
    this.#head = head;
    this.#report = report;
  }

  has(table: string, id: number): boolean {
    return this.ids.get(table)?.has(id) ?? false;
  }

  row(given: TableRow): void {
    const { table, row } = given;
    this.rows++;
    const kind = `tables/${table.name}`;
    this.#counts.set(kind, (this.#counts.get(kind) ?? 0) + 1);
    const rules = { known: this, logHead: this.#head.logHead };
    for (const column of table.columns) {
      const value = row[column.name];
      if (value === undefined || !isValue(column, value, rules)) throw wrong(given, column.name);
      if (column.kind === "json" && value !== null) this.#checkObject(given, column.name, column.of);
      if (column.kind === "html" && value !== null && !isSafeHtml(value as string)) {
        this.#report.lose(UNSAFE_HTML, `${kind} ${row.id ?? ""}`);
      }
    }
    if (keptIds.has(table.name)) this.#addId(given);
    this.#lookAt(given);
    this.files.push(...filesOfRow(table, row));
    const shown = shownKinds[table.name] ?? "other records";
    this.#report.found(shown);
    this.#report.taken(shown);
  }

  /** Throws for what only all rows together show. */
  end(): void {
    for (const [kind, count] of this.#head.counts) {
      if (kind.startsWith("tables/") && this.#counts.get(kind) !== count) {
        throw new ArchiveError(`The archive says that it has ${count} rows of ${kind}, and has others.`);
      }
    }
    for (const { table, id, of } of this.#named) if (!this.has(table, id)) throw wrong(of, "settings");
    const codes = Object.values(systemGroups).map(({ code }) => code);
    const isComplete = codes.every((code) => this.#systemCodes.filter((each) => each === code).length === 1);
    if (!isComplete || this.#systemCodes.length !== codes.length) {
      throw new ArchiveError("The archive has not each group of roles once.");
    }
    if (this.#counts.get("tables/organizations") !== 1 || this.#systemPeople !== 1) {
      throw new ArchiveError("The archive is not that of one organization.");
    }
    if (this.#owners === 0) throw new ArchiveError("The archive has no owner who could sign in.");
  }

  #addId(given: TableRow): void {
    const { table, row } = given;
    let ids = this.ids.get(table.name);
    if (!ids) {
      ids = new Ids();
      this.ids.set(table.name, ids);
    }
    if (!ids.add(row.id as number)) throw wrong(given, "id");
    const isTaken = table.name === "conversations" && this.has("channels", row.id as number);
    if (isTaken || (table.name === "messages" && (row.id as number) > this.#head.logHead))
      throw wrong(given, "id");
  }

  #checkObject(given: TableRow, name: string, of: Parameters<typeof checkedObject>[0]): void {
    const value = given.row[name];
    if (!checkedObject(of, value, this, (field) => this.#report.lose(LOST_SETTING, field)))
      throw wrong(given, name);
    if (of !== "group_permissions") return;
    for (const each of Object.values(value as Row)) {
      if (typeof each === "number") this.#named.push({ table: "groups", id: each, of: given });
      const { direct_members = [], direct_subgroups = [] } = each as Record<string, number[]>;
      for (const id of direct_members) this.#named.push({ table: "users", id, of: given });
      for (const id of direct_subgroups) this.#named.push({ table: "groups", id, of: given });
    }
  }

  /** What a column's declaration does not say. */
  #lookAt(given: TableRow): void {
    const { table, row } = given;
    switch (table.name) {
      case "users":
        this.#lookAtPerson(given);
        return;
      case "groups":
        if (row.system_role !== null) this.#systemCodes.push(row.system_role);
        return;
      case "conversations": {
        const ids = row.user_ids as number[];
        const isSorted = ids.every((id, index) => index === 0 || (ids[index - 1] as number) < id);
        if (ids.length === 0 || !isSorted) throw wrong(given, "user_ids");
        return;
      }
      case "topics":
        this.#topicChannels.push(row.channel_id as number);
        return;
      case "uploads":
        this.uploads.add((row.storage_key as string).slice("uploads/".length));
        if (!(row.path as string).startsWith(`${(row.storage_key as string).slice("uploads/".length)}/`))
          throw wrong(given, "path");
        return;
      case "custom_emoji":
        this.emoji.add(row.file_name as string);
        return;
      case "messages": {
        const channelId = row.topic_id === null ? undefined : this.#channelOf(row.topic_id as number);
        const isDirect = this.has("conversations", row.recipient_id as number);
        if (isDirect ? channelId !== undefined : channelId !== row.recipient_id)
          throw wrong(given, "topic_id");
        return;
      }
      case "linkifiers":
      case "playgrounds":
        // People follow these links, so they must lead to the web.
        parsed(given, "url_template", () => parseWebTemplate(row.url_template as string));
        return;
      case "invitations":
        if (typeof row.email !== "string" || !isEmail(row.email)) throw wrong(given, "email");
        return;
      case "organizations":
        this.name = parsed(given, "name", () => parseOrganizationName(row.name as string));
    }
  }

  #lookAtPerson(given: TableRow): void {
    const { row } = given;
    if (!Object.values<unknown>(roles).includes(row.role)) throw wrong(given, "role");
    // Mails go there.
    if (!EMAIL.test(row.email as string)) throw wrong(given, "email");
    if (!isTimezone(row.timezone as string)) this.#report.lose(LOST_TIMEZONE, row.timezone as string);
    if (row.is_system === true) this.#systemPeople++;
    else if (row.role === roles.owner && row.deactivated_at === null && row.bot_type === null) this.#owners++;
    if (this.#counts.get("tables/users") === MAX_PEOPLE)
      throw new ArchiveError(`The archive has more than ${MAX_PEOPLE} people.`);
  }

  #channelOf(topicId: number): number | undefined {
    const place = this.ids.get("topics")?.placeOf(topicId);
    return place === undefined ? undefined : this.#topicChannels[place];
  }
}

function wrong({ file, line }: TableRow, column: string): ArchiveError {
  return new ArchiveError(`${file} has a wrong ${column} in line ${line}.`);
}

function parsed<T>(given: TableRow, column: string, parse: () => T): T {
  try {
    return parse();
  } catch {
    throw wrong(given, column);
  }
}
