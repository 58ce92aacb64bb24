// How people join by a link to their address.
import { expect, test } from "vitest";
import { OTHER_PASSWORD } from "../../../test/harness/accounts.ts";
import { expectSuccess } from "../../../test/harness/answers.ts";
import { ownPage, rosa, useMailedCodes } from "../../../test/harness/mailed-codes.ts";
import { browserOf, cookieIn } from "../../../test/harness/sessions.ts";

const mailed = useMailedCodes();
const { open, submit, mails, linkTo } = mailed;

test("an organization is closed until an owner opens it", async () => {
  expect((await open("/join")).statusCode).toBe(403);
  expect((await submit("/join", { email: "fay@elsewhere.test" })).statusCode).toBe(403);
  expect(await mails("fay@elsewhere.test")).toEqual([]);
});

test("where no invitation is needed, people join by a link to their address, and are signed in", async () => {
  await expectSuccess(mailed.harness.as("ada").patch("/realm", { invite_required: false }));
  await mailed.harness.channel("lobby", ["ada"]);
  const { body: lobby } = await mailed.harness.as("ada").get("/get_stream_id", { stream: "lobby" });
  await expectSuccess(mailed.harness.as("ada").post("/default_streams", { stream_id: lobby.stream_id }));
  expect((await open("/join")).statusCode).toBe(200);
  expect((await submit("/join", { email: "fay@elsewhere.test" })).statusCode).toBe(200);
  const link = await linkTo("fay@elsewhere.test");
  expect((await open(link)).body).toContain("fay@elsewhere.test");
  expect((await submit(link, { full_name: "F", password: "short" })).statusCode).toBe(400);
  const fields = { full_name: "Fay Lind", password: OTHER_PASSWORD };
  const answer = await submit(link, fields);
  expect([answer.statusCode, answer.headers.location]).toEqual([303, "/"]);
  const browser = browserOf(mailed.harness, cookieIn(answer.headers["set-cookie"]));
  expect((await expectSuccess(browser.get("/users/me"))).email).toBe("fay@elsewhere.test");
  const { subscriptions } = await expectSuccess(browser.get("/users/me/subscriptions"));
  expect(subscriptions.map(({ name }: { name: string }) => name)).toContain("lobby");
  expect((await submit(link, fields)).statusCode).toBe(404);
});

test("nobody learns by joining who has an account, and who has one gets a mail that says so", async () => {
  await expectSuccess(mailed.harness.as("ada").patch("/realm", { invite_required: false }));
  const known = await submit("/join", { email: rosa });
  const unknown = await submit("/join", { email: "fay@elsewhere.test" });
  expect([unknown.statusCode, unknown.body]).toEqual([known.statusCode, known.body]);
  const [mail] = await mails(rosa);
  expect(mail?.text).toContain("It has an account there.");
  expect(mail?.text).not.toContain("/verify/");
});

test("the rules for addresses hold when one asks to join and when one joins", async () => {
  await expectSuccess(mailed.harness.as("ada").patch("/realm", { invite_required: false }));
  await submit("/join", { email: "fay@elsewhere.test" });
  const link = await linkTo("fay@elsewhere.test");
  await expectSuccess(mailed.harness.as("ada").patch("/realm", { emails_restricted_to_domains: true }));
  const refused = await submit("/join", { email: "gil@elsewhere.test" });
  expect([refused.statusCode, refused.body.includes("not allowed in this organization")]).toEqual([
    400,
    true,
  ]);
  const fields = { full_name: "Fay Lind", password: OTHER_PASSWORD };
  expect((await submit(link, fields)).statusCode).toBe(400);
  await mailed.harness
    .as("ada")
    .patch("/realm", { emails_restricted_to_domains: false, invite_required: true });
  expect((await submit(link, fields)).statusCode).toBe(404);
});

test("of many who use one link to join at once, one joins", async () => {
  await expectSuccess(mailed.harness.as("ada").patch("/realm", { invite_required: false }));
  await submit("/join", { email: "fay@elsewhere.test" });
  const link = await linkTo("fay@elsewhere.test");
  const fields = { full_name: "Fay Lind", password: OTHER_PASSWORD };
  const all = await Promise.all(Array.from({ length: 4 }, () => submit(link, fields)));
  expect(all.map(({ statusCode }) => statusCode).sort()).toEqual([303, 404, 404, 404]);
});

test("who joins by an invitation is signed in, unless the form may come from another site", async () => {
  for (const [email, headers] of [
    ["gil@elsewhere.test", ownPage],
    ["hal@elsewhere.test", { origin: "https://evil.example" }],
  ] as const) {
    await expectSuccess(mailed.harness.as("ada").post("/invites", { invitee_emails: email, stream_ids: [] }));
    const fields = { full_name: `Joiner ${email.slice(0, 3)}`, password: OTHER_PASSWORD };
    const answer = await submit(await linkTo(email), fields, headers as Record<string, string>);
    const isOwn = headers === ownPage;
    expect([answer.statusCode, answer.headers.location]).toEqual([303, isOwn ? "/" : "/join/done"]);
    expect(answer.headers["set-cookie"] !== undefined).toBe(isOwn);
    if (!isOwn) continue;
    const browser = browserOf(mailed.harness, cookieIn(answer.headers["set-cookie"]));
    expect((await browser.get("/users/me")).body.email).toBe(email);
  }
});
