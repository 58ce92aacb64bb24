import type { Change } from "../../platform/log/change.ts";
import { type EventPayload, everyone } from "../../platform/log/log-entry.ts";
import { organization } from "./organization.ts";
import { updateOrganization } from "./store.ts";

/**
 * Writes what changed of the organization and tells everybody by the given events. In `settings` stands what was chosen;
 * undefined makes a setting what it is by default.
 */
export async function changeOrganization(
  tx: Change,
  changed: { name?: string; settings: Readonly<Record<string, unknown>> },
  events: readonly [EventPayload, ...EventPayload[]],
): Promise<void> {
  const before = tx.state.get(organization);
  const settings = { ...before.settings, ...changed.settings };
  for (const [name, value] of Object.entries(settings)) if (value === undefined) delete settings[name];
  const next = { ...before, name: changed.name ?? before.name, settings };
  await updateOrganization(tx, next.id, next);
  const [first, ...others] = events;
  tx.appendRaw(first, everyone, { organization: next });
  for (const event of others) tx.appendRaw(event, everyone);
}
