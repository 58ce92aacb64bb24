import { afterAll, beforeEach, expect, test } from "vitest";
import { MAX_SESSIONS } from "../../../api/limits.ts";
import { roles } from "../../../api/roles.ts";
import { addRosa, PASSWORD, rosa, signInForCookie } from "../../../test/harness/accounts.ts";
import { expectSuccess, refusal } from "../../../test/harness/answers.ts";
import { callerOf, createHarness, type Harness, HOST, OTHER_HOST } from "../../../test/harness/harness.ts";
import { listen } from "../../../test/harness/listener.ts";
import { Node } from "../../../test/harness/node.ts";
import { ownPageHeaders } from "../../../test/harness/own-page-headers.ts";
import { aBrowser, addSession, browserAs, browserOf, cookieIn } from "../../../test/harness/sessions.ts";
import { sendMessage } from "../../messages/send/send.ts";
import { sql } from "../../platform/db/sql.ts";
import { authenticateSession } from "../sign-in/authenticate.ts";
import { forgetExpiredSessions } from "./forget-expired.ts";
import { sessions } from "./live-sessions.ts";
import { startSession } from "./start.ts";

let harness: Harness;
let rosaId: number;
beforeEach(async () => {
  await harness?.close();
  harness = await createHarness();
  rosaId = await addRosa(harness);
});
afterAll(() => harness.close());

/** Signs in without the headers that the harness adds. */
function startPlainly(headers: Record<string, string>, parameters: Record<string, string> = rosa) {
  return harness.app.inject({
    method: "POST",
    url: "/api/v1/session",
    headers: { host: HOST, "content-type": "application/x-www-form-urlencoded", ...headers },
    payload: new URLSearchParams(parameters).toString(),
  });
}

test("who signs in by password gets a cookie that scripts and other sites can't use, and no API key", async () => {
  for (const name of ["username", "email"]) {
    const answer = await startPlainly(ownPageHeaders, { [name]: rosa.username, password: PASSWORD });
    expect(answer.json()).toEqual({ result: "success", msg: "", email: rosa.username, user_id: rosaId });
    expect(answer.headers["set-cookie"]).toMatch(
      /^parley-session=[\w-]{43}; Path=\/; Max-Age=15552000; HttpOnly; SameSite=Lax$/,
    );
  }
  const browser = browserOf(harness, await signInForCookie(harness));
  expect((await expectSuccess(browser.get("/users/me"))).user_id).toBe(rosaId);
});

test("over https the cookie is for https and this host alone, and no other name counts", async () => {
  const secure = await createHarness({ PARLEY_PUBLIC_URL: `https://${HOST}` });
  try {
    const { cookie } = await addSession(secure, "dev");
    const token = cookie.slice(cookie.indexOf("=") + 1);
    const headers = { host: HOST, ...ownPageHeaders };
    const named = (name: string) =>
      secure.app.inject({
        method: "GET",
        url: "/api/v1/users/me",
        headers: { host: HOST, cookie: `${name}=${token}` },
      });
    expect((await named("__Host-parley-session")).statusCode).toBe(200);
    expect((await named("parley-session")).statusCode).toBe(401);
    const ended = await secure.app.inject({
      method: "DELETE",
      url: "/api/v1/session",
      headers: { ...headers, cookie: `__Host-parley-session=${token}` },
    });
    expect(ended.headers["set-cookie"]).toBe(
      "__Host-parley-session=; Path=/; Max-Age=0; HttpOnly; SameSite=Lax; Secure",
    );
  } finally {
    await secure.close();
  }
});

test("a wrong password starts no session, and counts against the limits of signing in", async () => {
  for (let each = 0; each < 5; each++) {
    const answer = await startPlainly(ownPageHeaders, { ...rosa, password: `wrong ${each}` });
    expect([answer.statusCode, answer.headers["set-cookie"]]).toEqual([401, undefined]);
  }
  expect((await startPlainly(ownPageHeaders)).statusCode).toBe(429);
});

