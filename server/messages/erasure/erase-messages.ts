/**
 * What messages say of a person whose account was erased. All messages of the organization are looked at,
 * since no index finds silent mentions, as in quotes. Each call does a bounded part.
 */
import type { MessageId, UserId } from "../../../api/ids.ts";
import { runContentChange } from "../../platform/log/change.ts";
import type { OrganizationState } from "../../platform/log/organization-state.ts";
import { asManyAsOneChange, deleteMessages } from "../delete/delete.ts";
import { lockMessages } from "../delete/store.ts";
import { announceRendering } from "../delivery/update-event.ts";
import { listFetched } from "../query/fetch.ts";
import { type ErasedPerson, mentionOf, withNeutralName } from "./neutral-name.ts";
import {
  countMessagesOf,
  deleteAdditionsOf,
  deleteEarlierTexts,
  findStretchEnd,
  listEarlierTexts,
  listMentioning,
  listMessagesOf,
  updateEarlierText,
  updateText,
} from "./store.ts";

/** Clients that don't support bulk deletion get one event for each, so not more go into the log at once. */
const DELETED_AT_ONCE = 200;
/** Messages that one statement looks at. */
const LOOKED_AT_ONCE = 1000;
/** Messages that one transaction changes. */
const CHANGED_AT_ONCE = 20;

/** How many messages the person has sent. */
export function countSent({ database, organizationId }: OrganizationState, userId: UserId): Promise<number> {
  return countMessagesOf(database, organizationId, userId);
}

/** Deletes some of the person's messages. People who could read them get events. False: none is left. */
export function deleteSomeOf(state: OrganizationState, userId: UserId): Promise<boolean> {
  return runContentChange(state, async (tx) => {
    const rows = await listMessagesOf(tx, state.organizationId, userId, DELETED_AT_ONCE);
    await deleteMessages(tx, await asManyAsOneChange(tx, rows));
    return rows.length > 0;
  });
}

/**
 * Goes through the next messages after one: mentions of the person get the neutral name, and the person's own
 * messages lose their earlier texts. Readers get an event for each message that looks different. Unless
 * `keepsAdditions`, what the person added to others' messages goes too: no event is for that. Returns the
 * last message that was looked at; undefined: there was none.
 */
export async function neutralizeNext(
  state: OrganizationState,
  person: ErasedPerson & { id: UserId; keepsAdditions: boolean },
  after: number,
): Promise<number | undefined> {
  const { organizationId } = state;
  const found = await state.database.transaction(
    async (tx) => {
      const upTo = await findStretchEnd(tx, organizationId, after, LOOKED_AT_ONCE);
      if (upTo === undefined) return undefined;
      await deleteEarlierTexts(tx, organizationId, { after, upTo }, person.id);
      if (!person.keepsAdditions) await deleteAdditionsOf(tx, organizationId, { after, upTo }, person.id);
      return { upTo, ids: await listMentioning(tx, organizationId, { after, upTo }, mentionOf(person)) };
    },
    { lane: "background" },
  );
  if (!found) return undefined;
  for (const { ids } of partsOf(found.ids)) await neutralize(state, person, ids);
  return found.upTo;
}

function partsOf(ids: readonly MessageId[]): { ids: MessageId[] }[] {
  const count = Math.ceil(ids.length / CHANGED_AT_ONCE);
  return Array.from({ length: count }, (_, part) => ({
    ids: ids.slice(part * CHANGED_AT_ONCE, (part + 1) * CHANGED_AT_ONCE),
  }));
}

/** LOCK: the rows of the messages, as for an edit. */
function neutralize(
  state: OrganizationState,
  person: ErasedPerson,
  ids: readonly MessageId[],
): Promise<void> {
  const { organizationId } = state;
  return runContentChange(state, async (tx) => {
    await lockMessages(tx, organizationId, ids);
    for (const earlier of await listEarlierTexts(tx, organizationId, ids, mentionOf(person))) {
      await updateEarlierText(tx, organizationId, { ...earlier, ...withNeutralName(earlier, person) });
    }
    for (const id of ids) {
      const [row] = await listFetched(tx, organizationId, undefined, id);
      if (!row) continue;
      const before = { content: row.content, html: row.renderedContent };
      const text = withNeutralName(before, person);
      if (text.content === before.content && text.html === before.html) continue;
      await updateText(tx, organizationId, id, text);
      await announceRendering(tx, { ...row, content: text.content }, text.html);
    }
  });
}
