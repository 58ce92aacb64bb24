/** What administrators do with linkifiers. Everyone whose client knows URL templates gets all of them. */
import { ApiError, errors } from "../../../api/errors.ts";
import { linkifiersChanged } from "../../../api/events/linkifiers.ts";
import { MAX_LINKIFIERS } from "../../../api/limits.ts";
import { changesBetween } from "../../organization/audit-log/changes.ts";
import { recordAudit } from "../../organization/audit-log/record.ts";
import type { ViewerChange } from "../../people/viewer/change.ts";
import { checkAdministrator } from "../../people/viewer/current-viewer.ts";
import { everyone } from "../../platform/log/log-entry.ts";
import { patchOf } from "../../platform/log/projection.ts";
import { parseLinkifier } from "./content.ts";
import { linkifiers } from "./linkifier.ts";
import { presentLinkifier } from "./present.ts";
import {
  deleteLinkifier,
  insertLinkifier,
  type LinkifierContent,
  type LinkifierRow,
  listLinkifiers,
  updateLinkifier,
  updateLinkifierOrder,
} from "./store.ts";

/** Adds a linkifier after the existing ones, and returns its id. Throws what `parseLinkifier` throws too. */
export async function addLinkifier(tx: ViewerChange, given: LinkifierContent): Promise<number> {
  checkAdministrator(tx.viewer);
  const content = parseLinkifier(given);
  const { rows } = tx.state.get(linkifiers);
  checkIsFree(rows, content.pattern);
  if (rows.length >= MAX_LINKIFIERS) {
    throw new ApiError(errors.tooManyInOrganization, { what: "linkifiers", limit: MAX_LINKIFIERS });
  }
  const id = await insertLinkifier(tx, tx.state.organizationId, content);
  await record(tx, "linkifier_created", id, undefined, content);
  await announce(tx);
  return id;
}

/** Gives a linkifier another pattern and template, in its place. Throws what `parseLinkifier` throws too. */
export async function changeLinkifier(tx: ViewerChange, id: number, given: LinkifierContent): Promise<void> {
  checkAdministrator(tx.viewer);
  const before = accessLinkifier(tx, id);
  const content = parseLinkifier(given);
  checkIsFree(
    tx.state.get(linkifiers).rows.filter((row) => row.id !== id),
    content.pattern,
  );
  if (content.pattern === before.pattern && content.urlTemplate === before.urlTemplate) return;
  await updateLinkifier(tx, tx.state.organizationId, { id, ...content });
  await record(tx, "linkifier_updated", id, before, content);
  await announce(tx);
}

/** Removes a linkifier. Messages keep the links that they have; a topic's are made when it is read. */
export async function removeLinkifier(tx: ViewerChange, id: number): Promise<void> {
  checkAdministrator(tx.viewer);
  const before = accessLinkifier(tx, id);
  await deleteLinkifier(tx, tx.state.organizationId, id);
  await record(tx, "linkifier_removed", id, before, undefined);
  await announce(tx);
}

/** Reorders the linkifiers. The order must name each of them once. */
export async function reorderLinkifiers(tx: ViewerChange, order: readonly number[]): Promise<void> {
  checkAdministrator(tx.viewer);
  const ids = tx.state.get(linkifiers).rows.map(({ id }) => id);
  const named = new Set(order);
  if (named.size < order.length) throw new ApiError(errors.duplicatedLinkifiers);
  if (named.size !== ids.length || !ids.every((id) => named.has(id))) {
    throw new ApiError(errors.incompleteLinkifierOrder);
  }
  if (ids.every((id, place) => id === order[place])) return;
  await updateLinkifierOrder(tx, tx.state.organizationId, order);
  await recordAudit(tx, { action: "linkifiers_reordered", changes: { order: { old: ids, new: order } } });
  await announce(tx);
}

async function record(
  tx: ViewerChange,
  action: "linkifier_created" | "linkifier_updated" | "linkifier_removed",
  id: number,
  before: LinkifierContent | undefined,
  after: LinkifierContent | undefined,
): Promise<void> {
  await recordAudit(tx, { action, targetId: id, changes: changesBetween(fieldsOf(before), fieldsOf(after)) });
}

function fieldsOf(content: LinkifierContent | undefined) {
  return content ? { pattern: content.pattern, url_template: content.urlTemplate } : {};
}

function accessLinkifier(tx: ViewerChange, id: number): LinkifierRow {
  const row = tx.state.get(linkifiers).rows.find((each) => each.id === id);
  if (!row) throw new ApiError(errors.linkifierNotFound);
  return row;
}

function checkIsFree(others: readonly LinkifierRow[], pattern: string): void {
  if (others.some((row) => row.pattern === pattern)) throw new ApiError(errors.linkifierPatternTaken);
}

async function announce(tx: ViewerChange): Promise<void> {
  const rows = await listLinkifiers(tx, tx.state.organizationId);
  const fields = { realm_linkifiers: rows.map(presentLinkifier) };
  tx.append(linkifiersChanged, fields, everyone, patchOf(linkifiers, rows));
}