test("a page of another site can't sign anybody in", async () => {
  const client = { "x-parley-client": "ParleyWeb" };
  const origins: Record<string, string>[] = [
    { ...client },
    { ...client, origin: "https://evil.example" },
    { ...client, origin: "null" },
    { ...client, "sec-fetch-site": "cross-site" },
    { ...client, "sec-fetch-site": "same-site" },
    { "sec-fetch-site": "same-origin" },
    { origin: `http://${HOST}` },
  ];
  for (const headers of origins) {
    const answer = await startPlainly(headers);
    expect([answer.statusCode, answer.headers["set-cookie"]], JSON.stringify(headers)).toEqual([
      403,
      undefined,
    ]);
  }
  expect((await startPlainly({ ...client, origin: `http://${HOST}` })).statusCode).toBe(200);
});

test("a session reads without more, and changes only for an own page with the client's name", async () => {
  await harness.channel("kitchen", ["dev"]);
  const { cookie } = await addSession(harness, "dev");
  const payload = new URLSearchParams({ type: "channel", to: "kitchen", topic: "lunch", content: "Soup" });
  const send = (headers: Record<string, string>) =>
    harness.app.inject({
      method: "POST",
      url: "/api/v1/messages",
      headers: { host: HOST, cookie, "content-type": "application/x-www-form-urlencoded", ...headers },
      payload: payload.toString(),
    });
  const read = await harness.app.inject({
    method: "GET",
    url: "/api/v1/users/me",
    headers: { host: HOST, cookie },
  });
  expect(read.json().user_id).toBe(harness.user("dev").id);
  const client = { "x-parley-client": "ParleyWeb/1.2" };
  for (const headers of [
    {},
    client,
    { ...client, origin: "http://evil.example" },
    { ...client, origin: "null" },
  ]) {
    const refused = await send(headers);
    expect([refused.statusCode, refused.json().msg]).toEqual([
      403,
      "Requests from pages of other sites are not accepted",
    ]);
  }
  const unnamed = await send({ "sec-fetch-site": "same-origin" });
  expect([unnamed.statusCode, unnamed.json().msg]).toEqual([
    403,
    "A request with a session needs the header X-Parley-Client.",
  ]);
  const evidence: Record<string, string>[] = [
    { origin: `http://${HOST}` },
    { "sec-fetch-site": "same-origin" },
  ];
  for (const headers of evidence) {
    const sent = await send({ ...client, ...headers });
    expect(sent.statusCode).toBe(200);
    const { message } = await expectSuccess(harness.as("dev").get(`/messages/${sent.json().id}`));
    expect(message.client).toBe("parleyweb");
  }
});

test("credentials of a header count, and then the cookie does not", async () => {
  const { cookie } = await addSession(harness, "dev");
  const { email, apiKey } = harness.user("ben");
  const authorization = `Basic ${Buffer.from(`${email}:${apiKey}`).toString("base64")}`;
  const both = callerOf(harness.app, { host: HOST, cookie, authorization });
  expect((await both.get("/users/me")).body.user_id).toBe(harness.user("ben").id);
  expect((await both.patch("/settings", { full_name: "Ben Again" })).status).toBe(200);
  const wrong = callerOf(harness.app, { host: HOST, cookie, authorization: authorization.slice(0, -4) });
  expect((await wrong.get("/users/me")).status).toBe(401);
});

test("a token that was changed, of another organization or of nobody is refused without a challenge", async () => {
  const { cookie, token } = await addSession(harness, "dev");
  const other = await addSession(harness, "zed");
  const flipped = token.slice(0, -1) + (token.endsWith("A") ? "E" : "A");
  for (const wrong of [other.cookie, `parley-session=${flipped}`, "parley-session=", `${cookie}x`]) {
    const answer = await browserOf(harness, wrong).get("/users/me");
    expect([answer.status, answer.body.msg]).toEqual([401, "The session has ended. Sign in again."]);
    expect(answer.headers).not.toHaveProperty("www-authenticate");
  }
  expect((await browserOf(harness, cookie, OTHER_HOST).get("/users/me")).status).toBe(401);
  expect((await browserOf(harness, other.cookie, OTHER_HOST).get("/users/me")).status).toBe(200);
});

