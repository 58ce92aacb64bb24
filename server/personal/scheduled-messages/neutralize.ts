/** Mentions of a person whose account was erased, in what others have scheduled. */
import { type ErasedPerson, mentionOf, withNeutralName } from "../../messages/erasure/neutral-name.ts";
import { runContentChange } from "../../platform/log/change.ts";
import type { OrganizationState } from "../../platform/log/organization-state.ts";
import { announceUpdate } from "./deliver.ts";
import { listNextScheduledMessages, lockScheduledMessage, updateScheduledMessage } from "./store.ts";

/** Messages that one statement looks at. */
const LOOKED_AT_ONCE = 1000;

/**
 * Puts the neutral name into the next scheduled messages after one. The senders' clients get events. Returns
 * the last message that was looked at; undefined: there was none.
 */
export async function neutralizeNextScheduled(
  state: OrganizationState,
  person: ErasedPerson,
  after: number,
): Promise<number | undefined> {
  const { database, organizationId } = state;
  const page = { after, limit: LOOKED_AT_ONCE };
  const next = await database.transaction(
    (tx) => listNextScheduledMessages(tx, organizationId, mentionOf(person), page),
    { lane: "background" },
  );
  for (const { id, mentions } of next) if (mentions) await neutralize(state, person, id);
  return next.at(-1)?.id;
}

function neutralize(state: OrganizationState, person: ErasedPerson, id: number): Promise<void> {
  return runContentChange(state, async (tx) => {
    const before = await lockScheduledMessage(tx, state.organizationId, id);
    if (!before) return;
    const { content, html } = withNeutralName(
      { content: before.content, html: before.renderedContent },
      person,
    );
    if (content === before.content && html === before.renderedContent) return;
    const after = { ...before, content, renderedContent: html };
    await updateScheduledMessage(tx, state.organizationId, after);
    announceUpdate(tx, after);
  });
}
