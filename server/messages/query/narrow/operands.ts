/**
 * Parses operands as channels, people, ids and texts. Each function throws BAD_NARROW for an invalid operand,
 * except for a channel.
 */
import type { UserId } from "../../../../api/ids.ts";
import { type Channel, channels } from "../../../channels/channel.ts";
import { findKnownByEmail, findKnownById } from "../../../people/access/access.ts";
import { parseHiddenEmail } from "../../../people/email/hidden-email.ts";
import { users } from "../../../people/user.ts";
import type { OrganizationState } from "../../../platform/log/organization-state.ts";
import type { Reader } from "../readable/readable-ranges.ts";
import { badNarrow, type Operand } from "./predicate.ts";

/** Finds a channel by its name or its id. */
export function findChannel(state: OrganizationState, operand: Operand): Channel | undefined {
  if (typeof operand !== "number" && typeof operand !== "string") return undefined;
  return state.get(channels).findNamed(operand);
}

export function parseId(operand: Operand, what: string): number {
  const id = typeof operand === "string" && /^\d{1,15}$/.test(operand) ? Number(operand) : operand;
  if (typeof id !== "number" || id < 0) throw badNarrow(`invalid ${what} ID ${String(operand)}`);
  return id;
}

export function parseText(operand: Operand, what: string): string {
  if (Array.isArray(operand)) throw badNarrow(`invalid ${what}`);
  return String(operand);
}

const MAX_PEOPLE = 1000;

/** Reads people by id or email: one, a list, or text with commas. */
export function parsePeople({ state, user: reader }: Reader, operand: Operand): UserId[] {
  const named =
    typeof operand === "string" ? operand.split(",").map((part) => part.trim()) : [operand].flat();
  if (named.length === 0 || named.length > MAX_PEOPLE) throw badNarrow("unknown user");
  const byId = (id: number) => (reader ? findKnownById(state, reader, id) : state.get(users).find(id));
  return named.map((name) => {
    const user =
      typeof name === "number"
        ? byId(name)
        : ((reader && findKnownByEmail(state, reader, name as string)) ?? byIdText(name as string, byId));
    if (!user) throw badNarrow(`unknown user ${String(name)}`);
    return user.id;
  });
}

/** No person has this id. */
const NOBODY = 0 as UserId;

/**
 * Reads one person for a reader without an account. An id that nobody has counts as a person who wrote
 * nothing, and every email address as unknown. So no answer tells who has an account.
 */
export function parseSenderForSpectator({ state }: Reader, operand: Operand): UserId {
  const id = typeof operand === "string" ? idIn(state, operand.trim()) : operand;
  if (typeof id !== "number") throw badNarrow(`unknown user ${String(operand)}`);
  return state.get(users).find(id)?.id ?? NOBODY;
}

function idIn(state: OrganizationState, text: string): number | undefined {
  return /^\d{1,15}$/.test(text) ? Number(text) : parseHiddenEmail(state, text);
}

function byIdText<U>(text: string, byId: (id: number) => U | undefined): U | undefined {
  return /^\d{1,15}$/.test(text) ? byId(Number(text)) : undefined;
}
