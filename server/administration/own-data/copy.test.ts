import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { mailsTo } from "../../../test/harness/accounts.ts";
import { expectSuccess, refusal, sayIn } from "../../../test/harness/answers.ts";
import { readArchive } from "../../../test/harness/archive.ts";
import { CAST_PASSWORD } from "../../../test/harness/cast.ts";
import { createHarness, type Harness, HOST } from "../../../test/harness/harness.ts";
import { runJobs, runJobsEarly } from "../../../test/harness/jobs.ts";
import { makeProofsOld } from "../../../test/harness/proofs.ts";
import { addSession, browserOf } from "../../../test/harness/sessions.ts";
import { sql } from "../../platform/db/sql.ts";
import { cleanUpOwnData, eraseCopiesOf } from "./clean-up.ts";
import { makeOwnDataCopy } from "./copy.ts";

const CALL = "/users/me/data_copy";

let harness: Harness;
const say = sayIn(() => harness);
beforeAll(async () => {
  harness = await createHarness({ PARLEY_RATE_LIMITS: "off" });
});
afterAll(() => harness.close());
beforeEach(() => harness.services.database.query(sql`delete from own_data_copies`));

const stateOf = async (name: "dev" | "gus" | "ada" = "dev") =>
  (await expectSuccess(harness.as(name).get(CALL))).copy;

async function made(): Promise<void> {
  await expectSuccess(harness.as("dev").post(CALL));
  await runJobs(harness.services);
}

async function linkOf(caller = harness.as("dev")): Promise<string> {
  return new URL((await expectSuccess(caller.post(`${CALL}/link`))).export_url).pathname;
}

function download(path: string, cookie?: string, host = HOST) {
  return harness.app.inject({ method: "GET", url: path, headers: { host, ...(cookie && { cookie }) } });
}

async function fileKeys(): Promise<string[]> {
  const rows = await harness.services.database.query<{ key: string }>(
    sql`select file_key as key from own_data_copies where file_key is not null`,
  );
  return rows.map(({ key }) => key);
}

/** One run of the job. */
async function runAlone(meanwhile: () => Promise<unknown>): Promise<void> {
  const [row] = await harness.services.database.query<{ id: number }>(
    sql`select id from own_data_copies where status = 'pending'`,
  );
  const { files } = harness.services;
  const services = {
    ...harness.services,
    files: Object.assign(Object.create(files) as typeof files, {
      mark: files.mark,
      temporaryPath: async () => {
        await meanwhile();
        return files.temporaryPath();
      },
      put: files.put.bind(files),
      delete: files.delete.bind(files),
      open: files.open.bind(files),
    }),
  };
  const payload = { organizationId: harness.state.organizationId, copyId: (row as { id: number }).id };
  const run = { signal: new AbortController().signal, dueAt: new Date() };
  await makeOwnDataCopy.run(services, payload, run);
}

