/**
 * Writes what was read as a new organization, which no node can load until the last step. Rows come in
 * batches, each with the number of rows that are written. So an interrupted import goes on behind them.
 */
import type { OrganizationId } from "../../../api/ids.ts";
import type { WholeTable } from "../../administration/exports/whole/columns.ts";
import { imagePath } from "../../content/external-content/addresses.ts";
import { countMovedSpace, storeMovedPicture, storeMovedUploads } from "../../content/moved-files.ts";
import { changesBetween } from "../../organization/audit-log/changes.ts";
import { recordAudit } from "../../organization/audit-log/record.ts";
import { addUnopenedOrganization, openOrganization } from "../../organization/create.ts";
import { addPastKeys } from "../../people/past.ts";
import { enqueuePastDeliveries } from "../../personal/past.ts";
import type { Keyring } from "../../platform/crypto/keyring.ts";
import { analyze } from "../../platform/db/analyze.ts";
import { isDatabaseUnavailable } from "../../platform/db/database-unavailable.ts";
import { isServerBusy } from "../../platform/db/server-busy.ts";
import type { Services } from "../../services.ts";
import { endPrintedInvitations } from "../../website/setup/invitations.ts";
import { ArchiveError } from "../archive/archive-error.ts";
import type { Row } from "../archive/row.ts";
import { takeBack } from "../core/cancel.ts";
import { findEarlierRun, type ImportResult } from "../core/import.ts";
import { ImportUnderWay, withImportLock } from "../core/import-lock.ts";
import { DEFAULT_TIMEZONE, isTimezone } from "../core/plan.ts";
import type { Report } from "../core/report.ts";
import { advanceImport, type ImportRow, insertImport, updateImport } from "../core/store.ts";
import { keptIds, type ReadWhole } from "./check.ts";
import { checkedObject } from "./json-values.ts";
import { rowsOf } from "./rows.ts";
import {
  endReminders,
  findCounter,
  insertMembersOfConversations,
  insertRows,
  listPeople,
  moveCounter,
  updateOwnRow,
} from "./store.ts";
import { isSafeHtml, type Move, movedHtml, movedMarkdown, plainHtml } from "./texts.ts";

const BATCH_ROWS = 1000;
const BATCH_CHARS = 4 * 1024 * 1024;
const NO_TYPE = "application/octet-stream";
const NO_PICTURE = "pictures of people and emoji that are no pictures do not come";

type Uses = Pick<Services, "database" | "files" | "keyring" | "organizations">;

export interface WriteOptions {
  host: string;
  /** In place of the archive's. */
  name: string | undefined;
  signal?: AbortSignal | undefined;
  onWritten?(rows: number): void;
}

/**
 * Writes all, or the rest of it if an earlier run of the same archive was interrupted. Throws what `signal`
 * gives between two transactions, and a later call goes on there. An archive that contradicts itself in a way
 * that only the database sees throws an ArchiveError, and nothing of it stays.
 */
export function writeWhole(
  services: Uses,
  read: ReadWhole,
  options: WriteOptions,
  report: Report,
): Promise<ImportResult> {
  const { host } = options;
  return withImportLock(services.database, host, async () => {
    const row = await begin(services, read, options);
    if (row.finishedAt !== null) return "imported before";
    try {
      return await writeLocked(services, read, row, options, report);
    } catch (reason) {
      const error = explained(reason);
      if (!(error instanceof Contradiction)) throw error;
      if ((await takeBack(services, host)) !== "cancelled")
        throw new ImportUnderWay(`Another process has ended the import to ${host}.`);
      throw new ArchiveError(
        `The archive contradicts itself, so everything was taken back: ${error.message}`,
        { cause: error },
      );
    }
  });
}

/** Rows that don't fit each other or their columns, or of which no memory can be made. */
class Contradiction extends Error {}

/** By the database: its classes of values that don't fit, and of broken constraints. */
function explained(error: unknown): unknown {
  const { code, message } = error as { code?: unknown; message: string };
  return typeof code === "string" && /^(22|23)...$/.test(code)
    ? new Contradiction(message, { cause: error })
    : error;
}

