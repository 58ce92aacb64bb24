/** Imports of exports of Mattermost, and what is found in the new organizations. */
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll } from "vitest";
import { unpack } from "../../server/imports/archive/unpack.ts";
import { type ImportOptions, readImport, writeImport } from "../../server/imports/core/import.ts";
import { Report } from "../../server/imports/core/report.ts";
import { openMattermost } from "../../server/imports/mattermost/source.ts";
import { sql } from "../../server/platform/db/sql.ts";
import { expectSuccess } from "./answers.ts";
import { callerAt } from "./caller-at.ts";
import { createHarness, type Harness } from "./harness.ts";
import {
  type MattermostExport,
  mattermostExport,
  mattermostZip,
  record,
  SECOND,
  START,
} from "./mattermost-export.ts";

interface Given {
  maxSkippedPercent?: number;
  signal?: AbortSignal;
}

const everything = { anchor: "oldest", num_before: 0, num_after: 1000, apply_markdown: false };

export interface Found {
  id: number;
  content: string;
  subject: string;
  timestamp: number;
  last_edit_timestamp?: number;
  sender_full_name: string;
  flags: string[];
  display_recipient: unknown;
  reactions: { emoji_name: string; reaction_type: string }[];
}

/** The usual lines, and these behind them. */
export function withLines(...lines: object[]): MattermostExport {
  const given = mattermostExport();
  return { ...given, lines: [...given.lines, ...lines] };
}

export const say = (message: unknown, fields: object = {}) =>
  record("post", {
    ...{ team: "alpha", channel: "town-square", user: "mara", message, create_at: START + 50 * SECOND },
    ...fields,
  });

/** Starts the server before the tests of a file, and ends it after. */
export function useMattermostImports() {
  let harness: Harness;
  const folders: string[] = [];
  beforeAll(async () => {
    harness = await createHarness();
  });
  afterAll(async () => {
    await harness.close();
    for (const folder of folders) await rm(folder, { recursive: true, force: true });
  });

  async function newFolder(): Promise<string> {
    const folder = await mkdtemp(join(tmpdir(), "parley-mattermost-"));
    folders.push(folder);
    return folder;
  }

  async function readBytes(bytes: Buffer | string, host: string, given: Given = {}) {
    const path = join(await newFolder(), "export.zip");
    await writeFile(path, bytes);
    const report = new Report();
    const options: ImportOptions = {
      ...{ host, name: undefined, owner: "mara@mm.test", folder: await newFolder() },
      ...{ maxSkippedPercent: 10, ...given },
    };
    const archive = await unpack(path, await newFolder(), { unpackedName: "import.jsonl" });
    const source = await openMattermost(archive, report, { oldUrl: "https://mm.test" });
    return { read: await readImport(source, options, report), options, report };
  }

  const read = (given: MattermostExport, host: string, options?: Given) =>
    readBytes(mattermostZip(given), host, options);

  async function run(given: MattermostExport, host: string, options?: Given) {
    const found = await read(given, host, options);
    const result = await writeImport(harness.services, found.read, found.options, found.report);
    return { result, report: found.report };
  }

  async function messagesOf(host: string, name: string, channel?: string): Promise<Found[]> {
    const caller = await callerAt(harness, host, `${name}@mm.test`);
    const narrow = channel === undefined ? [] : [{ operator: "channel", operand: channel }];
    const { messages } = await expectSuccess(caller.get("/messages", { ...everything, narrow }));
    return messages;
  }

  async function textsOf(host: string, name: string, channel?: string): Promise<string[]> {
    return (await messagesOf(host, name, channel)).map(({ content }) => content);
  }

  async function countOrganizations(host: string): Promise<number> {
    const [row] = await harness.services.database.query<{ count: number }>(
      sql`select count(*)::int as count from organizations where host = ${host}`,
    );
    return row?.count ?? 0;
  }

  return {
    ...{ readBytes, read, run, messagesOf, textsOf, countOrganizations },
    get harness() {
      return harness;
    },
  };
}