describe("a copy of one's own data", () => {
  test("has one's own words wherever they lie, and nothing that others wrote", async () => {
    const shared = await harness.channel("copied", ["ada", "dev"], { isPrivate: true });
    const theirs = await say("ada", shared.id, { content: "Words of Ada" });
    const mine = await say("dev", shared.id, { content: "First words of Dev" });
    await expectSuccess(harness.as("dev").patch(`/messages/${mine}`, { content: "Words of Dev" }));
    await expectSuccess(harness.as("ada").post(`/messages/${mine}/reactions`, { emoji_name: "heart" }));
    await made();
    const before = await readArchive((await download(await linkOf())).rawPayload);
    const find = (records: { id: number }[] | undefined) => records?.find(({ id }) => id === mine);
    expect(find(before.records.messages_sent)).toMatchObject({
      content: "Words of Dev",
      channel_name: "copied",
      is_readable: true,
      reactions: [],
      edits: [{ previous_content: "First words of Dev" }],
    });
    expect(before.records.messages_received).toBeUndefined();
    expect(JSON.stringify(before.records)).not.toContain("Words of Ada");
    expect(theirs).toBeLessThan(mine);

    await expectSuccess(harness.as("dev").delete("/users/me/subscriptions", { subscriptions: ["copied"] }));
    await harness.services.database.query(sql`update own_data_copies set requested_at = '2020-01-01'`);
    await made();
    const after = await readArchive((await download(await linkOf())).rawPayload);
    const left = find(after.records.messages_sent);
    expect(left).toMatchObject({ content: "Words of Dev", is_readable: false });
    expect(left).not.toHaveProperty("channel_name");
    expect(left).not.toHaveProperty("topic");
  });

  test("is told of by the notification bot when it is ready", async () => {
    await made();
    const { messages } = await expectSuccess(
      harness.as("dev").get("/messages", { anchor: "newest", num_before: 1, num_after: 0 }),
    );
    expect(messages).toMatchObject([{ sender_full_name: "Notification Bot" }]);
    expect(messages[0].content).toMatch(/href="[^"]*#settings\/own-data"/);
    expect(await stateOf()).toMatchObject({ status: "done", progress: 100 });
  });

  test("is made once a day, and one at a time", async () => {
    const dev = harness.as("dev");
    await expectSuccess(dev.post(CALL));
    expect(await refusal(dev.post(CALL))).toBe("An export is already being made.");
    expect(await refusal(dev.post(`${CALL}/link`))).toBe("Export still in progress");
    await runJobs(harness.services);
    expect(await refusal(dev.post(CALL))).toBe("Exceeded rate limit.");
  });

  test("takes the place of the one before, whose file goes", async () => {
    await made();
    const old = await linkOf();
    await harness.services.database.query(sql`update own_data_copies set requested_at = '2020-01-01'`);
    await made();
    expect((await download(old)).statusCode).toBe(404);
    await cleanUp();
    expect(await fileKeys()).toHaveLength(1);
  });

  test("can be had by guests, and not by bots", async () => {
    await expectSuccess(harness.as("gus").post(CALL));
    const { api_key, user_id } = await expectSuccess(
      harness.as("dev").post("/bots", { full_name: "Copier", short_name: "copier" }),
    );
    expect(user_id).toBeGreaterThan(0);
    const email = (await expectSuccess(harness.as("ada").get(`/users/${user_id}`))).user.email;
    const authorization = `Basic ${Buffer.from(`${email}:${api_key}`).toString("base64")}`;
    const answer = await harness.app.inject({
      method: "POST",
      url: `/api/v1${CALL}`,
      headers: { host: HOST, authorization },
    });
    expect(answer.json().msg).toBe("This endpoint does not accept bot requests.");
    expect(await stateOf("ada")).toBeNull();
  });
});

describe("the link to a copy", () => {
  test("of a session works in that browser alone, and is given by a fresh proof", async () => {
    await made();
    const { cookie } = await addSession(harness, "dev");
    const other = await addSession(harness, "dev");
    const browser = browserOf(harness, cookie);
    await makeProofsOld(harness);
    expect((await browser.post(`${CALL}/link`)).body.code).toBe("RECENT_PROOF_REQUIRED");
    const { export_url } = await expectSuccess(browser.post(`${CALL}/link`, { password: CAST_PASSWORD }));
    const path = new URL(export_url).pathname;
    const { statusCode, headers } = await download(path, cookie);
    expect([statusCode, headers["content-type"]]).toEqual([200, "application/gzip"]);
    expect(headers["content-disposition"]).toMatch(/^attachment;/);
    expect(headers["cache-control"]).toBe("private, no-store");
    expect((await download(path)).statusCode).toBe(404);
    expect((await download(path, other.cookie)).statusCode).toBe(404);
    expect((await download(path.replace("/own-data/", "/exports/"), cookie)).statusCode).toBe(404);
    expect((await download(path, cookie, "other.localhost")).statusCode).toBe(404);
  });

  test("of an API key needs no more than the key, so a mail says so for each download", async () => {
    await made();
    const told = async () =>
      (await mailsTo(harness, "dev@demo.test")).filter(({ text }) => text.includes("downloaded the copy"));
    const before = (await told()).length;
    const { cookie } = await addSession(harness, "dev");
    const browser = browserOf(harness, cookie);
    const { export_url } = await expectSuccess(browser.post(`${CALL}/link`, { password: CAST_PASSWORD }));
    expect((await download(new URL(export_url).pathname, cookie)).statusCode).toBe(200);
    expect(await told()).toHaveLength(before);
    expect((await download(await linkOf())).statusCode).toBe(200);
    expect(await told()).toHaveLength(before + 1);
  });

  test("ends with the account and with the file", async () => {
    await made();
    const link = await linkOf();
    const id = harness.user("dev").id;
    await expectSuccess(harness.as("ada").delete(`/users/${id}`));
    expect((await download(link)).statusCode).toBe(404);
    await expectSuccess(harness.as("ada").post(`/users/${id}/reactivate`));
    const fresh = await linkOf();
    await expectSuccess(harness.as("dev").delete(CALL));
    expect((await download(fresh)).statusCode).toBe(404);
    expect(await fileKeys()).toEqual([]);
    expect(await refusal(harness.as("dev").post(`${CALL}/link`))).toBe("Export already deleted");
  });
});

