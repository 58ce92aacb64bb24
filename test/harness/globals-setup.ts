/**
 * The files of a worker share its globals. One that replaces a global and leaves it replaced fails here, and
 * not in whichever file runs after it.
 */
import { afterAll, expect } from "vitest";

const names = [
  "Blob",
  "Date",
  "FormData",
  "Headers",
  "Request",
  "Response",
  "fetch",
  "setInterval",
  "setTimeout",
];

const current = () => Object.fromEntries(names.map((name) => [name, Reflect.get(globalThis, name)]));

const before = current();

afterAll(() => {
  const after = current();
  const replaced = names.filter((name) => after[name] !== before[name]);
  Object.assign(globalThis, before);
  expect(replaced, "globals that this file left replaced").toEqual([]);
});
