/**
 * Imports an archive of another chat as a new organization. Everything is read before anything is written,
 * so an archive that can't be imported leaves nothing. Until the last step the organization has no log: it
 * answers under no name, and no node loads it. Decision 65 has the reasons.
 */

import { organizationSettings } from "../../../api/administration/organization-settings.ts";
import type { OrganizationId, UserId } from "../../../api/ids.ts";
import { MAX_ORGANIZATION_NAME_LENGTH } from "../../../api/limits.ts";
import { leaveUnlinked } from "../../content/past.ts";
import { createSystemGroups } from "../../groups/create.ts";
import { changesBetween } from "../../organization/audit-log/changes.ts";
import { recordAudit } from "../../organization/audit-log/record.ts";
import { addUnopenedOrganization, openOrganization } from "../../organization/create.ts";
import { createNotificationBot } from "../../people/notification-bot.ts";
import { analyze } from "../../platform/db/analyze.ts";
import { FaultError } from "../../platform/faults/fault-error.ts";
import type { Services } from "../../services.ts";
import { endPrintedInvitations } from "../../website/setup/invitations.ts";
import { ArchiveError } from "../archive/archive-error.ts";
import { checkMessages } from "./check-messages.ts";
import { emojiToCome, writeEmoji, writeUploads } from "./files.ts";
import { readIds } from "./ids.ts";
import { withImportLock } from "./import-lock.ts";
import { writeMessages } from "./messages.ts";
import { cutTo, plainLine } from "./names.ts";
import { type Plan, planImport } from "./plan.ts";
import { checkReactions, writeReactions, writeTopicPolicies } from "./reactions.ts";
import { ReadMarks } from "./read-marks.ts";
import { ReadStates, UNKNOWN_SUBSCRIPTION, writeReaders } from "./readers.ts";
import type { ImportSource } from "./records.ts";
import type { Report } from "./report.ts";
import type { Spool } from "./spool.ts";
import { findImportByHost, hasOrganization, type ImportRow, insertImport, updateImport } from "./store.ts";
import { writeStructure } from "./structure.ts";

type Uses = Pick<Services, "database" | "files" | "keyring" | "organizations">;

export interface ImportOptions {
  host: string;
  /** In place of the source's. */
  name: string | undefined;
  /** The address of somebody who becomes an owner. */
  owner: string | undefined;
  /** How many of 100 messages may be left out before nothing is written. */
  maxSkippedPercent: number;
  /** An empty folder for what does not fit into memory. */
  folder: string;
  signal?: AbortSignal;
  onProgress?(progress: {
    step: "reading" | "files" | "writing";
    done: number;
    of: number | undefined;
  }): void;
}

/** What was read, and can be written. */
export interface ReadImport {
  source: ImportSource;
  plan: Plan;
  spool: Spool;
}

/** Reads everything and writes nothing. Throws an ArchiveError for an archive that can't be imported. */
export async function readImport(
  source: ImportSource,
  options: ImportOptions,
  report: Report,
): Promise<ReadImport> {
  const { signal, folder, maxSkippedPercent } = options;
  const plan = planImport(source, options, report);
  const spool = await checkMessages(source, plan, folder, {
    report,
    signal,
    onRead: (done) => options.onProgress?.({ step: "reading", done, of: undefined }),
  });
  checkSkipped(report, maxSkippedPercent);
  return { source, plan, spool };
}

/** More messages are left out than are allowed to be. The report says why. */
export class TooManySkipped extends ArchiveError {}

/** Throws TooManySkipped, once all messages were read. */
export function checkSkipped(report: Report, maxPercent: number): void {
  const { found, taken } = report.counts.get("messages") ?? { found: 0, taken: 0 };
  if (found - taken <= (found * maxPercent) / 100) return;
  throw new TooManySkipped(
    `${found - taken} of ${found} messages can't be imported, more than ${maxPercent} percent. Nothing was written. With --max-skipped PERCENT you can allow more.`,
  );
}

/** Counts what `writeImport` would tell of reactions, files and the rest. */
export async function reportTheRest({ source, plan, spool }: ReadImport, report: Report): Promise<void> {
  const people = new Set([...plan.people.map(({ id }) => id), ...plan.sameAs.keys()]);
  const emoji = new Set([...emojiToCome(source, report)].map(({ id }) => id));
  report.taken("emoji", emoji.size);
  for (const { file, fileName } of source.uploads) {
    if (file) report.taken("files");
    else report.lose("files that are not in the archive do not come", fileName);
  }
  const channels = new Set(plan.channels.map(({ id }) => id));
  for (const { channelId, personId, isCurrent } of source.subscriptions()) {
    if (!isCurrent) continue;
    report.found("subscriptions");
    if (people.has(personId) && channels.has(channelId)) report.taken("subscriptions");
    else report.lose(UNKNOWN_SUBSCRIPTION);
  }
  for (const { channelId, personId } of source.topicPolicies) {
    if (people.has(personId) && channels.has(channelId)) report.taken("topic policies");
  }
  const isKnown = (id: string) => people.has(id);
  for await (const _ of checkReactions(source, spool, isKnown, (id) => emoji.has(id), report));
}

/** The host name is taken by an organization that did not come from this archive. */
export class HostInUse extends FaultError {
  constructor(message: string, options?: ErrorOptions) {
    super("organization-exists", message, options);
  }
}

