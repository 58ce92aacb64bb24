import { describe, expect, test } from "vitest";
import { checkSources } from "../test/harness/checked-sources.ts";

describe("an endpoint", () => {
  const declared = { "api/personal/drafts.ts": "export const getDrafts = endpoint({});" };
  const routes = "export const routes = [route(getDrafts, list)];";

  test("is handled in the folder that its declaration is named for", () => {
    expect(checkSources({ ...declared, "server/personal/drafts/handlers.ts": routes })).toEqual({
      problems: [],
      status: 0,
    });
  });

  test("is refused where its handler is elsewhere, or is missing", () => {
    const elsewhere = checkSources({ ...declared, "server/personal/reminders/handlers.ts": routes });
    const advice =
      "api/personal/drafts.ts: getDrafts should have its handler in server/personal/drafts/, not in";
    expect(elsewhere).toEqual({
      problems: [`${advice} server/personal/reminders/handlers.ts.`],
      status: 1,
    });
    expect(checkSources(declared)).toEqual({ problems: [expect.stringContaining(advice)], status: 1 });
  });
});

describe("an event", () => {
  const declared = { "api/events/drafts.ts": "export const draftsEvent = event({});" };
  const appended = "tx.append(draftsEvent, { drafts });";

  test("is appended in one place", () => {
    const { problems } = checkSources({ ...declared, "server/personal/drafts/actions.ts": appended });
    expect(problems).toEqual([]);
  });

  test.each([
    ["in two files", { "server/personal/drafts/a.ts": appended, "server/personal/drafts/b.ts": appended }],
    ["twice in a file", { "server/personal/drafts/a.ts": `${appended}\n${appended}` }],
  ])("is refused where it is appended %s", (_, files) => {
    const { problems, status } = checkSources({ ...declared, ...files });
    expect(problems).toEqual([
      expect.stringMatching(/^api\/events\/drafts\.ts: draftsEvent is appended in several places: server/),
    ]);
    expect(status).toBe(1);
  });
});

describe("SQL", () => {
  const statement = "const rows = await db.query(sql`select 1`);";

  test.each([
    ["a store", "server/personal/drafts/store.ts"],
    ["a store that is named for what it keeps", "server/channels/recipients/topic-store.ts"],
    ["a place with a reason", "server/messages/query/scan.ts"],
    ["the platform", "server/platform/jobs/queue.ts"],
  ])("may be in %s", (_, file) => {
    expect(checkSources({ [file]: statement })).toEqual({ problems: [], status: 0 });
  });

  test("is refused in an action", () => {
    const file = "server/personal/drafts/actions.ts";
    expect(checkSources({ [file]: statement })).toEqual({
      problems: [`${file}: SQL belongs in the store of the table's owner.`],
      status: 1,
    });
  });

  test.each([
    ["in one line", (key: string) => `await db.query(sql\`select pg_advisory_xact_lock(${key}, \${id})\`);`],
    ["in several", (key: string) => `await db.query(sql\`\n  select pg_advisory_lock(\n    ${key}, 0)\`);`],
    ["without sql", (key: string) => `await client.query("select pg_try_advisory_lock(${key}, $1)", [id]);`],
  ])("takes the class of a lock from the list of all, %s", (_, lock) => {
    const file = "server/messages/store.ts";
    // biome-ignore lint/suspicious/noTemplateCurlyInString: It is a source.
    expect(checkSources({ [file]: lock("${lockClasses.state}") }).problems).toEqual([]);
    expect(checkSources({ [file]: lock("7201") }).problems).toEqual([
      expect.stringMatching(
        /^server\/messages\/store\.ts: the classes of locks are in server\/platform\/db\/locks\.ts/,
      ),
    ]);
  });
});
