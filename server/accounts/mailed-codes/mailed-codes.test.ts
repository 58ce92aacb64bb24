import { expect, test, vi } from "vitest";
import { addPerson, OTHER_PASSWORD, PASSWORD } from "../../../test/harness/accounts.ts";
import { expectSuccess, refusal } from "../../../test/harness/answers.ts";
import { createHarness, HOST, OTHER_HOST } from "../../../test/harness/harness.ts";
import { runJobs } from "../../../test/harness/jobs.ts";
import { listen } from "../../../test/harness/listener.ts";
import { ownPage, rosa, useMailedCodes } from "../../../test/harness/mailed-codes.ts";
import { browserOf, cookieIn } from "../../../test/harness/sessions.ts";
import { sql } from "../../platform/db/sql.ts";
import { codeAt } from "../second-steps/totp.ts";

const mailed = useMailedCodes();
const { open, submit, mails, linkTo, keyOf, browserOfRosa, emailOf, linkToReset } = mailed;

test("who forgot a password sets another by a link in a mail, once, and all their browsers are signed out", async () => {
  const browser = await browserOfRosa();
  const link = await linkToReset();
  expect(link).toMatch(/^\/reset\/[\w-]{43}$/);
  expect((await open(link)).statusCode).toBe(200);
  expect((await submit(link, { password: OTHER_PASSWORD })).statusCode).toBe(200);
  expect([(await keyOf(PASSWORD)).status, (await keyOf(OTHER_PASSWORD)).status]).toEqual([401, 200]);
  expect((await browser.get("/users/me")).status).toBe(401);
  expect((await open(link)).statusCode).toBe(404);
  expect((await submit(link, { password: "another long one here" })).statusCode).toBe(404);
  expect((await keyOf(OTHER_PASSWORD)).status).toBe(200);
});

test("of many who use one link at once, one sets the password", async () => {
  const link = await linkToReset();
  const all = await Promise.all(
    Array.from({ length: 5 }, (_, each) => submit(link, { password: `seven quiet lanterns ${each}` })),
  );
  expect(all.map(({ statusCode }) => statusCode).sort()).toEqual([200, 404, 404, 404, 404]);
});

test("a link for another password does not work with the password changed meanwhile, expired or elsewhere", async () => {
  const link = await linkToReset();
  expect((await open(link, OTHER_HOST)).statusCode).toBe(404);
  expect((await submit(link, { password: OTHER_PASSWORD }, ownPage, OTHER_HOST)).statusCode).toBe(404);
  expect((await open(`${link.slice(0, -1)}${link.endsWith("A") ? "E" : "A"}`)).statusCode).toBe(404);
  expect((await open(link.replace("/reset/", "/verify/"))).statusCode).toBe(404);
  await mailed.harness.services.database.query(
    sql`update users set password_hash = 'another' where id = ${mailed.rosaId}`,
  );
  expect((await submit(link, { password: OTHER_PASSWORD })).statusCode).toBe(404);
  await mailed.harness.services.database.query(sql`update mailed_codes set expires_at = now()`);
  expect((await open(link)).statusCode).toBe(404);
});

test("a link for another password names the organization's address, whatever the request names", async () => {
  await mailed.harness.close();
  mailed.harness = await createHarness({ PARLEY_PUBLIC_URL: `https://${HOST}` });
  const { email } = mailed.harness.user("dev");
  const headers = { ...ownPage, "x-forwarded-host": "evil.test", forwarded: "host=evil.test" };
  expect((await submit("/reset", { email }, headers, "evil.test")).statusCode).toBe(303);
  expect(await mails(email)).toEqual([]);
  expect((await submit("/reset", { email }, headers, `${HOST}:8443`)).statusCode).toBe(200);
  const [mail] = await mails(email);
  expect(new URL(/http\S+/.exec(mail?.text ?? "")?.[0] as string).origin).toBe(`https://${HOST}`);
});

