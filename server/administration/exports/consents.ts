/** Who lets an export include their private data. Administrators see it, and learn of changes. */
import { exportConsentChanged } from "../../../api/events/exports.ts";
import { canConsent, hasConsented } from "../../people/export-consent.ts";
import { users } from "../../people/user.ts";
import type { BeforeCommitHook } from "../../platform/log/before-commit-hook.ts";
import { patchesOf } from "../../platform/log/before-commit-hook.ts";
import type { OrganizationState } from "../../platform/log/organization-state.ts";
import { toExporters } from "./events.ts";

export function listConsents(state: OrganizationState): { user_id: number; consented: boolean }[] {
  return [...state.get(users).all()]
    .filter(canConsent)
    .map((user) => ({ user_id: user.id, consented: hasConsented(user) }));
}

/** An account that is deactivated has no event of this kind: it is no longer in the list. */
export const exportConsents: BeforeCommitHook = {
  projections: [users.name],
  run(tx, patches) {
    for (const { put } of patchesOf(patches, users)) {
      for (const user of put) {
        const before = tx.state.get(users).byId.get(user.id);
        if (!before || !canConsent(before) || !canConsent(user)) continue;
        if (hasConsented(before) === hasConsented(user)) continue;
        const fields = { user_id: user.id, consented: hasConsented(user) };
        tx.append(exportConsentChanged, fields, toExporters(tx.state));
      }
    }
  },
};
