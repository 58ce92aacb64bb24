/** Mentions of a person whose account was erased, in the reminders of others. */
import { type ErasedPerson, mentionOf, withNeutralName } from "../../messages/erasure/neutral-name.ts";
import { runContentChange } from "../../platform/log/change.ts";
import type { OrganizationState } from "../../platform/log/organization-state.ts";
import { announceReminder, announceRemoval } from "./deliver.ts";
import { listNextReminders, lockReminder, updateReminderText } from "./store.ts";

/** Reminders that one statement looks at. */
const LOOKED_AT_ONCE = 1000;

/**
 * Puts the neutral name into the next reminders after one. Returns the last one that was looked at;
 * undefined: there was none.
 */
export async function neutralizeNextReminders(
  state: OrganizationState,
  person: ErasedPerson,
  after: number,
): Promise<number | undefined> {
  const { database, organizationId } = state;
  const next = await database.transaction(
    (tx) => listNextReminders(tx, organizationId, mentionOf(person), { after, limit: LOOKED_AT_ONCE }),
    { lane: "background" },
  );
  for (const { id, mentions } of next) if (mentions) await neutralize(state, person, id);
  return next.at(-1)?.id;
}

/** No event says that a reminder has changed. So the person's clients hear that it is gone, and is there. */
function neutralize(state: OrganizationState, person: ErasedPerson, id: number): Promise<void> {
  return runContentChange(state, async (tx) => {
    const before = await lockReminder(tx, state.organizationId, id);
    if (!before) return;
    const { note, renderedContent } = before;
    const { content, html } = withNeutralName({ content: before.content, html: renderedContent }, person);
    if (content === before.content && html === renderedContent) return;
    const noted = withNeutralName({ content: note, html: renderedContent }, person);
    const after = { ...before, note: noted.content, content, renderedContent: html };
    await updateReminderText(tx, state.organizationId, after);
    announceRemoval(tx, before);
    announceReminder(tx, after);
  });
}
