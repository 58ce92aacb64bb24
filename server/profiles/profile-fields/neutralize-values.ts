/** Mentions of a person whose account was erased, in the profiles of others. */
import type { UserId } from "../../../api/ids.ts";
import { type ErasedPerson, mentionOf, withNeutralName } from "../../messages/erasure/neutral-name.ts";
import { lockOwnLists } from "../../people/viewer/own-lists.ts";
import { runContentChange } from "../../platform/log/change.ts";
import type { OrganizationState } from "../../platform/log/organization-state.ts";
import { announce } from "./change-values.ts";
import { listPeopleMentioning, listValuesOf, upsertValues } from "./value-store.ts";

/** People whose profiles one statement looks at. */
const LOOKED_AT_ONCE = 1000;

/**
 * Puts the neutral name into the profiles of the next people after one. Everyone gets an event for each value
 * that looks different. Returns the last person whose profile was looked at; undefined: there was none.
 */
export async function neutralizeNextValues(
  state: OrganizationState,
  person: ErasedPerson,
  after: number,
): Promise<number | undefined> {
  const { database, organizationId } = state;
  const next = await database.transaction(
    (tx) => listPeopleMentioning(tx, organizationId, mentionOf(person), { after, limit: LOOKED_AT_ONCE }),
    { lane: "background" },
  );
  for (const { userId, mentions } of next) if (mentions) await neutralizeValuesOf(state, person, userId);
  return next.at(-1)?.userId;
}

function neutralizeValuesOf(state: OrganizationState, person: ErasedPerson, userId: UserId): Promise<void> {
  return runContentChange(state, async (tx) => {
    await lockOwnLists(tx, userId);
    for (const before of await listValuesOf(tx, state.organizationId, userId)) {
      const { fieldId, value, renderedValue } = before;
      if (renderedValue === null) continue;
      const { content, html } = withNeutralName({ content: value, html: renderedValue }, person);
      if (content === value && html === renderedValue) continue;
      const after = { fieldId, value: content, renderedValue: html };
      await upsertValues(tx, state.organizationId, userId, [after]);
      announce(tx, userId, fieldId, after);
    }
  });
}
