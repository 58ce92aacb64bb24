/**
 * Nobody learns by guessing an address who has an account: each flow that takes an address answers alike,
 * after the same work, for one that has an account and one that has none (F10).
 */
import { afterAll, beforeEach, expect, test } from "vitest";
import { addPerson, mailsTo, PASSWORD, sendForm, signIn } from "../harness/accounts.ts";
import { expectSuccess } from "../harness/answers.ts";
import { type Caller, type CastName, createHarness, type Harness } from "../harness/harness.ts";
import { ownPageHeaders } from "../harness/own-page-headers.ts";
import { workOf } from "../harness/work.ts";

let harness: Harness;
beforeEach(async () => {
  await harness?.close();
  harness = await createHarness();
  await expectSuccess(
    harness.as("ada").patch("/realm", { send_welcome_emails: false, invite_required: false }),
  );
  await addPerson(harness, TAKEN, "Hugo Lind");
});
afterAll(() => harness.close());

/** Both of one length, since an answer may repeat what was asked for. */
const TAKEN = "hugo@guessed.test";
const FREE = "hana@guessed.test";

interface Answer {
  statusCode: number;
  body: string;
  headers: Record<string, unknown>;
}

/** What somebody does with an address. `prepare` is done before, and is not compared. */
interface Flow {
  prepare?(): Promise<string>;
  ask(email: string, prepared: string): Promise<Answer>;
}

type Call = (caller: Caller, email: string) => ReturnType<Caller["get"]>;

const asCast = (name: CastName, call: Call) => (email: string) => answerTo(call(harness.as(name), email));
const asNobody = (call: Call) => (email: string) => answerTo(call(harness.nobody(), email));

async function answerTo(called: ReturnType<Call>): Promise<Answer> {
  const { status, body, headers } = await called;
  return { statusCode: status, body: JSON.stringify(body), headers };
}

const form =
  (path: string, more: Record<string, string> = {}) =>
  (email: string) =>
    sendForm(harness, path, { email, ...more }, { headers: ownPageHeaders });

const flows: Record<string, Flow> = {
  "PATCH /settings by a member": {
    ask: asCast("elin", (caller, email) => caller.patch("/settings", { email })),
  },
  "PATCH /settings by a limited guest": {
    prepare: limitGuests,
    ask: asCast("gus", (caller, email) => caller.patch("/settings", { email })),
  },
  "POST /reset": { ask: form("/reset") },
  "POST /join": { ask: form("/join") },
  "POST /join/LINK": {
    async prepare() {
      const { invite_link: link } = await expectSuccess(harness.as("ada").post("/invites/multiuse"));
      return new URL(link).pathname;
    },
    ask: (email, path) => sendForm(harness, path, { email }, { headers: ownPageHeaders }),
  },
  "POST /session": {
    ask: asNobody((caller, username) => caller.post("/session", { username, password: "not the one" })),
  },
  "POST /fetch_api_key": {
    ask: asNobody((caller, username) => caller.post("/fetch_api_key", { username, password: "not the one" })),
  },
  "the form of /login": { ask: form("/login", { password: "not the one" }) },
  "GET /users/EMAIL by a limited guest": {
    prepare: limitGuests,
    ask: asCast("gus", (caller, email) => caller.get(`/users/${email}`)),
  },
  "a narrow of a limited guest": {
    prepare: limitGuests,
    ask: asCast("gus", (caller, email) =>
      caller.get("/messages", { anchor: "newest", num_before: 1, num_after: 0, narrow: [["sender", email]] }),
    ),
  },
  "a direct message of a limited guest": {
    prepare: limitGuests,
    ask: asCast("gus", (caller, email) =>
      caller.post("/messages", { type: "direct", to: [email], content: "Hello" }),
    ),
  },
  "the presence that a limited guest asks for": {
    prepare: limitGuests,
    ask: asCast("gus", (caller, email) => caller.get(`/users/${email}/presence`)),
  },
  "an invitation by a guest": {
    ask: asCast("gus", (caller, email) => caller.post("/invites", { invitee_emails: email, stream_ids: [] })),
  },
  "an invitation by a member who may not see the address": {
    prepare: hideTaken,
    ask: asCast("elin", (caller, email) =>
      caller.post("/invites", { invitee_emails: email, stream_ids: [] }),
    ),
  },
  "an invitation of several, by a member who may not see one": {
    prepare: hideTaken,
    ask: asCast("elin", (caller, email) =>
      caller.post("/invites", { invitee_emails: `other@guessed.test, ${email}`, stream_ids: [] }),
    ),
  },
  "an account that a member makes": {
    ask: asCast("elin", (caller, email) =>
      caller.post("/users", { email, full_name: "Somebody", password: PASSWORD }),
    ),
  },
};

