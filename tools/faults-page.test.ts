import { expect, test } from "vitest";
import { sentencesOfFaults } from "./fault-sentences.js";
import { exitCodeTable, faultsPage, withTable } from "./faults-page.js";

const names = { "disk-full": "disk-full", "files-full": "disk-full", away: "away" };
const of = (...texts: string[]) =>
  sentencesOfFaults(new Map(texts.map((text, index) => [`server/file-${index}.ts`, text])), names);

test("the sentence of a throw is listed, with … for what is only known when the program runs", () => {
  const found = of(`throw new StartError("disk-full", \`The disk of \${dir} has no room.\`, { cause });`);
  expect(found).toEqual(new Map([["disk-full", ["The disk of … has no room."]]]));
});

test.each([
  ["a constant", `const TEXT = "There is no room left."; throw new AnyError("disk-full", TEXT);`],
  ["a choice", `throw new AnyError("disk-full", isFull ? "There is no room left." : "no");`],
  [
    "a function",
    `throw new AnyError("disk-full", say()); function say() { return "There is no room left."; }`,
  ],
  ["a list of fault and sentence", `const found = ["disk-full", "There is no room left."];`],
  ["an object", `const doubt = { fault: "disk-full" as const, text: "There is no room left." };`],
  [
    "a finding of doctor",
    `function* check() { yield failed("disk-full", "There is no room left.", "Make room."); }`,
  ],
  ["the code of a part", `const found = down("files-full", "There is no room left.");`],
  [
    "a constructor",
    `class Full extends FaultError { constructor() { super("disk-full", "There is no room left."); } }`,
  ],
  [
    "an error with one fault",
    `class Full extends FaultError { constructor(message: string) { super("disk-full", message); } }
    class Fuller extends Full {} throw new Fuller("There is no room left.");`,
  ],
  [
    "a constant within it",
    `const ROOM = "room left"; throw new AnyError("disk-full", \`There is no \${ROOM}.\`);`,
  ],
])("%s is followed to its sentence", (_, text) => {
  expect(of(text).get("disk-full")).toEqual(["There is no room left."]);
});

test("what another file exports is followed too", () => {
  const found = of(
    `import { TEXT } from "./file-1.ts"; throw new AnyError("away", TEXT);`,
    `export const TEXT = "Nobody answers there.";`,
  );
  expect(found.get("away")).toEqual(["Nobody answers there."]);
});

test("a choice of faults gives the sentence to both, and other calls give none", () => {
  const both = of(`throw new AnyError(isAway ? "away" : "disk-full", "It does not work here.");`);
  expect([...both.keys()]).toEqual(["away", "disk-full"]);
  expect(of(`log("away", "It does not work here."); const list = ["away"];`).size).toBe(0);
});

test("a fault whose words come from elsewhere is named, without a sentence", () => {
  expect(of(`throw new AnyError("away", error.message);`)).toEqual(new Map([["away", []]]));
});

const faults = { away: { number: "P101", exit: 69, what: "It is away.", remedy: "Look for it." } };

test("a section has the number as its heading, and the sentences as they are printed", () => {
  const page = faultsPage(faults, new Map([["away", ["Nobody answers at …."]]]), { gone: "away" });
  expect(page).toContain(
    "## P101\n\n**away**, exit code 69, in the log as `gone`\n\nIt is away.\n\n**What to do:** Look for it.\n\n```text\nNobody answers at ….\n```\n",
  );
});

test("the table of exit codes has their comments, and takes its place in the page", () => {
  const table = exitCodeTable("  /** Nobody is there. */\n  unavailable: 69,\n", faults);
  expect(table).toContain("| 69 | Nobody is there. | [P101](faults.md#p101) |");
  const page = "a\n<!-- Made by tools/faults.js -->\nold\n<!-- End of what is made -->\nb\n";
  expect(withTable(page, table)).toContain(table);
  expect(withTable(page, table)).not.toContain("old");
  expect(() => withTable("a page", table)).toThrow("has no place for the table");
});