async function begin(
  { database }: Uses,
  { archive, name: given }: ReadWhole,
  { host, name }: WriteOptions,
): Promise<ImportRow> {
  const known = await findEarlierRun({ database }, archive.digest, host);
  if (known) return known;
  return database.transaction(async (tx) => {
    const organization = { host, name: name ?? given, settings: {}, createdAt: new Date() };
    const organizationId = await addUnopenedOrganization(tx, organization);
    const run = { organizationId, source: "parley", archive: archive.digest };
    await insertImport(tx, run);
    return { ...run, step: "structure", messages: 0, finishedAt: null };
  });
}

async function writeLocked(
  services: Uses,
  read: ReadWhole,
  { organizationId, step, messages: written }: ImportRow,
  options: WriteOptions,
  report: Report,
): Promise<ImportResult> {
  const { database, files, keyring, organizations } = services;
  const { signal, host } = options;
  if (step === "structure") {
    await writeRows(services, read, { organizationId, written, options });
    await database.transaction((tx) =>
      updateImport(tx, organizationId, { step: "files", messages: read.rows }),
    );
  }
  await writeFiles({ database, files }, organizationId, read, { report, signal });
  for (const [table, last] of read.lastIds) {
    await database.transaction(async (tx) => {
      const counter = await findCounter(tx, table);
      if (counter !== null) await moveCounter(tx, counter, last);
    });
  }
  // What no node could load must not be opened.
  await organizations.unopened(organizationId).catch((error: Error) => {
    throw isDatabaseUnavailable(error) || isServerBusy(error)
      ? error
      : new Contradiction(error.message, { cause: error });
  });
  signal?.throwIfAborted();
  const { logHead } = read.head;
  const count = read.head.counts.get("tables/messages") ?? 0;
  await database.transaction(
    async (tx) => {
      await addPastKeys(tx, keyring, organizationId, await listPeople(tx, organizationId));
      await insertMembersOfConversations(tx, organizationId);
      await endReminders(tx, organizationId);
      await countMovedSpace(tx, organizationId);
      await enqueuePastDeliveries(tx, organizationId);
      const changes = changesBetween({}, { host, imported_from: "parley", messages: count });
      await recordAudit(
        { query: tx.query, state: { organizationId } },
        { action: "organization_created", changes },
      );
      await endPrintedInvitations(tx);
      await updateImport(tx, organizationId, { step: "done", messages: read.rows });
      await openOrganization(tx, organizationId, logHead);
    },
    { lane: "background" },
  );
  organizations.forgetUnknown();
  await analyze(database, ["users", "channels", "subscriptions", "log_positions", "messages", "topics"]);
  return { organizationId, messages: count };
}

interface RowsTarget {
  organizationId: OrganizationId;
  /** How many rows an earlier run has written. */
  written: number;
  options: WriteOptions;
}

async function writeRows(
  { database, keyring }: Uses,
  read: ReadWhole,
  { organizationId, written: before, options }: RowsTarget,
): Promise<void> {
  const mover = new Mover(read, keyring, organizationId, options.host);
  let place = 0;
  let reached = before;
  let batch: { table: WholeTable; rows: Row[]; chars: number } | undefined;
  const write = async () => {
    if (!batch) return;
    const { table, rows } = batch;
    batch = undefined;
    options.signal?.throwIfAborted();
    await database.transaction(
      async (tx) => {
        // The import's lock goes with its connection, which may break while this goes on.
        if (!(await advanceImport(tx, organizationId, { from: reached, to: place })))
          throw new ImportUnderWay(`Another process goes on with the import to ${options.host}.`);
        if (table.name === "organizations") await updateOwnRow(tx, organizationId, rows[0] as Row);
        else {
          const made = mover.madeColumns(table.name).map((name) => ({ name }));
          await insertRows(tx, organizationId, { table, rows, keepsIds: keptIds.has(table.name), made });
        }
      },
      { lane: "background" },
    );
    reached = place;
    options.onWritten?.(place);
  };
  for await (const { table, row } of rowsOf(read.archive)) {
    if (batch && (batch.table !== table || batch.rows.length === BATCH_ROWS || batch.chars > BATCH_CHARS))
      await write();
    place++;
    if (place <= before) continue;
    batch ??= { table, rows: [], chars: 0 };
    const moved = mover.row(table, row);
    batch.rows.push(moved);
    batch.chars += sizeOf(moved);
  }
  await write();
}

