/**
 * The relation of a person to a channel and to a message in it, and what they may do because of it. This uses
 * none of the server's own functions, since they are what it checks.
 */
import { hasAccount, type Role } from "./people.ts";

export const kinds = ["public", "web-public", "private", "private, shared history"] as const;

export type Kind = (typeof kinds)[number];

export const kindOptions: Record<Kind, Record<string, boolean>> = {
  public: {},
  "web-public": { isWebPublic: true },
  private: { isPrivate: true },
  "private, shared history": { isPrivate: true, isHistoryShared: true },
};

/** A person's relation to a channel, and to the message in it that a call names. */
export const standings = [
  { relation: "subscribed", message: "received" },
  { relation: "subscribed", message: "earlier" },
  { relation: "was subscribed", message: "received" },
  { relation: "was subscribed", message: "later" },
  { relation: "never", message: "later" },
] as const;

export type Standing = (typeof standings)[number];

/** One standing for each relation. This is enough for a call that names no message. */
export const relations: readonly Standing[] = [standings[0], standings[2], standings[4]];

export function standingsOf(role: Role): readonly Standing[] {
  return hasAccount(role) ? standings : [standings[4]];
}

/** Whether a person may know that the channel exists. */
export function seesChannel(role: Role, kind: Kind, { relation }: Standing): boolean {
  if (role === "stranger") return false;
  if (kind === "web-public" || relation === "subscribed") return true;
  if (role === "nobody" || role === "guest") return false;
  return kind === "public" || role === "owner" || role === "administrator";
}

/** Whether a person may read the message. */
export function readsMessage(role: Role, kind: Kind, { relation, message }: Standing): boolean {
  if (role === "stranger") return false;
  if (kind === "web-public") return true;
  if (relation === "subscribed") return kind !== "private" || message === "received";
  return kind === "public" && role !== "nobody" && role !== "guest";
}
