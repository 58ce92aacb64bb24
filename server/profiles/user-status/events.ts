import type { FieldsOf } from "../../../api/event.ts";
import { userStatusChanged } from "../../../api/events/user-status.ts";
import type { Change } from "../../platform/log/change.ts";
import { type Audience, everyone, type StatePatch } from "../../platform/log/log-entry.ts";

/** Sends the parts that changed to everybody: all may know what a person says. */
export function announceStatus(
  tx: Change,
  fields: FieldsOf<typeof userStatusChanged>,
  ...patches: readonly StatePatch[]
): void {
  announceStatusTo(everyone, tx, fields, ...patches);
}

export function announceStatusTo(
  audience: Audience,
  tx: Change,
  fields: FieldsOf<typeof userStatusChanged>,
  ...patches: readonly StatePatch[]
): void {
  tx.append(userStatusChanged, fields, audience, ...patches);
}