function sizeOf(row: Row): number {
  let chars = 0;
  for (const value of Object.values(row)) {
    if (typeof value === "string") chars += value.length;
    else if (typeof value === "object") chars += JSON.stringify(value).length;
  }
  return chars;
}

/** Makes rows of the new organization of those of the archive. */
class Mover {
  readonly #read: ReadWhole;
  readonly #keyring: Keyring;
  readonly #host: string;
  readonly #move: Move;

  constructor(read: ReadWhole, keyring: Keyring, organizationId: OrganizationId, host: string) {
    this.#read = read;
    this.#keyring = keyring;
    this.#host = host;
    this.#move = {
      from: read.head.organizationId,
      to: organizationId,
      hasUpload: (part) => read.uploads.has(part),
      hasEmoji: (file) => read.emoji.has(file),
      outsidePath: (url) => imagePath(keyring, organizationId, url),
    };
  }

  row(table: WholeTable, row: Row): Row {
    const moved: Row = {};
    for (const column of table.columns) {
      const { name, kind } = column;
      const value = row[name];
      if (value === null) moved[name] = null;
      else if (kind === "markdown") moved[name] = movedMarkdown(value as string, this.#move);
      else if (kind === "html") moved[name] = this.#html(value as string, row[name.replace("rendered_", "")]);
      else if (kind === "path" || kind === "key") moved[name] = `${this.#move.to}/${value}`;
      else if (kind === "json") moved[name] = checkedObject(column.of, value, this.#read, () => {});
      else moved[name] = value;
    }
    return { ...moved, ...this.#own(table.name, row) };
  }

  /** Secrets, which no archive has. */
  madeColumns(table: string): string[] {
    return table === "bots" ? ["token_encrypted"] : table === "invitations" ? ["token_hash"] : [];
  }

  #html(html: string, text: unknown): string {
    return isSafeHtml(html) ? movedHtml(html, this.#move) : plainHtml(typeof text === "string" ? text : "");
  }

  #own(table: string, row: Row): Row {
    switch (table) {
      case "users": {
        const email = `notification-bot@${this.#read.head.host}`;
        return {
          ...(row.is_system === true && row.email === email && { email: `notification-bot@${this.#host}` }),
          ...(!isTimezone(row.timezone as string) && { timezone: DEFAULT_TIMEZONE }),
        };
      }
      // The file says it.
      case "uploads":
        return { content_type: NO_TYPE, image: null };
      case "bots": {
        const token = this.#keyring.encrypt(this.#keyring.newApiKey());
        return { token_encrypted: row.payload_url === null ? null : token.toString("base64") };
      }
      case "invitations":
        return { token_hash: this.#keyring.hash(this.#keyring.newToken()).toString("base64") };
      default:
        return {};
    }
  }
}

async function writeFiles(
  { database, files }: Pick<Services, "database" | "files">,
  organizationId: OrganizationId,
  read: ReadWhole,
  { report, signal }: { report: Report; signal: AbortSignal | undefined },
): Promise<void> {
  const pathOf = (key: string) => read.files.get(key)?.path;
  for (const key of read.keys) {
    if (key.startsWith("uploads/")) continue;
    signal?.throwIfAborted();
    const isPicture = await storeMovedPicture(files, `${organizationId}/${key}`, pathOf(key) as string);
    if (!isPicture) report.lose(NO_PICTURE, key);
  }
  const prefix = `${organizationId}/`.length;
  await storeMovedUploads(
    { database, files },
    organizationId,
    (key) => pathOf(key.slice(prefix)),
    () => signal?.throwIfAborted(),
  );
}