test("tokens are stored as keyed hashes only", async () => {
  const { token, id } = await addSession(harness, "dev");
  const [row] = await harness.services.database.query<{ row: string; hash: Buffer }>(
    sql`select s::text as row, token_hash as hash from sessions s where id = ${id}`,
  );
  expect(row?.row).not.toContain(token);
  expect(row?.hash).toEqual(harness.services.keyring.hash(token));
});

test("signing in ends the session whose cookie the browser had", async () => {
  const old = await signInForCookie(harness);
  const answer = await startPlainly({ ...ownPageHeaders, cookie: old });
  const cookie = cookieIn(answer.headers["set-cookie"]);
  expect(cookie).not.toBe(old);
  expect((await browserOf(harness, old).get("/users/me")).status).toBe(401);
  expect((await expectSuccess(browserOf(harness, cookie).get("/sessions"))).sessions).toHaveLength(1);
});

test("a token that somebody put into the browser before never becomes a session", async () => {
  const planted = `parley-session=${harness.services.keyring.newToken()}`;
  const answer = await startPlainly({ ...ownPageHeaders, cookie: planted });
  expect(cookieIn(answer.headers["set-cookie"])).not.toBe(planted);
  expect((await browserOf(harness, planted).get("/users/me")).status).toBe(401);
});

test("people see their own sessions, and end them one by one", async () => {
  const first = await addSession(harness, "dev");
  const second = await addSession(harness, "dev");
  await addSession(harness, "ben");
  const browser = browserOf(harness, second.cookie);
  const { sessions: list } = await expectSuccess(browser.get("/sessions"));
  const common = {
    device: "Firefox on Linux",
    network: expect.stringMatching(/^(192\.0\.2\.7|127\.0\.0\.1)$/),
    created_at: expect.any(Number),
    last_used_at: expect.any(Number),
  };
  expect(list).toEqual([
    { ...common, id: second.id, is_current: true },
    { ...common, id: first.id, is_current: false },
  ]);
  await expectSuccess(browser.delete(`/sessions/${first.id}`));
  expect((await browserOf(harness, first.cookie).get("/users/me")).status).toBe(401);
  expect((await browser.delete(`/sessions/${first.id}`)).status).toBe(404);
  const answer = await browser.delete(`/sessions/${second.id}`);
  expect(answer.headers["set-cookie"]).toContain("Max-Age=0");
  expect((await expectSuccess(harness.as("dev").get("/sessions"))).sessions).toEqual([]);
});

test("nobody sees or ends another's sessions, and bots have none", async () => {
  const { id, cookie } = await addSession(harness, "dev");
  for (const name of ["ada", "ben", "zed"] as const) {
    expect((await expectSuccess(harness.as(name).get("/sessions"))).sessions).toEqual([]);
    expect((await harness.as(name).delete(`/sessions/${id}`)).status).toBe(404);
  }
  expect(await refusal(harness.as("echo").get("/sessions"))).toContain("does not accept bot requests");
  expect((await browserOf(harness, cookie).get("/users/me")).status).toBe(200);
});

test("who signs out has no session and no cookie any more, and only a session can sign out", async () => {
  const cookie = await signInForCookie(harness);
  const answer = await browserOf(harness, cookie).delete("/session");
  expect(answer.headers["set-cookie"]).toBe("parley-session=; Path=/; Max-Age=0; HttpOnly; SameSite=Lax");
  expect((await browserOf(harness, cookie).get("/users/me")).status).toBe(401);
  expect((await harness.as("dev").delete("/session")).status).toBe(400);
});

