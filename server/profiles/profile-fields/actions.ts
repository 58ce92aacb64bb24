import { ApiError, errors } from "../../../api/errors.ts";
import { profileFieldsChanged } from "../../../api/events/profile-fields.ts";
import { unprintableAt } from "../../../api/fields.ts";
import { findHidden, findHiddenInName, normalizeName } from "../../../api/hidden-characters.ts";
import type { ProfileFieldId } from "../../../api/ids.ts";
import {
  MAX_PROFILE_FIELD_HINT_LENGTH,
  MAX_PROFILE_FIELD_NAME_LENGTH,
  MAX_PROFILE_FIELDS,
  MAX_PROFILE_OPTIONS,
  MAX_SUMMARY_FIELDS,
} from "../../../api/limits.ts";
import { findAlike } from "../../../api/name-likeness.ts";
import type { FieldData } from "../../../api/profiles/profile-field.ts";
import { type ProfileFieldType, profileFieldTypes } from "../../../api/profiles/profile-field-types.ts";
import { changesBetween } from "../../organization/audit-log/changes.ts";
import { recordAudit } from "../../organization/audit-log/record.ts";
import type { Quotas } from "../../people/quotas/quotas.ts";
import type { ViewerChange } from "../../people/viewer/change.ts";
import { checkAdministrator } from "../../people/viewer/current-viewer.ts";
import { everyone, type StatePatch } from "../../platform/log/log-entry.ts";
import { patchOf } from "../../platform/log/projection.ts";
import { accessField } from "./access.ts";
import { listedAccount, parseFieldData } from "./field-data.ts";
import { profileValues } from "./kept-values.ts";
import { presentField } from "./present.ts";
import { optionKeys, profileFields } from "./profile-fields.ts";
import { deleteField, insertField, type ProfileField, updateField, updateFieldOrder } from "./store.ts";
import { deleteOtherValues } from "./value-store.ts";

/** The properties of a field that a request names. */
export interface FieldRequest {
  name?: string | undefined;
  hint?: string | undefined;
  fieldData?: FieldData | undefined;
  required?: boolean | undefined;
  displayInProfileSummary?: boolean | undefined;
  editableByUser?: boolean | undefined;
}

/** Types whose values are too large for a short form of a profile (spec E4). */
const unfitForSummary: readonly ProfileFieldType[] = [
  profileFieldTypes.LONG_TEXT.id,
  profileFieldTypes.USER.id,
];

/**
 * Adds a field after the others (spec E4). Everyone gets an event with all fields. A field for a service of
 * the list has the service's name and hint, unless others are given.
 */
export async function createProfileField(
  tx: ViewerChange,
  quotas: Quotas,
  type: ProfileFieldType,
  request: FieldRequest,
): Promise<ProfileField> {
  checkAdministrator(tx.viewer);
  const { all } = tx.state.get(profileFields);
  const account = listedAccount(type, request.fieldData);
  const field = {
    type,
    name: parseName(request.name?.trim() || account?.name || ""),
    hint: parseHint(request.hint?.trim() || account?.hint || ""),
    fieldData: parseFieldData(type, request.fieldData),
    isRequired: request.required ?? false,
    isEditableByUser: request.editableByUser ?? true,
    isInSummary: request.displayInProfileSummary ?? false,
  };
  if (all.length >= MAX_PROFILE_FIELDS) {
    throw new ApiError(errors.tooManyProfileFields, { limit: MAX_PROFILE_FIELDS });
  }
  checkNameIsFree(field.name, all);
  checkBesideOthers(field, all);
  await quotas.use(tx, "profile fields");
  const created = await insertField(tx, tx.state.organizationId, field);
  await record(tx, "profile_field_created", undefined, created);
  announce(tx, [...all, created]);
  return created;
}

/**
 * Changes the given properties of a field. Everyone gets an event with all fields. The values of people who
 * chose an option that is gone are deleted, without events of their own.
 */
