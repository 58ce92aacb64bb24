import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { expectSuccess } from "../../../test/harness/answers.ts";
import { callerAt } from "../../../test/harness/caller-at.ts";
import { type Caller, createHarness, type Harness } from "../../../test/harness/harness.ts";
import {
  linesOf,
  type MattermostExport,
  mattermostExport,
  mattermostZip,
  record,
  SECOND,
  START,
} from "../../../test/harness/mattermost-export.ts";
import { sql } from "../../platform/db/sql.ts";
import { ArchiveError } from "../archive/archive-error.ts";
import { unpack } from "../archive/unpack.ts";
import { cancelImport } from "../core/cancel.ts";
import { type ImportOptions, readImport, reportTheRest, writeImport } from "../core/import.ts";
import { Report } from "../core/report.ts";
import { openMattermost } from "./source.ts";

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

interface Given {
  maxSkippedPercent?: number;
  signal?: AbortSignal;
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

const everything = { anchor: "oldest", num_before: 0, num_after: 1000, apply_markdown: false };

interface Found {
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

/** The usual lines, and these behind them. */
function withLines(...lines: object[]): MattermostExport {
  const given = mattermostExport();
  return { ...given, lines: [...given.lines, ...lines] };
}

const say = (message: unknown, fields: object = {}) =>
  record("post", {
    ...{ team: "alpha", channel: "town-square", user: "mara", message, create_at: START + 50 * SECOND },
    ...fields,
  });

test("an import has messages as they were: times, authors, edits, texts, topics, reactions, files, stars", async () => {
  const { report } = await run(mattermostExport(), "mm.test");
  expect(report.counts.get("messages")).toEqual({ found: 16, taken: 15 });
  // Two skin tones of one person are one.
  expect(report.counts.get("reactions")).toEqual({ found: 3, taken: 2 });
  expect(report.counts.get("files")).toEqual({ found: 3, taken: 2 });
  expect(report.counts.get("emoji")).toEqual({ found: 2, taken: 1 });
  const found = await messagesOf("mm.test", "mara");
  const byText = (text: string) => found.find(({ content }) => content.includes(text)) as Found;
  expect(found.map(({ timestamp }) => timestamp - START / SECOND)).toEqual([
    ...[-1000, -1, 0, 10, 11, 12, 13, 20, 32, 33, 35, 70, 90, 91],
  ]);
  expect(byText("Hello").content).toMatch(
    /^Hello @_\*\*all\*\* \[#secret\]\(#narrow\/channel\/\d+\) @_\*\*Tomas\|\d+\*\* :party_parrot: \*all\*$/,
  );
  expect(byText("Hello")).toMatchObject({ subject: "Mattermost", sender_full_name: "Mara" });
  expect(
    byText("Hello").reactions.map(({ emoji_name, reaction_type }) => [emoji_name, reaction_type]),
  ).toEqual([
    ["party_parrot", "realm_emoji"],
    ["+1", "unicode_emoji"],
  ]);
  const topic = "2023-11-14 Root of a thread";
  for (const text of ["**Root**", "first", "second", "third, deeper"])
    expect(byText(text).subject).toBe(topic);
  expect(byText("**Root**").last_edit_timestamp).toBe(START / SECOND + 15);
  expect(byText("**Root**").content).toMatch(
    /^\*\*Root\*\* of a thread\n\[shot\.png\]\(\/user_uploads\/\S+\)\nmissing\.bin$/,
  );
  expect(byText("first").content).toMatch(/^first\n\[plan &#42;a&#42;\.txt\]\(\/user_uploads\/\S+\)$/);
  expect(byText("Deploy 12")).toMatchObject({
    content: "[Deploy 12](https://ci.example.com/12)\n**failed**\n**Branch** main",
    sender_full_name: "Deploy",
  });
  expect(byText("waves").content).toBe("/me *waves*");
  expect(byText("nobody").sender_full_name).toBe("Unknown user erased");
  const [path] = /\/user_uploads\/[^)]+/.exec(byText("first").content) ?? [];
  const mara = await callerAt(harness, "mm.test", "mara@mm.test");
  const { attachments } = await expectSuccess(mara.get("/attachments"));
  expect(attachments).toContainEqual(
    expect.objectContaining({ name: "plan *a*.txt", path_id: path?.slice("/user_uploads/".length) }),
  );
  const starred = (await messagesOf("mm.test", "tomas")).filter(({ flags }) => flags.includes("starred"));
  expect(starred.map(({ id }) => id)).toEqual([byText("Hello").id]);
});

test("an import has people with their roles, and channels of all teams in one organization", async () => {
  await run(mattermostExport(), "people.mm.test");
  const mara = await callerAt(harness, "people.mm.test", "mara@mm.test");
  const { members } = await expectSuccess(mara.get("/users"));
  const summary = members.map(
    (each: { full_name: string; role: number; is_active: boolean; is_bot: boolean }) => [
      ...[each.full_name, each.role, each.is_active, each.is_bot],
    ],
  );
  expect(summary).toEqual(
    expect.arrayContaining([
      ["Mara", 100, true, false],
      ["Tomas", 400, true, false],
      ["Gone", 400, false, false],
      ["Visitor", 600, true, false],
      ["Deploy", 400, true, true],
      ["Calls", 400, true, true],
      ["Unknown user erased", 400, false, false],
    ]),
  );
  const { streams } = await expectSuccess(
    mara.get("/streams", { include_all: true, exclude_archived: false }),
  );
  const channels = streams.map((each: { name: string; invite_only: boolean; is_archived: boolean }) => [
    ...[each.name, each.invite_only, each.is_archived],
  ]);
  expect(channels.sort()).toEqual([
    ["Alpha / Town Square", false, false],
    ["Beta / town square", true, false],
    ["Old", false, true],
    ["Top Secret", true, false],
  ]);
  const tomas = await callerAt(harness, "people.mm.test", "tomas@mm.test");
  const { subscriptions } = await expectSuccess(tomas.get("/users/me/subscriptions"));
  const town = subscriptions.find(({ name }: { name: string }) => name === "Alpha / Town Square");
  expect(town).toMatchObject({ pin_to_top: true, is_muted: true });
  // The administrator of a channel may change it, though no administrator of the organization.
  await expectSuccess(tomas.patch(`/streams/${town.stream_id}`, { description: "For all of us" }));
  const visitor = await callerAt(harness, "people.mm.test", "visitor@mm.test");
  expect(await expectSuccess(visitor.get("/users/me"))).toMatchObject({ is_guest: true });
});

test("what people had read is read, and only that", async () => {
  await run(mattermostExport(), "unread.mm.test");
  const unreadOf = async (name: string) =>
    (await messagesOf("unread.mm.test", name))
      .filter(({ flags }) => !flags.includes("read"))
      .map(({ content }) => content);
  expect(await unreadOf("mara")).toEqual(["unread by mara"]);
  const tomas = await unreadOf("tomas");
  expect(tomas).toContain("second");
  // Own messages are read. What was said without a time of the last view counts as read.
  for (const text of ["unread by mara", "in beta", "hi", "direct three"]) expect(tomas).not.toContain(text);
  expect(tomas).toContain("hi back");
  expect(await unreadOf("visitor")).toEqual([]);
});

test("nobody reads a private channel, a conversation or a closed team's channel that they were not in", async () => {
  await run(mattermostExport(), "access.mm.test");
  const secretsOf = async (name: string) =>
    (await textsOf("access.mm.test", name))
      .filter((text) => /secret plan|^direct|^hi|in beta/.test(text))
      .sort();
  expect(await secretsOf("mara")).toEqual(["direct three", "hi", "hi back", "secret plan"]);
  expect(await secretsOf("tomas")).toEqual(["direct three", "hi", "hi back", "in beta"]);
  expect(await secretsOf("sso")).toEqual([]);
  expect(await secretsOf("visitor")).toEqual(["secret plan"]);
  const join = async (name: string) => {
    const caller = await callerAt(harness, "access.mm.test", `${name}@mm.test`);
    return caller.post("/users/me/subscriptions", { subscriptions: [{ name: "Beta / town square" }] });
  };
  expect((await join("sso")).status).toBe(400);
  expect((await join("tomas")).status).toBe(200);
});

test("members of a closed team join its public channels by themselves, also those that they left", async () => {
  const late = record("user", {
    ...{ username: "late", email: "late@mm.test", first_name: "Late", roles: "system_user" },
    teams: [{ name: "beta", roles: "team_user", channels: null }],
  });
  await run(withLines(late), "join.mm.test");
  const caller = await callerAt(harness, "join.mm.test", "late@mm.test");
  expect(await textsOf("join.mm.test", "late")).not.toContain("in beta");
  await expectSuccess(
    caller.post("/users/me/subscriptions", { subscriptions: [{ name: "Beta / town square" }] }),
  );
  expect(await textsOf("join.mm.test", "late", "Beta / town square")).toEqual(["in beta"]);
});

test("with one team, its channels are public, and people without it come as guests", async () => {
  const given = mattermostExport();
  const isOfBeta = (line: object) => /"(?:team|name)":"beta"/.test(JSON.stringify(line)) && !("user" in line);
  const stray = record("user", {
    username: "stray",
    email: "stray@mm.test",
    roles: "system_user",
    teams: [],
  });
  const lines = [...given.lines.filter((line) => !isOfBeta(line)), stray].map((line) =>
    "team" in line ? { ...line, team: { ...(line.team as object), allow_open_invite: false } } : line,
  );
  const { report } = await run({ ...given, lines }, "one.mm.test");
  expect(report.losses.get("people who are in no team came as guests")?.count).toBe(1);
  const mara = await callerAt(harness, "one.mm.test", "mara@mm.test");
  const { streams } = await expectSuccess(mara.get("/streams"));
  expect(streams).toContainEqual(expect.objectContaining({ name: "Town Square", invite_only: false }));
  expect(await textsOf("one.mm.test", "stray")).toEqual([]);
});

test("followers of a thread follow its topic", async () => {
  await run(mattermostExport(), "follow.mm.test");
  const mara: Caller = await callerAt(harness, "follow.mm.test", "mara@mm.test");
  const { user_topics: topics } = await expectSuccess(
    mara.post("/register", { event_types: ["user_topic"] }),
  );
  expect(topics).toMatchObject([{ topic_name: "2023-11-14 Root of a thread", visibility_policy: 3 }]);
});

test("links to channels of the source lead to those of here, and links to messages are counted", async () => {
  const pl = `https://mm.test/alpha/pl/${"a".repeat(26)}`;
  const { report } = await run(
    withLines(say(`see https://mm.test/alpha/channels/town-square and ${pl} ~old`)),
    "links.mm.test",
  );
  const text = (await textsOf("links.mm.test", "mara")).find((each) => each.startsWith("see")) ?? "";
  expect(text.replace(/narrow\/channel\/\d+/g, "X")).toBe(
    `see [#Alpha / Town Square](#X) and ${pl} [#Old](#X)`,
  );
  const reason = "links to messages stay as they were, since exports have no ids of messages";
  expect(report.losses.get(reason)?.count).toBe(1);
});

test("a dry run has the numbers of the import", async () => {
  const dry = await read(mattermostExport(), "dry.mm.test");
  await reportTheRest(dry.read, dry.report);
  expect(await countOrganizations("dry.mm.test")).toBe(0);
  const { report } = await run(mattermostExport(), "dry.mm.test");
  expect(Object.fromEntries(dry.report.counts)).toEqual(Object.fromEntries(report.counts));
  const lossesOf = ({ losses }: Report) =>
    [...losses.values()].map(({ reason, count }) => `${count}: ${reason}`).sort();
  expect(lossesOf(dry.report)).toEqual(lossesOf(report));
});

test("a second run changes nothing, and one that was stopped goes on or is taken back without a rest", async () => {
  await run(mattermostExport(), "twice.mm.test");
  const before = await textsOf("twice.mm.test", "mara");
  expect((await run(mattermostExport(), "twice.mm.test")).result).toBe("imported before");
  expect(await textsOf("twice.mm.test", "mara")).toEqual(before);
  const stop = async (host: string) => {
    const stopped = new AbortController();
    const found = await read(mattermostExport(), host, { signal: stopped.signal });
    const options = { ...found.options, onProgress: () => stopped.abort(new Error("stopped")) };
    await expect(writeImport(harness.services, found.read, options, found.report)).rejects.toThrow("stopped");
  };
  await stop("stopped.mm.test");
  await run(mattermostExport(), "stopped.mm.test");
  expect((await textsOf("stopped.mm.test", "mara")).map(plain)).toEqual(before.map(plain));
  await stop("back.mm.test");
  expect(await cancelImport(harness.services, "back.mm.test")).toBe("cancelled");
  expect(await countOrganizations("back.mm.test")).toBe(0);
});

/** Without what differs between organizations. */
function plain(text: string): string {
  return text.replace(/user_uploads\/\S+|\|\d+|channel\/\d+/g, "");
}

test("an export that is torn, foreign, empty or of another version is refused with a sentence", async () => {
  const lines = linesOf(mattermostExport());
  const problemOf = async (text: string) =>
    readBytes(text, "torn.mm.test").then(
      () => "none",
      (error: unknown) => (error instanceof ArchiveError ? error.message : `${error}`),
    );
  expect(await problemOf(lines.slice(0, -20))).toContain("ends in the middle");
  expect(await problemOf(lines.replace('{"type":"team"', '{"type":team'))).toContain(
    "no valid JSON in line 3",
  );
  expect(await problemOf('{"type":"team","team":{}}\n')).toContain(
    "does not begin as an export of Mattermost",
  );
  expect(await problemOf('{"type":"version","version":2}\n')).toContain("only version 1 is");
  expect(await problemOf("{}\n[]\n")).toContain("does not begin");
  expect(await problemOf(lines.split("\n").slice(0, 3).join("\n"))).toContain("none");
  const { lines: all, files } = mattermostExport();
  const climbing = { lines: all, files: { ...files, "data/../../evil": "x" } };
  await expect(read(climbing, "torn.mm.test")).rejects.toThrow("leads out of its folder");
  expect(await countOrganizations("torn.mm.test")).toBe(0);
});

test("attachments whose path climbs, or that come twice, are files of the archive or none", async () => {
  const paths = [
    "../../../etc/passwd",
    "/etc/passwd",
    "data/20260101/teams/x/plan *a*.txt",
    "",
    "x".repeat(5000),
  ];
  const { report } = await run(
    withLines(
      say("paths", { attachments: [...paths, null, 5].map((path) => ({ path })) }),
      say("none", { attachments: {} }),
    ),
    "paths.mm.test",
  );
  const text = (await textsOf("paths.mm.test", "mara")).find((each) => each.startsWith("paths")) ?? "";
  expect(text.match(/\/user_uploads\//g)).toHaveLength(1);
  expect(text).toContain("\npasswd\n");
  expect(report.losses.get("files that are not in the archive do not come")?.count).toBe(4);
});

test("messages without a time, a sender or people, or of the future, are counted and left out", async () => {
  const bad = [
    ...[undefined, null, "1700000000000", -1, 0, 1e300].map((create_at) => say("when?", { create_at })),
    say("tomorrow", { create_at: Date.now() + 10 * 24 * 3600 * SECOND }),
    ...[null, 5, "", "a b", {}].map((user) => say("who?", { user })),
    ...[null, [], ["mara", 5], "mara"].map((channel_members) =>
      record("direct_post", { channel_members, user: "mara", message: "to whom?", create_at: START }),
    ),
  ];
  const { report } = await read(withLines(...bad), "bad.mm.test", { maxSkippedPercent: 100 });
  const countOf = (reason: string) => report.losses.get(reason)?.count;
  expect(countOf("messages without a time were left out")).toBe(6);
  expect(countOf("messages of the future were left out")).toBe(1);
  expect(countOf("messages without a sender were left out")).toBe(5);
  expect(countOf("direct messages whose people can't be read were left out")).toBe(4);
});

test("replies of replies, as deep as a line may have them, are replies of the thread", async () => {
  let deep: object = { user: "mara", message: "deepest", create_at: START + 40 * SECOND };
  for (let depth = 0; depth < 1000; depth++) {
    deep = { user: "tomas", message: `at ${depth}`, create_at: START + 40 * SECOND, replies: [deep] };
  }
  const given = await read(withLines(say("Deep thread", { replies: [deep] })), "deep.mm.test");
  expect(given.report.counts.get("messages")).toEqual({ found: 1018, taken: 1017 });
  const topics = new Set<unknown>();
  for await (const { to, text } of given.read.spool.messages()) if (text === "deepest") topics.add(to);
  expect([...topics]).toEqual([{ channelId: "alpha:town-square", topic: "2023-11-14 Deep thread" }]);
});

test("any field removed, null, mistyped or huge makes a report or a refusal, and writes nothing", async () => {
  const seed = Math.floor(Math.random() * 2 ** 31);
  // To repeat a failure, put the seed in its place.
  process.stdout.write(`random walk of the Mattermost import: seed ${seed}\n`);
  let state = seed;
  const below = (count: number) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    return Math.floor((state / 2 ** 32) * count);
  };
  const wrong = [
    ...[undefined, null, 0, -1, 1e300, "", "x".repeat(200_000), [], [null], {}, true, "\u0000\ud800", "mara"],
    ...["__proto__", "constructor", "\ufdd0p:mara:x\ufdd1", "a:b:c/d"],
  ];
  for (let step = 0; step < 150; step++) {
    const { lines } = structuredClone(mattermostExport());
    for (let changes = 0; changes <= below(3); changes++) mutate(lines, below, wrong);
    const text = lines.map((line) => `${JSON.stringify(line)}\n`).join("");
    const outcome = await readBytes(text, "walk.mm.test", { maxSkippedPercent: 100 }).catch(
      (error: Error) => error,
    );
    if (outcome instanceof Error) {
      expect(outcome, `seed ${seed}, step ${step}: ${outcome.stack}`).toBeInstanceOf(ArchiveError);
    } else await reportTheRest(outcome.read, outcome.report);
  }
  expect(await countOrganizations("walk.mm.test")).toBe(0);
});

/** Changes one value in one of the lines. */
function mutate(lines: object[], below: (count: number) => number, wrong: readonly unknown[]): void {
  let holder = lines[below(lines.length)] as Record<string, unknown>;
  for (;;) {
    const keys = Object.keys(holder);
    const key = keys[below(keys.length)];
    if (key === undefined) return;
    const inner = holder[key];
    if (typeof inner === "object" && inner !== null && below(4) > 0)
      holder = inner as Record<string, unknown>;
    else {
      holder[key] = wrong[below(wrong.length)];
      return;
    }
  }
}
