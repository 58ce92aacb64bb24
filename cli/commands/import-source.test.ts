import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { TooManySkipped } from "../../server/imports/core/import.ts";
import { linesOf, mattermostExport, mattermostZip } from "../../test/harness/mattermost-export.ts";
import { type SlackFiles, slackFiles, slackZip } from "../../test/harness/slack-export.ts";
import { importMattermost } from "./import-mattermost.ts";
import { importSlack } from "./import-slack.ts";

/** What a dry run prints, and the sentence with which it fails. */
async function tryImport(files: SlackFiles, options: Record<string, string> = {}) {
  return tryFile(importSlack, "export.zip", slackZip(files), options);
}

async function tryFile(
  command: typeof importSlack,
  name: string,
  content: Buffer | string,
  options: Record<string, string>,
) {
  const dir = mkdtempSync(path.join(tmpdir(), "parley-import-"));
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }));
  const file = path.join(dir, name);
  writeFileSync(file, content);
  let printed = "";
  const out = vi.spyOn(process.stdout, "write").mockImplementation((text) => {
    printed += text;
    return true;
  });
  const progress = vi.spyOn(process.stderr, "write").mockImplementation(() => true);
  const report = path.join(dir, "report.json");
  const values = { host: "slack.test", "dry-run": true, report, ...options };
  const environment = { PARLEY_DATA_DIR: path.join(dir, "data") };
  const failure = await command.run({ values, words: [file], environment }).then(
    () => undefined,
    (error: unknown) => error,
  );
  out.mockRestore();
  progress.mockRestore();
  const written = existsSync(report) ? JSON.parse(readFileSync(report, "utf8")) : undefined;
  return { printed, failure, report: written };
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

test("an export of Mattermost may be its file of records alone, which other imports don't take", async () => {
  const lines = linesOf(mattermostExport());
  const options = { owner: "mara@mm.test", "max-skipped": "10" };
  const { printed, failure, report } = await tryFile(importMattermost, "import.jsonl", lines, options);
  expect(failure).toBeUndefined();
  expect(printed).toMatch(/Nothing was written\.\n$/);
  expect(report.counts.messages).toEqual({ found: 16, taken: 15 });
  expect(report.counts.files).toEqual({ found: 3, taken: 0 });
  const other = await tryFile(importSlack, "import.jsonl", lines, {});
  expect(other).toMatchObject({
    failure: { message: expect.stringMatching(/no archive that can be imported/) },
  });
});

test("an export of Mattermost is told from one of Slack", async () => {
  const zip = mattermostZip(mattermostExport());
  const { failure } = await tryFile(importSlack, "export.zip", zip, {});
  expect((failure as Error).message).toBe("This is an export of Mattermost, not an export of Slack.");
});

test("a dry run of an archive that would be refused says why, in the report, before it fails", async () => {
  const { printed, failure, report } = await tryImport(half(), { "max-skipped": "0" });
  expect(printed).toContain(": messages without a time were left out (such as When?)\n");
  expect(printed).not.toContain("Nothing was written.");
  expect(failure).toBeInstanceOf(TooManySkipped);
  expect((failure as Error).message).toMatch(/^1 of \d+ messages can't be imported, more than 0 percent\./);
  expect(report.losses).toContainEqual(
    expect.objectContaining({ reason: "messages without a time were left out", count: 1 }),
  );
});