test("a node makes one copy at a time, and the next one waits", async () => {
  await expectSuccess(harness.as("dev").post(CALL));
  await expectSuccess(harness.as("gus").post(CALL));
  const rows = await harness.services.database.query<{ id: number }>(
    sql`select id from own_data_copies order by id`,
  );
  const run = { signal: new AbortController().signal, dueAt: new Date() };
  const [first, second] = rows.map(({ id }) => ({
    organizationId: harness.state.organizationId,
    copyId: id,
  }));
  const { services } = harness;
  await Promise.all([
    makeOwnDataCopy.run(services, first as NonNullable<typeof first>, run),
    makeOwnDataCopy.run(services, second as NonNullable<typeof second>, run),
  ]);
  expect(await stateOf()).toMatchObject({ status: "done" });
  expect(await stateOf("gus")).toMatchObject({ status: "pending" });
  await runJobsEarly(services);
  expect(await stateOf("gus")).toMatchObject({ status: "done" });
});

describe("a copy that can't be made", () => {
  test("fails and leaves no file when its person is deactivated meanwhile", async () => {
    await expectSuccess(harness.as("dev").post(CALL));
    const id = harness.user("dev").id;
    await runAlone(() => expectSuccess(harness.as("ada").delete(`/users/${id}`)));
    await expectSuccess(harness.as("ada").post(`/users/${id}/reactivate`));
    expect(await stateOf()).toMatchObject({
      status: "failed",
      failure_reason: "The account was deactivated.",
    });
    expect(await fileKeys()).toEqual([]);
  });

  test("leaves nothing when another run took its place, or the person is erased", async () => {
    await expectSuccess(harness.as("dev").post(CALL));
    await runAlone(() => runAlone(async () => {}));
    expect(await stateOf()).toMatchObject({ status: "done" });
    expect(await fileKeys()).toHaveLength(1);
    await eraseCopiesOf(harness.services, harness.state, harness.user("dev").id);
    expect(await fileKeys()).toEqual([]);
    expect(await stateOf()).toMatchObject({ status: "deleted", expires_at: null });
  });
});

test("a file is deleted after a week, and the row with the next clean-up after that", async () => {
  await made();
  const [key] = await fileKeys();
  await cleanUp();
  expect(await harness.services.files.size(key as string)).toBeGreaterThan(0);
  const old = sql`update own_data_copies set ended_at = now() - interval '8 days'`;
  await harness.services.database.query(old);
  await cleanUp();
  expect(await harness.services.files.size(key as string)).toBeUndefined();
  await harness.services.database.query(old);
  await cleanUp();
  expect(await stateOf()).toBeNull();
});

async function cleanUp(): Promise<void> {
  await cleanUpOwnData.run(harness.services, {}, { signal: new AbortController().signal, dueAt: new Date() });
  await runJobs(harness.services);
}
