// Who may read a file: at its address, as a download, in part, as a small picture, and by the API.
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { expectSuccess, sayIn } from "../../../test/harness/answers.ts";
import { type CastName, createHarness, type Harness } from "../../../test/harness/harness.ts";
import { picture } from "../../../test/harness/pictures.ts";
import { addSession, browserOf } from "../../../test/harness/sessions.ts";
import { load, uploaded } from "../../../test/harness/uploads.ts";

let harness: Harness;
let png: Buffer;
beforeAll(async () => {
  harness = await createHarness({ PARLEY_RATE_LIMITS: "off" });
  png = await picture("png", 900, 600);
  await harness.channel("open", ["dev", "elin"]);
  await harness.channel("secret", ["ada", "dev", "elin"], { isPrivate: true });
  await harness.channel("elsewhere", ["ada"], { isPrivate: true });
  await harness.channel("guests", ["dev", "gus"]);
  await harness.channel("web", ["dev"], { isWebPublic: true });
  await expectSuccess(harness.as("ada").patch("/realm", { enable_spectator_access: true }));
});
afterAll(() => harness.close());

const say = sayIn(() => harness);
const share = (channel: string, url: string, name: CastName = "dev") =>
  say(name, channel, { content: `[picture](${url})` });
const id = async (name: string) =>
  (await expectSuccess(harness.as("ada").get("/get_stream_id", { stream: name }))).stream_id;

/** The statuses of all ways to a file; all of one person must agree. */
async function ways(name: CastName | undefined, url: string): Promise<number[]> {
  const path = url.slice("/user_uploads/".length);
  const requests = await Promise.all([
    load(harness, name, url),
    load(harness, name, url, { method: "HEAD" }),
    load(harness, name, url, { headers: { range: "bytes=0-3" } }),
    load(harness, name, url, { headers: { "if-none-match": "*" } }),
    load(harness, name, `/user_uploads/download/${path}`),
    load(harness, name, `/user_uploads/thumbnail/${path}/840x560.webp`),
    load(harness, name, `/api/v1/user_uploads/${path}`),
  ]);
  return requests.map(({ statusCode }) => statusCode);
}

const READS = [200, 200, 206, 304, 200, 200, 200];
const MAY_NOT = Array(7).fill(403);
const MISSING = Array(7).fill(404);
/** The API itself takes no visitors. */
const VISITS = [200, 200, 206, 304, 200, 200, 401];
const VISITS_NOT = [404, 404, 404, 404, 404, 404, 401];

async function expectAccess(url: string, expected: Partial<Record<CastName | "nobody", number[]>>) {
  for (const [name, statuses] of Object.entries(expected)) {
    const found = await ways(name === "nobody" ? undefined : (name as CastName), url);
    expect(found, name).toEqual(statuses);
  }
}

describe("a file can be read, on every way to it,", () => {
  test("by its owner alone while no message links it", async () => {
    const url = await uploaded(harness, "dev", png, "a.png");
    await expectAccess(url, {
      dev: READS,
      ada: MAY_NOT,
      elin: MAY_NOT,
      gus: MAY_NOT,
      echo: MAY_NOT,
      zed: MISSING,
      nobody: VISITS_NOT,
    });
  });

  test("by members where a public channel links it, and not by guests outside of the channel", async () => {
    const url = await uploaded(harness, "dev", png, "a.png");
    await share("open", url);
    await expectAccess(url, { ada: READS, cleo: READS, gus: MAY_NOT, zed: MISSING, nobody: VISITS_NOT });
    await share("guests", url);
    await expectAccess(url, { gus: READS });
  });

  test("by the readers of a private channel, and not by administrators outside of it", async () => {
    const url = await uploaded(harness, "dev", png, "a.png");
    await share("secret", url);
    await expectAccess(url, { ada: READS, elin: READS, ben: MAY_NOT, cleo: MAY_NOT, gus: MAY_NOT });
  });

  test("by the people of a direct message", async () => {
    const url = await uploaded(harness, "dev", png, "a.png");
    const to = [harness.user("gus").id];
    await say("dev", to, { type: "direct", topic: undefined, content: `[picture](${url})` });
    await expectAccess(url, { gus: READS, ada: MAY_NOT, elin: MAY_NOT });
  });

  test("by visitors where a web-public channel links it, while the organization admits them", async () => {
    const url = await uploaded(harness, "dev", png, "a.png");
    await share("web", url);
    await expectAccess(url, { nobody: VISITS });
    await expectSuccess(harness.as("ada").patch("/realm", { enable_spectator_access: false }));
    await expectAccess(url, { nobody: Array(7).fill(401) });
    await expectSuccess(harness.as("ada").patch("/realm", { enable_spectator_access: true }));
  });

  test("no longer by who left the private channel, who can't get it back by linking it again", async () => {
    const url = await uploaded(harness, "dev", png, "a.png");
    await share("secret", url);
    await expectAccess(url, { elin: READS });
    await expectSuccess(harness.as("elin").delete("/users/me/subscriptions", { subscriptions: ["secret"] }));
    await expectAccess(url, { elin: MAY_NOT });
    await share("open", url, "elin");
    const own = [harness.user("elin").id];
    await say("elin", own, { type: "direct", topic: undefined, content: `![x](${url})` });
    const message = await say("elin", "open", { content: "nothing" });
    await expectSuccess(harness.as("elin").patch(`/messages/${message}`, { content: `[x](${url})` }));
    await expectAccess(url, { elin: MAY_NOT, cleo: MAY_NOT, dev: READS, ada: READS });
    await expectSuccess(
      harness.as("ada").post("/users/me/subscriptions", {
        subscriptions: [{ name: "secret" }],
        principals: [harness.user("elin").id],
      }),
    );
  });

  test("by those who can read a message after its move, and by nobody else", async () => {
    const url = await uploaded(harness, "dev", png, "a.png");
    const message = await share("open", url);
    await expectAccess(url, { elin: READS, cleo: READS });
    await expectSuccess(
      harness.as("ada").patch(`/messages/${message}`, { stream_id: await id("elsewhere") }),
    );
    await expectAccess(url, { ada: READS, dev: READS, elin: MAY_NOT, cleo: MAY_NOT });
  });

  test("no longer once the message is deleted", async () => {
    const url = await uploaded(harness, "dev", png, "a.png");
    const message = await share("open", url);
    await expectAccess(url, { elin: READS });
    await expectSuccess(harness.as("ada").delete(`/messages/${message}`));
    await expectAccess(url, { elin: MAY_NOT, dev: READS });
  });

  test("by its readers after its owner was deactivated, and no longer by the owner", async () => {
    const url = await uploaded(harness, "cleo", png, "a.png");
    await share("open", url, "cleo");
    await expectSuccess(harness.as("ada").delete(`/users/${harness.user("cleo").id}`));
    await expectAccess(url, { elin: READS, cleo: Array(7).fill(401) });
    await expectSuccess(harness.as("ada").post(`/users/${harness.user("cleo").id}/reactivate`));
  });
});