/** The person with the address shows it to administrators alone. */
async function hideTaken(): Promise<string> {
  const hugo = await signIn(harness, { username: TAKEN, password: PASSWORD });
  await expectSuccess(hugo.patch("/settings", { email_address_visibility: 3 }));
  return "";
}

async function limitGuests(): Promise<string> {
  const { user_groups: groups } = await expectSuccess(harness.as("ada").get("/user_groups"));
  const members = groups.find(({ name }: { name: string }) => name === "role:members");
  await expectSuccess(harness.as("ada").patch("/realm", { can_access_all_users_group: { new: members.id } }));
  return "";
}

test.each(Object.entries(flows))("%s: one answer after one amount of work", async (_, flow) => {
  const prepared = (await flow.prepare?.()) ?? "";
  // What is loaded once is not the flow's work.
  await flow.ask("warm@guessed.test", prepared);
  const taken = await workOf(() => flow.ask(TAKEN, prepared));
  const free = await workOf(() => flow.ask(FREE, prepared));
  // The second request must tell nothing either.
  const again = await workOf(() => flow.ask(TAKEN, prepared));
  const freeAgain = await workOf(() => flow.ask(FREE, prepared));
  for (const [known, unknown] of [
    [taken, free],
    [again, freeAgain],
  ] as const) {
    const shown = ({ result: { statusCode, body, headers } }: typeof known) => ({
      statusCode,
      body: body.replaceAll(TAKEN, FREE),
      location: headers.location,
    });
    expect(shown(known)).toEqual(shown(unknown));
    expect(known.work).toEqual(unknown.work);
  }
});

test("who wants an address that has an account gets no link to it, and its holder a mail that says so", async () => {
  await expectSuccess(harness.as("gus").patch("/settings", { email: TAKEN.toUpperCase() }));
  const [mail, ...more] = await mailsTo(harness, TAKEN);
  expect(more).toEqual([]);
  expect(mail?.text).toContain("It has an account there already");
  expect(mail?.text).not.toContain("/verify/");
});

test("who is invited and has an account that the inviter may not see gets no link, but a mail that says so", async () => {
  await hideTaken();
  const invite = (name: CastName, email: string) =>
    harness.as(name).post("/invites", { invitee_emails: email, stream_ids: [] });
  await expectSuccess(invite("elin", TAKEN.toUpperCase()));
  const { invites } = await expectSuccess(harness.as("elin").get("/invites"));
  await expectSuccess(harness.as("elin").post(`/invites/${invites[0].id}/resend`));
  const mails = (await mailsTo(harness, TAKEN)).filter(({ subject }) => subject.includes("Your account in"));
  expect(mails).toHaveLength(2);
  for (const { text } of mails) {
    expect(text).toContain("Elin Berg wants to invite you");
    expect(text).not.toContain("/join/");
  }
  // Administrators see the address, and get the answer that they always had.
  const seen = await invite("ben", TAKEN);
  expect([seen.status, seen.body.errors]).toEqual([400, [[TAKEN, "Already has an account.", false]]]);
});

test("a guess counts like any other: a person has five in half an hour, and one for each address", async () => {
  const ask = async (email: string) => (await harness.as("gus").patch("/settings", { email })).status;
  const taken = ["dev", "elin", "cleo"].map((name) => `${name}@demo.test`);
  expect(await ask(taken[0] as string)).toBe(200);
  expect([await ask(taken[0] as string), await ask(FREE), await ask(FREE)]).toEqual([429, 200, 429]);
  expect([await ask(taken[1] as string), await ask(taken[2] as string)]).toEqual([200, 429]);
});