test("another password leaves the second step as it is, and signs nobody in", async () => {
  const browser = await browserOfRosa();
  const { secret } = await expectSuccess(browser.post("/second_steps/totp"));
  await expectSuccess(browser.post("/second_steps/totp/confirm", { code: codeAt(secret) }));
  const answer = await submit(await linkToReset(), { password: OTHER_PASSWORD });
  expect([answer.statusCode, answer.headers["set-cookie"]]).toEqual([200, undefined]);
  const { body } = await mailed.harness
    .nobody()
    .post("/session", { username: rosa, password: OTHER_PASSWORD });
  expect(body.code).toBe("SECOND_STEP_REQUIRED");
});

test("another password ends the polls that the person's browsers hold", async () => {
  const browser = await browserOfRosa();
  const { queue_id, last_event_id } = await expectSuccess(
    browser.post("/register", { event_types: ["message"] }),
  );
  const held = browser.get("/events", { queue_id, last_event_id });
  await submit(await linkToReset(), { password: OTHER_PASSWORD });
  expect((await held).body).toMatchObject({ events: [] });
  expect((await browser.get("/events", { queue_id, last_event_id })).status).toBe(401);
});

test("nobody learns by asking for another password who has an account", async () => {
  const known = await submit("/reset", { email: rosa });
  const unknown = await submit("/reset", { email: "nobody@demo.test" });
  expect([unknown.statusCode, unknown.body]).toEqual([known.statusCode, known.body]);
  // Nothing that depends on the account is done before the answer.
  const jobs = await mailed.harness.services.database.query<{ payload: object }>(
    sql`select payload from graphile_worker._private_jobs order by id desc limit 2`,
  );
  expect(jobs).toHaveLength(2);
  expect(await mails("nobody@demo.test")).toEqual([]);
  expect(await mails(rosa)).toHaveLength(1);
});

test("bots and deactivated people get no link, and one person gets one mail in five minutes", async () => {
  const bot = mailed.harness.user("echo").email;
  await submit("/reset", { email: bot });
  await submit("/reset", { email: rosa });
  expect(await mails(rosa)).toHaveLength(1);
  await submit("/reset", { email: rosa.toUpperCase() });
  expect(await mails(rosa)).toHaveLength(1);
  expect(await mails(bot)).toEqual([]);
  const link = await linkTo(rosa);
  await expectSuccess(mailed.harness.as("ada").delete(`/users/${mailed.rosaId}`));
  expect((await submit(link, { password: OTHER_PASSWORD })).statusCode).toBe(404);
});

test("addresses of one mailbox, which differ behind a plus, have one share of mails", async () => {
  const tagged = ["rosa+one@demo.test", "rosa+two@demo.test"];
  for (const [index, email] of tagged.entries())
    await addPerson(mailed.harness, email, `Rosa Tagged ${index}`);
  for (const email of tagged) {
    await submit("/reset", { email });
    await runJobs(mailed.harness.services);
  }
  const links = await Promise.all(tagged.map(async (email) => (await mails(email)).length));
  expect(links).toEqual([1, 0]);
});

test("of two who ask at the same moment, one has a mail sent", async () => {
  await Promise.all(Array.from({ length: 4 }, () => submit("/reset", { email: rosa })));
  await Promise.all(Array.from({ length: 4 }, () => runJobs(mailed.harness.services)));
  expect(await mails(rosa)).toHaveLength(1);
});

test("an address gets ten mails for another password in a day, and then one an hour", async () => {
  const { database } = mailed.harness.services;
  let sent = 0;
  const askAfter = async (minutes: number) => {
    await database.query(sql`update asked_mails set last_at = last_at - make_interval(mins => ${minutes})`);
    await submit("/reset", { email: rosa });
    await database.query(sql`delete from sign_in_attempts`);
    const before = sent;
    sent = (await mails(rosa)).length;
    return sent - before;
  };
  for (let each = 0; each < 10; each++) expect(await askAfter(6)).toBe(1);
  expect([await askAfter(6), await askAfter(6), await askAfter(60)]).toEqual([0, 0, 1]);
  await database.query(sql`update asked_mails set day_began_at = day_began_at - interval '1 day'`);
  expect([await askAfter(6), await askAfter(6)]).toEqual([1, 1]);
});

