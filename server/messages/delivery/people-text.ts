/**
 * Thousands of people in an entry of the log, as one short text: their ids ascending, each as its distance
 * from the one before, in base 36. PostgreSQL stores a text as it is, and each number of a list as a decimal.
 */
import type { UserId } from "../../../api/ids.ts";

const BASE = 36;

/** `userIds`: each once, in any order. */
export function writePeople(userIds: readonly UserId[]): string {
  let last = 0;
  return Array.from(Float64Array.from(userIds).sort(), (id) => {
    const distance = id - last;
    last = id;
    return distance.toString(BASE);
  }).join(" ");
}

export function readPeople(text: string): UserId[] {
  if (text === "") return [];
  let last = 0;
  return text.split(" ").map((distance) => {
    last += Number.parseInt(distance, BASE);
    return last as UserId;
  });
}
