import type { Row } from "../archive/row.ts";

/** A colon stands before the name of another server, in channels that are shared with one. */
const USERNAME = /^[a-z0-9_.-][a-z0-9_.:-]{0,99}$/;

/** Names are what records of Mattermost refer to people by. undefined: it is none. */
export function usernameOf(value: unknown): string | undefined {
  if (typeof value !== "string") return undefined;
  const name = value.toLowerCase();
  return USERNAME.test(name) ? name : undefined;
}

export function usernameIn(row: Row, field: string): string | undefined {
  return usernameOf(row[field]);
}

/** Each name once. What is no list has none. */
export function usernamesIn(row: Row, field: string): string[] {
  const value = row[field];
  return Array.isArray(value) ? [...new Set(value.flatMap((name) => usernameOf(name) ?? []))] : [];
}