test("the end of a session ends its held polls at once, and queues stay", async () => {
  const { cookie, id } = await addSession(harness, "dev");
  const browser = browserOf(harness, cookie);
  const { queueId, snapshot } = await listen(browser);
  const poll = { queue_id: queueId, last_event_id: snapshot.last_event_id };
  const held = browser.get("/events", poll);
  await expectSuccess(harness.as("dev").delete(`/sessions/${id}`));
  expect((await held).body).toMatchObject({ result: "success", events: [] });
  expect((await browser.get("/events", poll)).status).toBe(401);
  await expectSuccess(harness.as("dev").get("/events", { ...poll, dont_block: true }));
});

test("another node knows an ended session at once, and refuses what began with it", async () => {
  const { config, database } = harness.services;
  await harness.channel("kitchen", ["dev"]);
  const { token, id } = await addSession(harness, "dev");
  const node = await Node.start(config, database.connection, {
    organizationId: harness.state.organizationId,
  });
  try {
    const { keyring } = node.services;
    const viewer = authenticateSession(node.state, keyring, token, "test");
    const draft = { content: "Soup", localEcho: null, readBySender: null };
    const to = { kind: "channel", channel: { name: "kitchen" }, topic: "lunch" } as const;
    await sendMessage(viewer, { ...draft, to });
    await expectSuccess(harness.as("dev").delete(`/sessions/${id}`));
    await expect(sendMessage(viewer, { ...draft, to })).rejects.toThrow("The session has ended");
    await node.state.catchUp();
    expect(() => authenticateSession(node.state, keyring, token, "test")).toThrow("The session has ended");
  } finally {
    await node.stop();
  }
});

test("another node takes a session that has just begun", async () => {
  const { config, database } = harness.services;
  const node = await Node.start(config, database.connection, {
    organizationId: harness.state.organizationId,
  });
  try {
    const { token } = await addSession(harness, "dev");
    await node.state.catchUp();
    const viewer = authenticateSession(node.state, node.services.keyring, token, "test");
    expect(viewer.user.id).toBe(harness.user("dev").id);
  } finally {
    await node.stop();
  }
});

test("a deactivated person has no session, nor later when the account is back", async () => {
  const cookie = await signInForCookie(harness);
  await expectSuccess(harness.as("ada").delete(`/users/${rosaId}`));
  expect((await browserOf(harness, cookie).get("/users/me")).status).toBe(401);
  await expectSuccess(harness.as("ada").post(`/users/${rosaId}/reactivate`));
  expect((await browserOf(harness, cookie).get("/users/me")).status).toBe(401);
});

test("with another role all sessions of the person end", async () => {
  const cookie = await signInForCookie(harness);
  await expectSuccess(harness.as("ada").patch(`/users/${rosaId}`, { full_name: "Rosa Vale-Ott" }));
  expect((await browserOf(harness, cookie).get("/users/me")).status).toBe(200);
  await expectSuccess(harness.as("ada").patch(`/users/${rosaId}`, { role: roles.guest }));
  expect((await browserOf(harness, cookie).get("/users/me")).status).toBe(401);
});

test("who takes another role by a session goes on in it with another token, and the others end", async () => {
  await expectSuccess(harness.as("ada").patch(`/users/${harness.user("ben").id}`, { role: roles.owner }));
  const kept = await addSession(harness, "ben");
  const other = await addSession(harness, "ben");
  const browser = browserOf(harness, kept.cookie);
  const answer = await browser.patch(`/users/${harness.user("ben").id}`, { role: roles.administrator });
  const renewed = cookieIn(answer.headers["set-cookie"]);
  for (const { cookie } of [kept, other]) {
    expect((await browserOf(harness, cookie).get("/users/me")).status).toBe(401);
  }
  const { sessions: list } = await expectSuccess(browserOf(harness, renewed).get("/sessions"));
  expect(list).toMatchObject([{ id: kept.id, is_current: true }]);
});

test("a session is not enough to get an API key", async () => {
  const browser = await browserAs(harness, "dev");
  expect(await refusal(browser.post("/users/me/api_key/regenerate"))).toBe(
    "This needs the API key. A session is not enough.",
  );
  await expectSuccess(harness.as("dev").get("/users/me"));
});

