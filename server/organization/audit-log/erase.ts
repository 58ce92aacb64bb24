/** What entries of the audit log tell of a person whose account was erased. What was done stays. */
import type { UserId } from "../../../api/ids.ts";
import type { OrganizationState } from "../../platform/log/organization-state.ts";
import type { AuditChanges, AuditValue } from "./changes.ts";
import { type AuditRow, clearOrigins, findAuditEnd, listEntriesNaming, updateChanges } from "./store.ts";

/** Entries that one transaction looks at. */
const AT_ONCE = 1000;

export interface FormerPerson {
  id: UserId;
  /** Names and addresses of before, by which others' entries may name the person. */
  texts: readonly string[];
}

/**
 * Goes through the next entries after one. What the person did loses from where it was done. Entries about
 * the account lose all texts, which are names, addresses and the like. Others' entries lose the person's name
 * and addresses. Returns the last entry that was looked at; undefined: there was none.
 */
export function eraseNextEntries(
  state: OrganizationState,
  person: FormerPerson,
  after: number,
): Promise<number | undefined> {
  const { database, organizationId } = state;
  return database.transaction(
    async (tx) => {
      const upTo = await findAuditEnd(tx, organizationId, after, AT_ONCE);
      if (upTo === undefined) return undefined;
      await clearOrigins(tx, organizationId, { after, upTo }, person.id);
      for (const row of await listEntriesNaming(tx, organizationId, { after, upTo }, person)) {
        await updateChanges(tx, organizationId, row.id, withoutPerson(row, person));
      }
      return upTo;
    },
    { lane: "background" },
  );
}

function withoutPerson(
  { targetType, targetId, changes }: Pick<AuditRow, "targetType" | "targetId" | "changes">,
  { id, texts }: FormerPerson,
): AuditChanges {
  const isAbout = targetType === "user" && targetId === id;
  const folded = texts.map((text) => text.toLowerCase());
  const isTelling = (text: string) => isAbout || folded.some((each) => text.toLowerCase().includes(each));
  return Object.fromEntries(
    Object.entries(changes).map(([name, { old, new: next }]) => [
      name,
      {
        ...(old !== undefined && { old: without(old, isTelling) }),
        ...(next !== undefined && { new: without(next, isTelling) }),
      },
    ]),
  );
}

function without(value: AuditValue, isTelling: (text: string) => boolean): AuditValue {
  if (typeof value === "string") return isTelling(value) ? null : value;
  if (value === null || typeof value !== "object") return value;
  if (isList(value)) return value.map((part) => without(part, isTelling));
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, without(part, isTelling)]));
}

/** `Array.isArray` does not know read-only lists. */
function isList(value: AuditValue): value is readonly AuditValue[] {
  return Array.isArray(value);
}
