import { randomBytes } from "node:crypto";

/** Ids that differ between starts and nodes, too: a random start and a count. An id that a caller brings is not taken. */
export function requestIds(): () => string {
  const start = randomBytes(6).toString("hex");
  let count = 0;
  return () => `${start}-${(++count).toString(36)}`;
}