test("a sign-in that meets a change of the password starts no session", async () => {
  const { user } = harness.user("dev");
  await expect(
    startSession(harness.services, harness.state, { user, passwordHash: "another by now" }, aBrowser()),
  ).rejects.toThrow("Your username or password is incorrect");
  expect(harness.state.get(sessions).ofUser(user.id)).toEqual([]);
});

test("a sign-in that meets the deactivation of its account starts no session", async () => {
  const { user } = harness.user("dev");
  const begin = () => startSession(harness.services, harness.state, { user, by: "provider" }, aBrowser());
  await begin();
  expect(harness.state.get(sessions).ofUser(user.id)).toHaveLength(1);
  const all = [begin(), harness.as("ada").delete(`/users/${user.id}`), begin(), begin()];
  await Promise.allSettled(all);
  await expect(begin()).rejects.toThrow("Account is deactivated");
  expect(harness.state.get(sessions).ofUser(user.id)).toEqual([]);
});

test("a person has a limited number of sessions: the one not used for longest ends", async () => {
  const first = await addSession(harness, "dev");
  const second = await addSession(harness, "dev");
  const age = sql`update sessions set last_used_at = now() - interval '1 hour' where id = ${second.id}`;
  await harness.services.database.query(age);
  for (let each = 2; each < MAX_SESSIONS + 1; each++) await addSession(harness, "dev");
  expect((await browserOf(harness, second.cookie).get("/users/me")).status).toBe(401);
  expect((await browserOf(harness, first.cookie).get("/users/me")).status).toBe(200);
  expect(harness.state.get(sessions).ofUser(harness.user("dev").user.id)).toHaveLength(MAX_SESSIONS);
});

test("the last use is written at most once a minute, with its network", async () => {
  const { cookie, id } = await addSession(harness, "dev");
  const lastUse = async () => {
    const [row] = await harness.services.database.query<{ at: Date; network: string; expires: Date }>(
      sql`select last_used_at as at, network, expires_at as expires from sessions where id = ${id}`,
    );
    return row as { at: Date; network: string; expires: Date };
  };
  const created = await lastUse();
  const browser = () => callerOf(harness.app, { host: HOST, cookie }, "198.51.100.9");
  await expectSuccess(browser().get("/users/me"));
  expect(await lastUse()).toEqual(created);
  await harness.services.database.query(
    sql`update sessions set last_used_at = now() - interval '2 minutes', expires_at = now() + interval '1 day'
      where id = ${id}`,
  );
  // The node writes again after a minute; a copy of the session has not been written yet.
  const session = harness.state.get(sessions);
  const [known] = session.ofUser(harness.user("dev").user.id);
  if (known) session.put({ ...known });
  await expectSuccess(browser().get("/users/me"));
  await expect.poll(async () => (await lastUse()).network).toBe("198.51.100.9");
  expect((await lastUse()).expires.getTime()).toBeGreaterThan(Date.now() + 29 * 86_400_000);
});

test("a session ends when it is too old, and when nobody used it for long", async () => {
  const old = await addSession(harness, "dev");
  const idle = await addSession(harness, "dev");
  const used = await addSession(harness, "dev");
  const all = harness.state.get(sessions);
  const known = all.ofUser(harness.user("dev").user.id).find(({ id }) => id === old.id);
  if (known) all.put({ ...known, endsAt: Date.now() - 1 });
  expect((await browserOf(harness, old.cookie).get("/users/me")).status).toBe(401);
  await harness.services.database.query(
    sql`update sessions set expires_at = now() - interval '1 minute' where id = any(${[old.id, idle.id]}::bigint[])`,
  );
  const run = { signal: new AbortController().signal, dueAt: new Date() };
  await forgetExpiredSessions.run(harness.services, {}, run);
  expect((await browserOf(harness, idle.cookie).get("/users/me")).status).toBe(401);
  expect((await browserOf(harness, used.cookie).get("/users/me")).status).toBe(200);
  const left = await harness.services.database.query(sql`select id from sessions`);
  expect(left).toEqual([{ id: used.id }]);
});