test("a network asks for twenty mails in half an hour", async () => {
  for (let each = 0; each < 20; each++) {
    expect((await submit("/reset", { email: `person${each}@demo.test` })).statusCode).toBe(200);
  }
  expect((await submit("/reset", { email: rosa })).statusCode).toBe(429);
});

test("a weak password is refused, and the link still works", async () => {
  const link = await linkToReset();
  for (const password of ["short", "password1", "rosavale"]) {
    const answer = await submit(link, { password });
    expect(answer.statusCode).toBe(400);
    expect(answer.body).not.toContain(password);
  }
  expect((await submit(link, { password: OTHER_PASSWORD })).statusCode).toBe(200);
});

test("the forms of another site do nothing", async () => {
  const link = await linkToReset();
  const foreign: Record<string, string>[] = [
    {},
    { origin: "https://evil.example" },
    { "sec-fetch-site": "cross-site" },
  ];
  for (const headers of foreign) {
    for (const [url, fields] of [
      ["/reset", { email: rosa }],
      [link, { password: OTHER_PASSWORD }],
      ["/join", { email: "fay@elsewhere.test" }],
    ] as const) {
      expect((await submit(url, fields, headers)).statusCode, url).toBe(403);
    }
  }
  expect((await keyOf(PASSWORD)).status).toBe(200);
});

test("people change their password with the one they have; the session goes on, and others end", async () => {
  const [kept, other] = [await browserOfRosa(), await browserOfRosa()];
  const wrong = { old_password: "wrong", new_password: OTHER_PASSWORD };
  expect(await refusal(kept.patch("/settings", wrong))).toBe("Wrong password!");
  expect(
    await refusal(kept.patch("/settings", { old_password: PASSWORD, new_password: "password1" })),
  ).toContain("easy to guess");
  const link = await linkToReset();
  const answer = await kept.patch("/settings", { old_password: PASSWORD, new_password: OTHER_PASSWORD });
  expect(answer.status).toBe(200);
  const renewed = browserOf(mailed.harness, cookieIn(answer.headers["set-cookie"]));
  expect((await renewed.get("/users/me")).status).toBe(200);
  for (const ended of [kept, other]) expect((await ended.get("/users/me")).status).toBe(401);
  expect([(await keyOf(PASSWORD)).status, (await keyOf(OTHER_PASSWORD)).status]).toEqual([401, 200]);
  expect((await open(link)).statusCode).toBe(404);
});

test("wrong passwords in the settings have the limits of signing in", async () => {
  const browser = await browserOfRosa();
  for (let each = 0; each < 5; each++) {
    await browser.patch("/settings", { old_password: `wrong ${each}`, new_password: OTHER_PASSWORD });
  }
  const right = await browser.patch("/settings", { old_password: PASSWORD, new_password: OTHER_PASSWORD });
  expect(right.status).toBe(429);
});

test("an address changes when its mailbox confirms it, all clients get the event, and the old one a mail", async () => {
  const browser = await browserOfRosa();
  const reset = await linkToReset();
  await expectSuccess(browser.patch("/settings", { email: "rosa.ott@demo.test" }));
  expect(emailOf()).toBe(rosa);
  const link = await linkTo("rosa.ott@demo.test");
  expect((await open(link)).body).toContain("rosa.ott@demo.test");
  expect(emailOf()).toBe(rosa);
  const ada = await listen(mailed.harness.as("ada"));
  expect((await submit(link)).statusCode).toBe(200);
  expect(emailOf()).toBe("rosa.ott@demo.test");
  const person = { user_id: mailed.rosaId, delivery_email: "rosa.ott@demo.test" };
  expect(await ada.heard()).toContainEqual(
    expect.objectContaining({ type: "realm_user", op: "update", person }),
  );
  const { entries } = await expectSuccess(mailed.harness.as("ada").get("/realm/audit_log"));
  expect(entries[0]).toMatchObject({
    action: "user_email_changed",
    actor_id: mailed.rosaId,
    target_id: mailed.rosaId,
  });
  const [newest] = await mails(rosa);
  expect(newest?.text).toContain("The account has another email address now: rosa.ott@demo.test");
  expect((await submit(link)).statusCode).toBe(404);
  // A mail to the old address must not give the account to somebody who reads there.
  expect((await open(reset)).statusCode).toBe(404);
  expect((await browser.get("/users/me")).status).toBe(200);
  expect([(await keyOf(PASSWORD)).status, (await keyOf(PASSWORD, "rosa.ott@demo.test")).status]).toEqual([
    401, 200,
  ]);
});