export async function updateProfileField(tx: ViewerChange, id: number, request: FieldRequest): Promise<void> {
  checkAdministrator(tx.viewer);
  const { organizationId } = tx.state;
  const before = accessField(tx.state, id);
  const { all } = tx.state.get(profileFields);
  const after: ProfileField = {
    ...before,
    name: request.name === undefined || request.name === before.name ? before.name : parseName(request.name),
    hint: request.hint === undefined ? before.hint : parseHint(request.hint),
    fieldData:
      request.fieldData === undefined ? before.fieldData : parseFieldData(before.type, request.fieldData),
    isRequired: request.required ?? before.isRequired,
    isEditableByUser: request.editableByUser ?? before.isEditableByUser,
    isInSummary: request.displayInProfileSummary ?? before.isInSummary,
  };
  const others = all.filter((field) => field !== before);
  if (after.name !== before.name) checkNameIsFree(after.name, others);
  checkBesideOthers(after, others);
  if (JSON.stringify(after) === JSON.stringify(before)) return;
  await updateField(tx, organizationId, after);
  const kept = optionKeys(after);
  if (optionKeys(before).some((key) => !kept.includes(key))) {
    await deleteOtherValues(tx, organizationId, after.id, kept);
  }
  await record(tx, "profile_field_updated", before, after);
  announce(
    tx,
    all.map((field) => (field === before ? after : field)),
    patchOf(profileValues, null),
  );
}

/** Deletes a field and everybody's values of it. Everyone gets an event with the remaining fields. */
export async function deleteProfileField(tx: ViewerChange, id: number): Promise<void> {
  checkAdministrator(tx.viewer);
  const field = accessField(tx.state, id);
  await deleteField(tx, tx.state.organizationId, field.id);
  await record(tx, "profile_field_deleted", field, undefined);
  announce(
    tx,
    tx.state.get(profileFields).all.filter((each) => each !== field),
    patchOf(profileValues, null),
  );
}

/** Reorders the fields. The order must name each of them once. Everyone gets an event with all fields. */
export async function reorderProfileFields(tx: ViewerChange, order: readonly number[]): Promise<void> {
  checkAdministrator(tx.viewer);
  const fields = tx.state.get(profileFields);
  const named = new Set(order).size === order.length ? order.flatMap((id) => fields.find(id) ?? []) : [];
  if (order.length !== fields.all.length || named.length !== order.length) {
    throw new ApiError(errors.invalidFieldOrder);
  }
  const ordered = named.map((field, index) => ({ ...field, order: index + 1 }));
  if (JSON.stringify(ordered) === JSON.stringify(fields.all)) return;
  await updateFieldOrder(tx, tx.state.organizationId, order as readonly ProfileFieldId[]);
  const changes = { order: { old: fields.all.map(({ id }) => id), new: order } };
  await recordAudit(tx, { action: "profile_fields_reordered", changes });
  announce(tx, ordered);
}

async function record(
  tx: ViewerChange,
  action: "profile_field_created" | "profile_field_updated" | "profile_field_deleted",
  before: ProfileField | undefined,
  after: ProfileField | undefined,
): Promise<void> {
  const changes = changesBetween(before ? presentField(before) : {}, after ? presentField(after) : {});
  await recordAudit(tx, { action, targetId: (after ?? before)?.id, changes });
}

function announce(tx: ViewerChange, fields: readonly ProfileField[], ...patches: StatePatch[]): void {
  const event = { fields: fields.map(presentField) };
  tx.append(profileFieldsChanged, event, everyone, patchOf(profileFields, fields), ...patches);
}

function parseName(text: string): string {
  const name = normalizeName(text);
  if (name === "") throw new ApiError(errors.blank, { name: "name" });
  return parseLabel("name", name, MAX_PROFILE_FIELD_NAME_LENGTH);
}

function parseHint(text: string): string {
  return parseLabel("hint", text.trim(), MAX_PROFILE_FIELD_HINT_LENGTH);
}

function parseLabel(name: string, text: string, limit: number): string {
  if ([...text].length > limit) throw new ApiError(errors.tooLong, { name, limit });
  const position = unprintableAt(text, name === "name" ? findHiddenInName : findHidden);
  if (position !== undefined) throw new ApiError(errors.profileFieldCharacter, { name, position });
  return text;
}

/** Older fields may have names that are alike by now. */
function checkNameIsFree(name: string, others: readonly ProfileField[]): void {
  if (findAlike(others, name)) throw new ApiError(errors.profileFieldNameTaken);
}

/** What holds for all fields of an organization together. */
function checkBesideOthers(field: Omit<ProfileField, "id" | "order">, others: readonly ProfileField[]): void {
  const options = [field, ...others].reduce((sum, each) => sum + optionKeys(each).length, 0);
  if (options > MAX_PROFILE_OPTIONS) {
    throw new ApiError(errors.tooManyProfileOptions, { limit: MAX_PROFILE_OPTIONS });
  }
  if (!field.isInSummary) return;
  if (unfitForSummary.includes(field.type)) throw new ApiError(errors.summaryFieldType);
  if (others.filter(({ isInSummary }) => isInSummary).length >= MAX_SUMMARY_FIELDS) {
    throw new ApiError(errors.tooManySummaryFields, { limit: MAX_SUMMARY_FIELDS });
  }
}
