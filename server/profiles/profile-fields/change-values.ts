import { ApiError, errors } from "../../../api/errors.ts";
import { userProfileFieldChanged } from "../../../api/events/users.ts";
import type { UserId } from "../../../api/ids.ts";
import { profileFieldTypes } from "../../../api/profiles/profile-field-types.ts";
import { canSeeChannel } from "../../channels/access.ts";
import { renderContent } from "../../content/rendering.ts";
import { recordAudit } from "../../organization/audit-log/record.ts";
import type { Quotas } from "../../people/quotas/quotas.ts";
import type { User } from "../../people/user.ts";
import type { ViewerChange } from "../../people/viewer/change.ts";
import { lockOwnLists } from "../../people/viewer/own-lists.ts";
import type { Change } from "../../platform/log/change.ts";
import { everyone } from "../../platform/log/log-entry.ts";
import { patchOf } from "../../platform/log/projection.ts";
import { StaleMemory } from "../../platform/log/stale-memory.ts";
import { accessFieldToFill } from "./access.ts";
import { profileValues } from "./kept-values.ts";
import { type GivenValue, parseValue } from "./parse-value.ts";
import { type ProfileField, shareFields } from "./store.ts";
import { deleteValues, listValuesOf, type ProfileValue, upsertValues } from "./value-store.ts";

const takeMarkdown: readonly number[] = [profileFieldTypes.SHORT_TEXT.id, profileFieldTypes.LONG_TEXT.id];

/**
 * Sets a person's values of the given fields, all or none; the last one counts if a field is named twice.
 * Everyone gets an event for each change. Throws what `accessFieldToFill` and `parseValue` throw, and
 * `noProfileDataOfBots`.
 */
export async function setProfileData(
  tx: ViewerChange,
  quotas: Quotas,
  target: User,
  data: readonly { id: number; value: GivenValue }[],
): Promise<void> {
  if (data.length === 0) return;
  if (target.botType !== null) throw new ApiError(errors.noProfileDataOfBots);
  const wanted = new Map<ProfileField, string | null>();
  for (const { id, value } of data) {
    const field = accessFieldToFill(tx.viewer, id);
    wanted.set(field, parseValue(tx.viewer, field, value));
  }
  await changeValues(tx, quotas, target, wanted);
}

/**
 * LOCK: the person, so that what is there stays as it is until it is written over. Then the fields, shared: a
 * transaction that deletes a field or an option waits, and deletes what is written here.
 */
async function changeValues(
  tx: ViewerChange,
  quotas: Quotas,
  target: User,
  wanted: ReadonlyMap<ProfileField, string | null>,
): Promise<void> {
  const { organizationId } = tx.state;
  const fields = [...wanted.keys()];
  await lockOwnLists(tx, target.id);
  const found = await shareFields(
    tx,
    organizationId,
    fields.map(({ id }) => id),
  );
  if (found.length < fields.length) throw new StaleMemory();
  const there = new Map(
    (await listValuesOf(tx, organizationId, target.id)).map(({ fieldId, value }) => [fieldId, value]),
  );
  const changed = fields.filter((field) => wanted.get(field) !== (there.get(field.id) ?? null));
  await quotas.use(tx, "profile values", changed.length);
  const written: ProfileValue[] = [];
  for (const field of changed) {
    const value = wanted.get(field) ?? null;
    if (value !== null) written.push(render(tx, field, value));
  }
  const kept = new Map(written.map((value) => [value.fieldId, value]));
  const removed = changed.filter(({ id }) => !kept.has(id));
  if (written.length > 0) await upsertValues(tx, organizationId, target.id, written);
  if (removed.length > 0) {
    await deleteValues(
      tx,
      organizationId,
      target.id,
      removed.map(({ id }) => id),
    );
  }
  if (changed.length > 0 && target.id !== tx.viewer.user.id) {
    // Which fields, not what is in them: the profile shows that.
    const changes = { profile_fields: { new: changed.map(({ id }) => id) } };
    await recordAudit(tx, { action: "user_profile_changed", targetId: target.id, changes });
  }
  for (const { id } of changed) announce(tx, target.id, id, kept.get(id));
}

/** Removes all values of somebody whose account is erased. Everyone gets an event for each. */
export async function clearProfileData(tx: Change, userId: UserId): Promise<void> {
  const { organizationId } = tx.state;
  await lockOwnLists(tx, userId);
  const fieldIds = (await listValuesOf(tx, organizationId, userId)).map(({ fieldId }) => fieldId);
  if (fieldIds.length === 0) return;
  await deleteValues(tx, organizationId, userId, fieldIds);
  for (const fieldId of fieldIds) announce(tx, userId, fieldId, undefined);
}

/**
 * Links name public channels only, since everybody reads a profile. So short a text takes less than a
 * millisecond. To wait for a turn would hold the transaction's connection and locks.
 */
function render(tx: ViewerChange, { id, type }: ProfileField, value: string): ProfileValue {
  if (!takeMarkdown.includes(type)) return { fieldId: id, value, renderedValue: null };
  const { state } = tx;
  const { user } = tx.viewer;
  const { html } = renderContent(state, value, {
    writer: user,
    hasImages: false,
    canLink: (channel) => !channel.isPrivate && canSeeChannel(state, user, channel),
  });
  return { fieldId: id, value, renderedValue: html };
}

/** Everyone gets an event. undefined: the value is removed. */
export function announce(
  tx: Change,
  userId: UserId,
  fieldId: ProfileField["id"],
  value: ProfileValue | undefined,
): void {
  const rendered = value?.renderedValue ?? null;
  tx.append(
    userProfileFieldChanged,
    {
      person: {
        user_id: userId,
        custom_profile_field: {
          id: fieldId,
          value: value?.value ?? null,
          ...(rendered !== null && { rendered_value: rendered }),
        },
      },
    },
    everyone,
    patchOf(profileValues, [userId]),
  );
}
