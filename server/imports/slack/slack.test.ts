import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { expectSuccess } from "../../../test/harness/answers.ts";
import { callerAt } from "../../../test/harness/caller-at.ts";
import { type Caller, createHarness, type Harness } from "../../../test/harness/harness.ts";
import { type SlackFiles, slackFiles, slackZip } from "../../../test/harness/slack-export.ts";
import { sql } from "../../platform/db/sql.ts";
import { ArchiveError } from "../archive/archive-error.ts";
import { unpack } from "../archive/unpack.ts";
import { type ImportOptions, readImport, reportTheRest, writeImport } from "../core/import.ts";
import { Report } from "../core/report.ts";
import { openSlack } from "./source.ts";

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
  const folder = await mkdtemp(join(tmpdir(), "parley-slack-"));
  folders.push(folder);
  return folder;
}

async function read(files: SlackFiles, host: string, maxSkippedPercent = 1) {
  const path = join(await newFolder(), "export.zip");
  await writeFile(path, slackZip(files));
  const report = new Report();
  const options: ImportOptions = {
    ...{ host, name: undefined, owner: undefined, maxSkippedPercent, folder: await newFolder() },
  };
  const source = await openSlack(await unpack(path, await newFolder()), report);
  return { read: await readImport(source, options, report), options, report };
}

async function run(files: SlackFiles, host: string) {
  const given = await read(files, host);
  const result = await writeImport(harness.services, given.read, given.options, given.report);
  return { result, report: given.report };
}

const everything = { anchor: "oldest", num_before: 0, num_after: 1000, apply_markdown: false };

interface Found {
  content: string;
  subject: string;
  sender_full_name: string;
  reactions: { emoji_name: string }[];
}

async function messagesOf(caller: Caller): Promise<Found[]> {
  const { messages } = await expectSuccess(caller.get("/messages", everything));
  return messages;
}

async function countOrganizations(host: string): Promise<number> {
  const [row] = await harness.services.database.query<{ count: number }>(
    sql`select count(*)::int as count from organizations where host = ${host}`,
  );
  return row?.count ?? 0;
}

test("an import has people, channels, threads as topics, reactions, files and texts", async () => {
  const { report } = await run(slackFiles(), "slack.test");
  expect(report.counts.get("messages")).toEqual({ found: 12, taken: 12 });
  // Two skin tones of one person are one, and the archive has no custom emoji.
  expect(report.counts.get("reactions")).toEqual({ found: 3, taken: 2 });
  expect(report.counts.get("files")).toEqual({ found: 2, taken: 1 });
  const reasons = [...report.losses.keys()];
  expect(reasons).toEqual(
    expect.arrayContaining([
      "canvases do not come",
      "deleted messages do not come",
      "pins of channels do not come",
    ]),
  );
  const ann = await callerAt(harness, "slack.test", "ann@slack.test");
  const found = await messagesOf(ann);
  const byText = (text: string) => found.find(({ content }) => content.startsWith(text));
  const first = byText("Ask");
  expect(first?.content).toMatch(/^Ask @_\*\*Ben Berg\|\d+\*\* & \*\*Cat\*\*$/);
  expect(first).toMatchObject({
    timestamp: 1_700_000_000,
    subject: "Slack",
    last_edit_timestamp: 1_700_000_005,
  });
  expect(first?.reactions.map(({ emoji_name }) => emoji_name)).toEqual(["clap", "clap"]);
  const topic = "2023-11-14 Shall we move the release?";
  for (const text of ["Shall we", "Yes", "Later in it"]) expect(byText(text)?.subject).toBe(topic);
  expect(byText("of the same time")?.subject).toBe("2020-09-13 of the same time");
  expect(byText("from elsewhere")?.sender_full_name).toBe("Fay Fox");
  expect(byText("deployed")?.sender_full_name).toBe("Deploy Bot");
  expect(byText("file")?.content).toMatch(
    /\[plan ü\.txt\]\(\/user_uploads\/\S+\)\n\[gone\.txt\]\(https:\/\/files\.slack\.com\/F0TWO\)$/,
  );
});