test("of many who use one link to confirm an address at once, one does", async () => {
  const browser = await browserOfRosa();
  await expectSuccess(browser.patch("/settings", { email: "rosa.ott@demo.test" }));
  const link = await linkTo("rosa.ott@demo.test");
  const all = await Promise.all(Array.from({ length: 5 }, () => submit(link)));
  expect(all.map(({ statusCode }) => statusCode).sort()).toEqual([200, 404, 404, 404, 404]);
  expect(emailOf()).toBe("rosa.ott@demo.test");
});

test("an address that is taken, not allowed or not to be changed is refused, then and at the confirmation", async () => {
  const browser = await browserOfRosa();
  const change = (email: string) => browser.patch("/settings", { email });
  expect(await refusal(change("no address"))).toBe("Invalid email address.");
  // The answer must not tell whether somebody has an account.
  await expectSuccess(change(mailed.harness.user("dev").email.toUpperCase()));
  await expectSuccess(change(rosa));
  await expectSuccess(change("fay@demo.test"));
  const link = await linkTo("fay@demo.test");
  const fay = { email: "fay@demo.test", full_name: "Fay Lind", password: PASSWORD };
  await expectSuccess(mailed.harness.as("ada").post("/users", fay));
  const taken = await submit(link);
  expect([taken.statusCode, taken.body.includes("already in use")]).toEqual([400, true]);
  await expectSuccess(change("rosa@other.test"));
  const other = await linkTo("rosa@other.test");
  await expectSuccess(mailed.harness.as("ada").patch("/realm", { email_changes_disabled: true }));
  expect(await refusal(change("rosa@third.test"))).toBe(
    "Email address changes are disabled in this organization.",
  );
  expect((await submit(other)).statusCode).toBe(400);
  expect(emailOf()).toBe(rosa);
  await expectSuccess(mailed.harness.as("ada").patch("/settings", { email: "ada.new@demo.test" }));
  expect(await refusal(mailed.harness.as("echo").patch("/settings", { email: "echo@other.test" }))).toContain(
    "bot",
  );
});

test("a later address takes the place of an earlier one, and a person asks for five in half an hour", async () => {
  const browser = await browserOfRosa();
  await expectSuccess(browser.patch("/settings", { email: "rosa@one.test" }));
  const first = await linkTo("rosa@one.test");
  await expectSuccess(browser.patch("/settings", { email: "rosa@two.test" }));
  expect((await open(first)).statusCode).toBe(404);
  for (let each = 0; each < 3; each++) await browser.patch("/settings", { email: `rosa@three${each}.test` });
  expect((await browser.patch("/settings", { email: "rosa@four.test" })).status).toBe(429);
});

test("neither links nor passwords are logged", async () => {
  const lines: string[] = [];
  const { log } = mailed.harness.services;
  for (const level of ["info", "warn", "error", "debug"] as const) {
    vi.spyOn(log, level).mockImplementation((...parts: unknown[]) => void lines.push(JSON.stringify(parts)));
  }
  try {
    const link = await linkToReset();
    await submit(link, { password: "short" });
    await submit(link, { password: OTHER_PASSWORD });
    await submit(link, { password: OTHER_PASSWORD });
    await mailed.harness.services.database.query(sql`select ${lines.length}`);
    const [row] = await mailed.harness.services.database.query<{ row: string }>(
      sql`select coalesce(string_agg(m::text, ' '), '') as row from mailed_codes m`,
    );
    const all = lines.join("\n") + row?.row;
    for (const secret of [link.slice("/reset/".length), OTHER_PASSWORD]) expect(all).not.toContain(secret);
  } finally {
    vi.restoreAllMocks();
  }
});
