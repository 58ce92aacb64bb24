import { expect, test } from "vitest";
import { expectSuccess } from "../../../test/harness/answers.ts";
import { callerAt } from "../../../test/harness/caller-at.ts";
import type { Caller } from "../../../test/harness/harness.ts";
import { mattermostExport, record, SECOND, START } from "../../../test/harness/mattermost-export.ts";
import { type Found, say, useMattermostImports, withLines } from "../../../test/harness/mattermost-import.ts";
import { cancelImport } from "../core/cancel.ts";
import { reportTheRest, writeImport } from "../core/import.ts";
import type { Report } from "../core/report.ts";

const imports = useMattermostImports();
const { read, run, messagesOf, textsOf, countOrganizations } = imports;

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
  const mara = await callerAt(imports.harness, "mm.test", "mara@mm.test");
  const { attachments } = await expectSuccess(mara.get("/attachments"));
  expect(attachments).toContainEqual(
    expect.objectContaining({ name: "plan *a*.txt", path_id: path?.slice("/user_uploads/".length) }),
  );
  const starred = (await messagesOf("mm.test", "tomas")).filter(({ flags }) => flags.includes("starred"));
  expect(starred.map(({ id }) => id)).toEqual([byText("Hello").id]);
});

test("an import has people with their roles, and channels of all teams in one organization", async () => {
  await run(mattermostExport(), "people.mm.test");
  const mara = await callerAt(imports.harness, "people.mm.test", "mara@mm.test");
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
  const tomas = await callerAt(imports.harness, "people.mm.test", "tomas@mm.test");
  const { subscriptions } = await expectSuccess(tomas.get("/users/me/subscriptions"));
  const town = subscriptions.find(({ name }: { name: string }) => name === "Alpha / Town Square");
  expect(town).toMatchObject({ pin_to_top: true, is_muted: true });
  // The administrator of a channel may change it, though no administrator of the organization.
  await expectSuccess(tomas.patch(`/streams/${town.stream_id}`, { description: "For all of us" }));
  const visitor = await callerAt(imports.harness, "people.mm.test", "visitor@mm.test");
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
    const caller = await callerAt(imports.harness, "access.mm.test", `${name}@mm.test`);
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
  const caller = await callerAt(imports.harness, "join.mm.test", "late@mm.test");
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
  const mara = await callerAt(imports.harness, "one.mm.test", "mara@mm.test");
  const { streams } = await expectSuccess(mara.get("/streams"));
  expect(streams).toContainEqual(expect.objectContaining({ name: "Town Square", invite_only: false }));
  expect(await textsOf("one.mm.test", "stray")).toEqual([]);
});

test("followers of a thread follow its topic", async () => {
  await run(mattermostExport(), "follow.mm.test");
  const mara: Caller = await callerAt(imports.harness, "follow.mm.test", "mara@mm.test");
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
    await expect(writeImport(imports.harness.services, found.read, options, found.report)).rejects.toThrow(
      "stopped",
    );
  };
  await stop("stopped.mm.test");
  await run(mattermostExport(), "stopped.mm.test");
  expect((await textsOf("stopped.mm.test", "mara")).map(plain)).toEqual(before.map(plain));
  await stop("back.mm.test");
  expect(await cancelImport(imports.harness.services, "back.mm.test")).toBe("cancelled");
  expect(await countOrganizations("back.mm.test")).toBe(0);
});

/** Without what differs between organizations. */
function plain(text: string): string {
  return text.replace(/user_uploads\/\S+|\|\d+|channel\/\d+/g, "");
}
