import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { type SlackFiles, slackFiles, slackZip } from "../test/harness/slack-export.ts";
import { CommandError } from "./command.ts";
import { importSlack } from "./import-slack.ts";

/** What a dry run prints, and the sentence with which it fails. */
async function tryImport(files: SlackFiles, options: Record<string, string> = {}) {
  const dir = mkdtempSync(path.join(tmpdir(), "parley-import-"));
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }));
  const file = path.join(dir, "export.zip");
  writeFileSync(file, slackZip(files));
  let printed = "";
  const out = vi.spyOn(process.stdout, "write").mockImplementation((text) => {
    printed += text;
    return true;
  });
  const progress = vi.spyOn(process.stderr, "write").mockImplementation(() => true);
  const report = path.join(dir, "report.json");
  const values = { host: "slack.test", "dry-run": true, report, ...options };
  const environment = { PARLEY_DATA_DIR: path.join(dir, "data") };
  const failure = await importSlack.run({ values, words: [file], environment }).then(
    () => undefined,
    (error: unknown) => error,
  );
  out.mockRestore();
  progress.mockRestore();
  return { printed, failure, report: JSON.parse(readFileSync(report, "utf8")) };
}

/** With a message that has no time. */
function half(): SlackFiles {
  const files = slackFiles();
  const [day] = Object.keys(files).filter((name) => /^general\/.*\.json$/.test(name));
  const messages = files[day as string] as object[];
  return { ...files, [day as string]: [...messages, { type: "message", user: "U0ADA", text: "When?" }] };
}

test("a dry run reports what comes, and that nothing was written", async () => {
  const { printed, failure } = await tryImport(slackFiles());
  expect(failure).toBeUndefined();
  expect(printed).toMatch(/^What comes:\n.* messages\n.*Nothing was written\.\n$/s);
});

test("a dry run of an archive that would be refused says why, in the report, before it fails", async () => {
  const { printed, failure, report } = await tryImport(half(), { "max-skipped": "0" });
  expect(printed).toContain(": messages without a time were left out (such as When?)\n");
  expect(printed).not.toContain("Nothing was written.");
  expect(failure).toBeInstanceOf(CommandError);
  expect((failure as Error).message).toMatch(/^1 of \d+ messages can't be imported, more than 0 percent\./);
  expect(report.losses).toContainEqual(
    expect.objectContaining({ reason: "messages without a time were left out", count: 1 }),
  );
});