export type ImportResult = { organizationId: OrganizationId; messages: number } | "imported before";

/**
 * Writes what was read, or the rest of it if an earlier run of the same archive was interrupted. Throws what
 * `signal` gives between two transactions; a later call goes on there.
 */
export async function writeImport(
  services: Uses,
  read: ReadImport,
  options: ImportOptions,
  report: Report,
): Promise<ImportResult> {
  return withImportLock(services.database, options.host, () => writeLocked(services, read, options, report));
}

async function writeLocked(
  services: Uses,
  { source, plan, spool }: ReadImport,
  options: ImportOptions,
  report: Report,
): Promise<ImportResult> {
  const { database } = services;
  const row = await begin(services, source, options);
  if (row.finishedAt !== null) return "imported before";
  const { organizationId } = row;
  if (row.step === "structure") {
    await database.transaction(
      async (tx) => {
        await writeStructure(tx, { organizationId, source: source.name, keyring: services.keyring }, plan);
        await updateImport(tx, organizationId, { step: "files", messages: 0 });
      },
      { lane: "background" },
    );
  }
  const ids = await readIds(database, organizationId, plan);
  const { signal } = options;
  const owner = firstOwner(plan, ids.people);
  const target = { organizationId, source, people: ids.people, fallbackOwner: owner, signal };
  const emoji = await writeEmoji(services, target, report);
  const uploads = await writeUploads(services, target, report);
  const readStates = new ReadStates(report, new ReadMarks(source.readMarks, ids));
  const state = await services.organizations.unopened(organizationId);
  const onWritten = (done: number) => options.onProgress?.({ step: "writing", done, of: spool.size });
  await writeMessages(
    { database, state, source, plan, ids, uploads, readStates, report, signal, onWritten },
    spool,
    row.messages,
  );
  const head = spool.size;
  const bots = new Set(
    plan.people.filter(({ botType }) => botType !== null).map(({ id }) => ids.people.get(id)),
  );
  const readers = new Set([...ids.people.values()].filter((id) => !bots.has(id)));
  signal?.throwIfAborted();
  await database.transaction(
    async (tx) => {
      await writeReaders(tx, { organizationId, source, ids, readStates, readers, head }, report);
      await updateImport(tx, organizationId, { step: "reactions", messages: head });
    },
    { lane: "background" },
  );
  const rest = { database, organizationId, source, ids, emoji, signal };
  await writeTopicPolicies(rest, report);
  await writeReactions(rest, spool, report);
  signal?.throwIfAborted();
  await database.transaction(async (tx) => {
    await leaveUnlinked(tx, organizationId);
    const changes = changesBetween({}, { host: options.host, imported_from: source.name, messages: head });
    await recordAudit(
      { query: tx.query, state: { organizationId } },
      { action: "organization_created", changes },
    );
    await endPrintedInvitations(tx);
    await updateImport(tx, organizationId, { step: "done", messages: head });
    await openOrganization(tx, organizationId, head);
  });
  services.organizations.forgetUnknown();
  await analyze(database, ["users", "channels", "subscriptions", "log_positions", "messages", "topics"]);
  return { organizationId, messages: head };
}

/** The row of an earlier run of this import. Throws HostInUse if the host name is somebody else's. */
export async function findEarlierRun(
  { database }: Pick<Uses, "database">,
  digest: string,
  host: string,
): Promise<ImportRow | undefined> {
  const known = await findImportByHost(database, host);
  if (known) {
    if (known.archive === digest) return known;
    throw new HostInUse(
      known.finishedAt === null
        ? `An import of another archive to ${host} was interrupted. Run that one again, or take it back with parley import cancel --host ${host}.`
        : `There is already an organization at ${host}, which came from another archive. An import makes a new organization: choose another --host.`,
    );
  }
  if (await hasOrganization(database, host)) {
    throw new HostInUse(
      `There is already an organization at ${host}. An import makes a new organization: choose another --host.`,
    );
  }
  return undefined;
}

/** The row of this import, of an earlier run or a new one. */
async function begin(
  { database }: Uses,
  source: ImportSource,
  { host, name }: ImportOptions,
): Promise<ImportRow> {
  const known = await findEarlierRun({ database }, source.digest, host);
  if (known) return known;
  return database.transaction(async (tx) => {
    const { createdAt, messageRetentionDays } = source.organization;
    const settings =
      messageRetentionDays === null
        ? {}
        : { [organizationSettings.messageRetentionDays.name]: messageRetentionDays };
    const given = cutTo(plainLine(name ?? source.organization.name), MAX_ORGANIZATION_NAME_LENGTH) || host;
    const organization = { host, name: given.slice(0, MAX_ORGANIZATION_NAME_LENGTH), settings, createdAt };
    const organizationId = await addUnopenedOrganization(tx, organization);
    await createSystemGroups(tx, organizationId);
    await createNotificationBot(tx, organizationId, host);
    await insertImport(tx, { organizationId, source: source.name, archive: source.digest });
    return {
      organizationId,
      source: source.name,
      archive: source.digest,
      step: "structure",
      messages: 0,
      finishedAt: null,
    };
  });
}

function firstOwner(plan: Plan, people: ReadonlyMap<string, UserId>): UserId {
  const owner = plan.people.find(
    ({ role, isActive, botType }) => role === 100 && isActive && botType === null,
  );
  return people.get(owner?.id ?? "") as UserId;
}
