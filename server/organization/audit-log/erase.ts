/** What entries of the audit log tell of a person whose account was erased. What was done stays. */
import type { UserId } from "../../../api/ids.ts";
import type { OrganizationState } from "../../platform/log/organization-state.ts";
import type { AuditChanges, AuditValue } from "./changes.ts";
import { type Neutralize, neutralizer } from "./former-texts.ts";
import {
  type AuditRow,
  clearOrigins,
  findAuditEnd,
  listAccountTexts,
  listEntriesNaming,
  updateChanges,
} from "./store.ts";

/** Entries that one transaction looks at. */
const AT_ONCE = 1000;
/** More than somebody has had, so that a pattern of them stays short. */
const MAX_NAMES = 100;

export interface FormerPerson {
  id: UserId;
  neutralName: string;
  /** Names and addresses of before, by which others' entries may name the person. */
  texts: readonly string[];
}

/** By which an account had other names and addresses. */
const NAMINGS = {
  actions: ["user_created", "user_renamed", "user_email_changed"],
  fields: ["full_name", "email"],
} as const;

/** The latest names and addresses that entries about the account have, at most 100. */
export async function listNamesOf(state: OrganizationState, id: UserId): Promise<string[]> {
  const { database, organizationId } = state;
  const names = new Set<string>();
  for (let after: number | undefined = 0; after !== undefined; ) {
    const last: number = after;
    after = await database.transaction(
      async (tx) => {
        const upTo = await findAuditEnd(tx, organizationId, last, AT_ONCE);
        if (upTo === undefined) return undefined;
        const texts = await listAccountTexts(tx, organizationId, { after: last, upTo }, { id, ...NAMINGS });
        for (const text of texts) keepLast(names, text);
        return upTo;
      },
      { lane: "background" },
    );
  }
  return [...names];
}

function keepLast(texts: Set<string>, text: string): void {
  texts.delete(text);
  texts.add(text);
  for (const first of texts) {
    if (texts.size <= MAX_NAMES) break;
    texts.delete(first);
  }
}

/**
 * Goes through the next entries after one. What the person did loses from where it was done. Entries about
 * the account lose all texts, which are names, addresses and the like. Others' entries get the neutral name
 * where they name the person. Returns the last entry that was looked at; undefined: there was none.
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
  { id, neutralName, texts }: FormerPerson,
): AuditChanges {
  const isAbout = targetType === "user" && targetId === id;
  const neutralize = isAbout ? () => null : neutralizer(texts, neutralName);
  return Object.fromEntries(
    Object.entries(changes).map(([name, { old, new: next }]) => [
      name,
      {
        ...(old !== undefined && { old: without(old, neutralize) }),
        ...(next !== undefined && { new: without(next, neutralize) }),
      },
    ]),
  );
}

function without(value: AuditValue, neutralize: Neutralize | (() => null)): AuditValue {
  if (typeof value === "string") return neutralize(value);
  if (value === null || typeof value !== "object") return value;
  if (isList(value)) return value.map((part) => without(part, neutralize));
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, without(part, neutralize)]));
}

/** `Array.isArray` does not know read-only lists. */
function isList(value: AuditValue): value is readonly AuditValue[] {
  return Array.isArray(value);
}