test("nobody reads a private channel or a conversation that they were not in", async () => {
  await run(slackFiles(), "access.slack.test");
  const textsOf = async (name: string) => {
    const found = await messagesOf(await callerAt(harness, "access.slack.test", `${name}@slack.test`));
    return found
      .map(({ content }) => content)
      .filter((text) => /secret|direct|archived|Yes/.test(text))
      .sort();
  };
  expect(await textsOf("ann")).toEqual(["Yes", "archived", "direct one", "direct three", "secret plan"]);
  expect(await textsOf("ben")).toEqual(["Yes", "direct three", "secret plan"]);
  expect(await textsOf("cat")).toEqual(["Yes", "direct one", "direct three"]);
  expect(await textsOf("dan")).toEqual(["Yes"]);
  const dan = await callerAt(harness, "access.slack.test", "dan@slack.test");
  expect(await expectSuccess(dan.get("/users/me"))).toMatchObject({ is_guest: true });
});

test("no list of channels makes something private readable, nor does a mention tell its name", async () => {
  const files = slackFiles();
  const [general, old] = files["channels.json"] as object[];
  const [secret] = files["groups.json"] as object[];
  const say = (ts: string, text: string) => [{ type: "message", user: "U0ANN", text, ts }];
  const row = (id: string, name: string, fields: object = {}) => ({
    ...{ id, name, created: 1_690_000_000, creator: "U0ANN", members: ["U0ANN"], ...fields },
  });
  await run(
    {
      ...files,
      "channels.json": [
        ...[
          general,
          old,
          row("C0HID", "hidden", { is_private: true }),
          row("C0GRP", "many", { is_mpim: true }),
        ],
        ...[row("C0TWO", "torn"), row("C0SAM", "again")],
      ],
      // The first has no id that can be read, the second has one that is taken.
      "groups.json": [secret, row("not an id", "torn"), row("G0SEC", "again")],
      "hidden/2023-11-14.json": say("1700000004.000100", "secret by its flag"),
      "many/2023-11-14.json": say("1700000005.000100", "secret of many"),
      "torn/2023-11-14.json": say("1700000006.000100", "secret without an id"),
      "again/2023-11-14.json": say("1700000007.000100", "secret of a second one"),
      "general/2023-11-18.json": say(
        "1700300000.000100",
        "see <#C0GEN> <#C0OLD|former> <#G0SEC|secret> <#C0HID>",
      ),
    },
    "lists.slack.test",
  );
  const found = await messagesOf(await callerAt(harness, "lists.slack.test", "cat@slack.test"));
  const texts = found.map(({ content }) => content);
  expect(texts.filter((text) => text.includes("secret"))).toEqual([]);
  expect(texts.at(-1)?.replace(/\(#narrow\/channel\/\d+\)/g, "")).toBe(
    "see [#general] [#old] [#private channel] [#private channel]",
  );
});

test("a rich text beside other blocks comes, and a text that only repeats blocks does not come twice", async () => {
  const section = (text: string) => ({ type: "section", text: { type: "mrkdwn", text } });
  const rich = {
    type: "rich_text",
    elements: [{ type: "rich_text_section", elements: [{ type: "text", text: "written by hand" }] }],
  };
  const say = (ts: string, blocks: unknown[]) => ({
    ...{ type: "message", user: "U0ANN", text: "the same as plain text", ts, blocks, attachments: [] },
  });
  const day = [
    say("1700200000.000100", [rich, section("of a bot")]),
    say("1700200001.000100", [section("alone")]),
    { ...say("1700200002.000100", [section("with more")]), attachments: [{ text: "attached" }] },
    { ...say("1700200003.000100", []), text: "above", attachments: [{ text: "below" }] },
  ];
  await run({ ...slackFiles(), "general/2023-11-17.json": day }, "blocks.slack.test");
  const found = await messagesOf(await callerAt(harness, "blocks.slack.test", "ann@slack.test"));
  expect(found.slice(-4).map(({ content }) => content)).toEqual([
    ...["written by hand\nof a bot", "alone", "with more\nattached", "above\nbelow"],
  ]);
});

test("names of files mean only themselves, and a text that mentions make too long is cut and counted", async () => {
  const say = (ts: string, text: string, fields: object = {}) => ({
    ...{ type: "message", user: "U0ANN", text, ts, ...fields },
  });
  const url = "https://files.slack.com/F0BAD";
  const day = [
    say("1700200000.000100", "see", { files: [{ id: "F0BAD", name: "a *b* `c`.txt", url_private: url }] }),
    say("1700200001.000100", "<@U0BEN> ".repeat(800)),
  ];
  const { report } = await run({ ...slackFiles(), "general/2023-11-17.json": day }, "cut.slack.test");
  const found = await messagesOf(await callerAt(harness, "cut.slack.test", "ann@slack.test"));
  expect(found.at(-2)?.content).toBe(`see\n[a &#42;b&#42; &#96;c&#96;.txt](${url})`);
  expect(found.at(-1)?.content).toHaveLength(10_000);
  const reason = "texts that became too long by names and addresses of here were cut";
  expect(report.losses.get(reason)?.count).toBe(1);
});

test("a second run changes nothing, and a list that is cut off leaves nothing", async () => {
  await run(slackFiles(), "twice.slack.test");
  expect((await run(slackFiles(), "twice.slack.test")).result).toBe("imported before");
  const torn = { ...slackFiles(), "general/2023-11-15.json": '[{"type":"message","ts":"17000' };
  await expect(run(torn, "torn.slack.test")).rejects.toThrow("general/2023-11-15.json ends in the middle");
  const object = { ...slackFiles(), "channels.json": { a: 1 } };
  await expect(run(object, "torn.slack.test")).rejects.toThrow("channels.json is no valid JSON");
  expect(await countOrganizations("torn.slack.test")).toBe(0);
});

test("messages of the future, from before 1970 or without a time are counted and left out", async () => {
  const bad = ["99999999999.000000", "9999999999.000000", "-1.000000", "NaN", null, 5].map((ts) => ({
    ...{ type: "message", user: "U0ANN", text: "when?", ts },
  }));
  const files = { ...slackFiles(), "general/2023-11-16.json": bad };
  await expect(read(files, "when.slack.test")).rejects.toThrow("6 of 18 messages can't be imported");
  const { report } = await read(files, "when.slack.test", 50);
  expect(report.losses.get("messages without a time were left out")?.count).toBe(5);
  expect(report.losses.get("messages of the future were left out")?.count).toBe(1);
});

test("any field removed, null, mistyped or huge makes a report or a refusal, and writes nothing", {
  timeout: 90_000,
}, async () => {
  const seed = Math.floor(Math.random() * 2 ** 31);
  // To repeat a failure, put the seed in its place.
  process.stdout.write(`random walk of the Slack import: seed ${seed}\n`);
  let state = seed;
  const below = (count: number) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    return Math.floor((state / 2 ** 32) * count);
  };
  const wrong = [
    undefined,
    null,
    0,
    -1,
    1e300,
    "",
    "x".repeat(200_000),
    [],
    [null],
    {},
    true,
    "\u0000\ud800",
    "U0ANN",
  ];
  for (let step = 0; step < 150; step++) {
    const files = structuredClone(slackFiles());
    for (let changes = 0; changes <= below(3); changes++) mutate(files, below, wrong);
    const outcome = await read(files, "walk.slack.test", 100).catch((error: Error) => error);
    if (outcome instanceof Error) {
      expect(outcome, `seed ${seed}, step ${step}: ${outcome.stack}`).toBeInstanceOf(ArchiveError);
    } else await reportTheRest(outcome.read, outcome.report);
  }
  expect(await countOrganizations("walk.slack.test")).toBe(0);
});

/** Changes one value somewhere in the archive. */
function mutate(files: SlackFiles, below: (count: number) => number, wrong: readonly unknown[]): void {
  let holder: Record<string, unknown> = files;
  for (;;) {
    const keys = Object.keys(holder);
    const key = keys[below(keys.length)];
    if (key === undefined) return;
    const inner = holder[key];
    const isLeaf = typeof inner !== "object" || inner === null || (holder !== files && below(4) === 0);
    if (!isLeaf) {
      holder = inner as Record<string, unknown>;
      continue;
    }
    const value = wrong[below(wrong.length)];
    if (holder === files) holder[key] = value ?? "";
    else holder[key] = value;
    return;
  }
}