describe("a temporary address", () => {
  const temporary = async (url: string) =>
    (await expectSuccess(harness.as("dev").get(`/user_uploads/${url.slice("/user_uploads/".length)}`))).url;

  test("opens the file to everybody, and no other", async () => {
    const one = await uploaded(harness, "dev", "one", "one.txt");
    const two = await uploaded(harness, "dev", "two", "two.txt");
    const address = await temporary(one);
    const { statusCode, body, headers } = await load(harness, undefined, address);
    expect([statusCode, body, headers["cache-control"]]).toEqual([200, "one", "private, no-store"]);
    expect((await load(harness, "gus", address)).statusCode).toBe(200);
    const forged = address.replace(one.slice("/user_uploads/".length), two.slice("/user_uploads/".length));
    expect(forged).not.toBe(address);
    const changed = address.replace(
      /(\d-)([\w-])(?=[\w-]{42}\/)/,
      (_whole: string, before: string, first: string) => `${before}${first === "A" ? "B" : "A"}`,
    );
    expect(changed).not.toBe(address);
    for (const wrong of [forged, changed, address.replace(/\/(\d+)-/, "/9$1-")]) {
      expect((await load(harness, undefined, wrong)).statusCode, wrong).toBe(404);
    }
    expect((await load(harness, undefined, address, { host: "other.test" })).statusCode).toBe(404);
  });

  test("ends with the session that asked for it, and with the right to read the file", async () => {
    const { cookie, id } = await addSession(harness, "elin");
    const url = await uploaded(harness, "dev", "one", "one.txt");
    await share("secret", url);
    const asked = [harness.as("elin"), browserOf(harness, cookie), harness.as("elin")];
    const addresses: string[] = [];
    for (const by of asked) addresses.push((await expectSuccess(by.get(url))).url);
    const statuses = () =>
      Promise.all(addresses.map(async (each) => (await load(harness, undefined, each)).statusCode));
    expect(await statuses()).toEqual([200, 200, 200]);
    await expectSuccess(harness.as("elin").delete(`/sessions/${id}`));
    expect(await statuses()).toEqual([200, 404, 200]);
    await expectSuccess(harness.as("elin").delete("/users/me/subscriptions", { subscriptions: ["secret"] }));
    expect(await statuses()).toEqual([404, 404, 404]);
  });

  test("ends after 60 seconds, and with the file", async () => {
    const url = await uploaded(harness, "dev", "one", "one.txt");
    const given = /temporary\/(\d+)-/.exec(await temporary(url))?.[1];
    expect(Math.abs(Number(given) - Date.now() / 1000 - 60)).toBeLessThan(20);
    const early = await temporary(url);
    expect((await load(harness, undefined, early)).statusCode).toBe(200);
    vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 61_000 });
    expect((await load(harness, undefined, early)).statusCode).toBe(404);
    vi.useRealTimers();
    const { attachments } = await expectSuccess(harness.as("dev").get("/attachments"));
    const address = await temporary(url);
    await expectSuccess(harness.as("dev").delete(`/attachments/${attachments[0].id}`));
    expect((await load(harness, undefined, address)).statusCode).toBe(404);
  });
});
