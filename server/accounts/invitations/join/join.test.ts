import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { GroupId } from "../../../../api/ids.ts";
import { roles } from "../../../../api/roles.ts";
import { mailedPath, mailsTo, openPage, PASSWORD, sendForm } from "../../../../test/harness/accounts.ts";
import { expectSuccess } from "../../../../test/harness/answers.ts";
import {
  type CastName,
  createHarness,
  type Harness,
  HOST,
  OTHER_HOST,
} from "../../../../test/harness/harness.ts";
import { listen } from "../../../../test/harness/listener.ts";
import type { Channel } from "../../../channels/channel.ts";
import { subscribers } from "../../../channels/subscriptions/subscribers.ts";
import { groups } from "../../../groups/group.ts";
import { type User, users } from "../../../people/user.ts";
import { changeState } from "../../../people/viewer/change.ts";
import { sql } from "../../../platform/db/sql.ts";
import { accessGrant } from "../access.ts";
import { createInvitation } from "../actions.ts";

let harness: Harness;
/** A production server without mail. */
let mailless: Harness;
let count = 0;
beforeAll(async () => {
  harness = await createHarness({ PARLEY_RATE_LIMITS: "off" });
  mailless = await createHarness({
    PARLEY_ENV: "production",
    PARLEY_SECRET: "a secret for the tests",
    PARLEY_RATE_LIMITS: "off",
  });
});
afterAll(async () => {
  await mailless.close();
  await harness.close();
});
beforeEach(async () => {
  for (const { services } of [harness, mailless]) {
    await services.database.query(sql`delete from invitations`);
    await services.database.query(sql`delete from mails`);
    await services.database.query(sql`delete from sign_in_attempts`);
    await services.database.query(sql`delete from asked_mails`);
  }
});

const id = (name: CastName) => harness.user(name).id;
const fresh = () => `fay${++count}@elsewhere.test`;
const person = () => ({ full_name: `Fay Lind ${count}`, password: PASSWORD });
const pathOf = (link: string) => new URL(link).pathname;
const accountOf = (email: string, { state }: Harness = harness): User | undefined =>
  state.get(users).findByEmail(email);
const grant = {
  role: roles.member,
  channelIds: [],
  groupIds: [],
  joinsDefaultChannels: false,
  welcomeText: null,
};

const open = (path: string, host = HOST, at = harness) => openPage(at, path, { host });

const submit = (path: string, fields: Record<string, string>, at = harness, host = HOST) =>
  sendForm(at, path, fields, { host });

/** Invites an address, and returns the path of its link. */
async function invite(name: CastName, email: string, more: Record<string, unknown> = {}): Promise<string> {
  await expectSuccess(harness.as(name).post("/invites", { invitee_emails: email, stream_ids: [], ...more }));
  return mailedPath(harness, email);
}

async function makeLink(name: CastName, more: Record<string, unknown> = {}, at = harness): Promise<string> {
  return pathOf((await expectSuccess(at.as(name).post("/invites/multiuse", more))).invite_link);
}

const set = (values: Record<string, unknown>, at = harness) =>
  expectSuccess(at.as("ada").patch("/realm", values));

async function expectEnded(path: string, host = HOST, at = harness) {
  const opened = await open(path, host, at);
  const submitted = await submit(path, { ...person(), email: fresh() }, at, host);
  for (const { statusCode, body } of [opened, submitted]) {
    expect(statusCode).toBe(404);
    expect(body).toContain("This invitation does not work");
  }
  expect(opened.body).toBe(submitted.body);
  return opened.body;
}

describe("who is invited by address", () => {
  test("fills in a form that works without script, and has an account with that address", async () => {
    const email = fresh();
    const path = await invite("dev", email, { invite_as: roles.guest });
    const form = await open(path);
    expect(form.statusCode).toBe(200);
    expect(form.body).toContain(`value="${email}"`);
    expect(form.body).toContain("readonly");
    expect(form.body).not.toContain("<script");
    expect(form.headers["referrer-policy"]).toBe("strict-origin");
    expect(form.headers["cache-control"]).toBe("no-store");
    const { statusCode, headers } = await submit(path, { ...person(), email: "else@elsewhere.test" });
    expect([statusCode, headers.location]).toEqual([303, "/join/done"]);
    expect((await open("/join/done")).body).toContain("http://demo.test");
    expect(accountOf(email)).toMatchObject({ role: roles.guest, isActive: true });
    expect(accountOf("else@elsewhere.test")).toBeUndefined();
    const key = await harness.nobody().post("/fetch_api_key", { username: email, password: PASSWORD });
    expect(key.body.user_id).toBe(accountOf(email)?.id);
  });

  test("sees what is wrong beside its field, and can try again", async () => {
    const email = fresh();
    const path = await invite("dev", email);
    const wrong = await submit(path, { full_name: "F", password: "secret!" });
    expect(wrong.statusCode).toBe(400);
    expect(wrong.body).toContain("2 to 100 characters");
    expect(wrong.body).toContain("8 to 100 characters");
    expect(wrong.body).not.toContain("secret!");
    expect((await submit(path, person())).statusCode).toBe(303);
  });

  test("joins once, also when the form is sent twice at the same time", async () => {
    const email = fresh();
    const path = await invite("dev", email);
    const answers = await Promise.all([submit(path, person()), submit(path, person())]);
    expect(answers.map(({ statusCode }) => statusCode).sort()).toEqual([303, 404]);
    await expectEnded(path);
  });

  test("gets the channels and groups that the inviter may still give, and the default channels", async () => {
    const named = await harness.channel(`garden ${++count}`, ["ada", "dev"]);
    const lost = await harness.channel(`cellar ${count}`, ["ada", "dev"], { isPrivate: true });
    const common = await harness.channel(`hall ${count}`, ["ada"], { isDefault: true });
    const makeGroup = async (name: string) => {
      const can_add_members_group = { direct_members: [id("dev")], direct_subgroups: [] };
      const group = { name: `${name} ${count}`, description: "", members: [], can_add_members_group };
      return (await expectSuccess(harness.as("ada").post("/user_groups/create", group))).group_id;
    };
    const [kept, taken] = [await makeGroup("cooks"), await makeGroup("bakers")];
    const email = fresh();
    const path = await invite("dev", email, {
      stream_ids: [named.id, lost.id],
      group_ids: [kept, taken],
      include_realm_default_subscriptions: true,
    });
    await expectSuccess(
      harness.as("ada").delete("/users/me/subscriptions", {
        subscriptions: [lost.name],
        principals: [id("dev")],
      }),
    );
    const nobody = { new: { direct_members: [], direct_subgroups: [] } };
    await expectSuccess(harness.as("ada").patch(`/user_groups/${taken}`, { can_add_members_group: nobody }));
    expect((await submit(path, person())).statusCode).toBe(303);
    const user = accountOf(email) as User;
    const has = (channel: Channel) => harness.state.get(subscribers).has(channel.id, user.id);
    expect([named, lost, common].map((channel) => has(channel))).toEqual([true, false, true]);
    const isIn = (group: GroupId) => harness.state.get(groups).hasDirectMember(group, user.id);
    expect([kept, taken].map(isIn)).toEqual([true, false]);
  });

  test("is in no default channel unless the invitation says so", async () => {
    const common = await harness.channel(`hall ${++count}`, ["ada"], { isDefault: true });
    const email = fresh();
    await submit(await invite("dev", email), person());
    expect(harness.state.get(subscribers).has(common.id, (accountOf(email) as User).id)).toBe(false);
  });

  test("is announced to the inviter, unless they did not want that, and welcomed with the given text", async () => {
    const email = fresh();
    const path = await invite("ben", email, {
      welcome_message_custom_text: "Look into *the kitchen* first.",
    });
    const quiet = await invite("ben", fresh(), { notify_referrer_on_join: false });
    const inviter = await listen(harness.as("ben"), { event_types: ["message"] });
    const other = await listen(harness.as("ada"), { event_types: ["message"] });
    await submit(path, person());
    expect((await submit(quiet, { ...person(), full_name: "Quiet Lind" })).statusCode).toBe(303);
    const notices = await inviter.heard();
    expect(notices).toHaveLength(1);
    expect(notices[0].message.content).toContain("accepted your invitation");
    expect(await other.heard()).toEqual([]);
    const { body } = await harness.nobody().post("/fetch_api_key", { username: email, password: PASSWORD });
    const authorization = `Basic ${Buffer.from(`${email}:${body.api_key}`).toString("base64")}`;
    const url = "/api/v1/messages?anchor=newest&num_before=20&num_after=0";
    const { messages } = (await harness.app.inject({ url, headers: { host: HOST, authorization } })).json();
    expect(messages.at(-1).content).toContain("Look into <em>the kitchen</em> first.");
  });

  test("ends the other invitations of the address, and their inviters learn of it", async () => {
    const email = fresh();
    const [path, other] = [await invite("dev", email), await invite("elin", email)];
    const queue = await listen(harness.as("dev"), { event_types: ["invites_changed"] });
    expect((await submit(other, person())).statusCode).toBe(303);
    expect(await queue.heard()).toMatchObject([{ type: "invites_changed" }]);
    await expectEnded(path);
    expect((await expectSuccess(harness.as("ada").get("/invites"))).invites).toEqual([]);
  });
});

describe("an invitation does not work", () => {
  test("in another organization, cut short, made up, revoked or expired, and each time the page is the same", async () => {
    const path = await invite("dev", fresh());
    const [{ id: invitation }] = (await expectSuccess(harness.as("dev").get("/invites"))).invites;
    const pages = [
      await expectEnded(path, OTHER_HOST),
      await expectEnded(path.slice(0, -1)),
      await expectEnded(`/join/${"A".repeat(43)}`),
      await expectEnded("/join/%00'--"),
    ];
    expect((await open(path)).statusCode).toBe(200);
    await harness.services.database.query(sql`update invitations set expires_at = now()`);
    pages.push(await expectEnded(path));
    await harness.services.database.query(sql`update invitations set expires_at = null`);
    await expectSuccess(harness.as("dev").delete(`/invites/${invitation}`));
    pages.push(await expectEnded(path));
    expect(new Set(pages).size).toBe(1);
    expect(pages[0]).toContain("ask the person who invited you");
  });

  test("when it was sent again with another link", async () => {
    const email = fresh();
    const path = await invite("dev", email);
    const [{ id: invitation }] = (await expectSuccess(harness.as("dev").get("/invites"))).invites;
    await expectSuccess(harness.as("dev").post(`/invites/${invitation}/resend`));
    await expectEnded(path);
    expect((await submit(await mailedPath(harness, email), person())).statusCode).toBe(303);
  });

  test("when its inviter may no longer invite", async () => {
    const path = await invite("dev", fresh());
    const ada = { direct_members: [id("ada")], direct_subgroups: [] };
    await set({ can_invite_users_group: { new: ada } });
    await expectEnded(path);
    const { user_groups } = await expectSuccess(harness.as("ada").get("/user_groups"));
    const members = user_groups.find(({ name }: { name: string }) => name === "role:members");
    await set({ can_invite_users_group: { new: members.id } });
    expect((await submit(path, person())).statusCode).toBe(303);
  });

  test("when its inviter may no longer give the role", async () => {
    const path = await invite("ben", fresh(), { invite_as: roles.administrator });
    const change = (role: number) => expectSuccess(harness.as("ada").patch(`/users/${id("ben")}`, { role }));
    await change(roles.member);
    await expectEnded(path);
    await change(roles.administrator);
    expect((await open(path)).statusCode).toBe(200);
  });

  test("when its inviter is deactivated", async () => {
    const email = fresh();
    await submit(await invite("ben", email, { invite_as: roles.administrator }), person());
    const inviter = accountOf(email) as User;
    const viewer = { state: harness.state, user: inviter, client: "test" };
    const link = await changeState(viewer, (tx) =>
      createInvitation(tx, harness.services, {
        email: fresh(),
        grant: accessGrant(tx.viewer, "addresses", grant),
        invitedAt: new Date(),
        expiresAt: null,
        site: "http://demo.test",
      }),
    );
    expect((await open(pathOf(link))).statusCode).toBe(200);
    await expectSuccess(harness.as("ada").delete(`/users/${inviter.id}`));
    await expectEnded(pathOf(link));
  });

  test("for an address that the organization no longer takes, and the form says so", async () => {
    const email = fresh();
    const path = await invite("dev", email);
    await expectSuccess(
      harness.as("ada").post("/realm/domains", { domain: "kitchen.example", allow_subdomains: false }),
    );
    await set({ emails_restricted_to_domains: true });
    const { statusCode, body } = await submit(path, person());
    await set({ emails_restricted_to_domains: false });
    expect([statusCode, accountOf(email)]).toEqual([400, undefined]);
    expect(body).toContain("not allowed in this organization");
  });

  test("and after twenty wrong codes its network waits, but a right code works there", async () => {
    const path = await invite("dev", fresh());
    const guess = () => open(`/join/${"B".repeat(43)}`);
    for (let times = 0; times < 20; times++) expect((await guess()).statusCode).toBe(404);
    const refused = await guess();
    expect([refused.statusCode, Number(refused.headers["retry-after"]) > 60]).toEqual([429, true]);
    expect((await submit(path, person())).statusCode).toBe(303);
  });
});

describe("an invitation link", () => {
  test("mails a link that confirms the address, by which one person joins", async () => {
    const path = await makeLink("ben", { invite_as: roles.guest });
    const form = await open(path);
    expect(form.body).not.toContain('name="password"');
    for (const email of [fresh(), fresh()]) {
      const { statusCode, headers } = await submit(path, { email });
      expect([statusCode, headers.location]).toEqual([303, "/join/sent"]);
      expect(accountOf(email)).toBeUndefined();
      const confirmed = await mailedPath(harness, email);
      expect((await open(confirmed)).body).toContain(`value="${email}"`);
      expect((await submit(confirmed, { ...person(), email: fresh() })).statusCode).toBe(303);
      expect(accountOf(email)).toMatchObject({ role: roles.guest });
      await expectEnded(confirmed);
    }
    expect((await open("/join/sent")).statusCode).toBe(200);
  });

  test("can't make an account without that mail, whatever is sent", async () => {
    const path = await makeLink("ben");
    const email = fresh();
    const { headers } = await submit(path, { ...person(), email });
    expect([headers.location, accountOf(email)]).toEqual(["/join/sent", undefined]);
  });

  test("answers the same for an address that has an account, which gets another mail", async () => {
    const path = await makeLink("ben");
    const [known, unknown] = [
      await submit(path, { email: "dev@demo.test" }),
      await submit(path, { email: fresh() }),
    ];
    expect([known.statusCode, known.headers.location, known.body]).toEqual([
      unknown.statusCode,
      unknown.headers.location,
      unknown.body,
    ]);
    const [mail, ...others] = await mailsTo(harness, "dev@demo.test");
    expect(others).toEqual([]);
    expect(mail?.text).toContain("has an account");
    expect(mail?.text).not.toContain("/join/");
  });

  test("mails an address once in five minutes, and refuses one that the organization does not take", async () => {
    const path = await makeLink("ben");
    const email = fresh();
    for (let times = 0; times < 3; times++) expect((await submit(path, { email })).statusCode).toBe(303);
    expect(await mailsTo(harness, email)).toHaveLength(1);
    const wrong = await submit(path, { email: "fay@mailinator.com" });
    expect([wrong.statusCode, wrong.body]).toEqual([400, expect.stringContaining("Disposable")]);
    expect((await submit(path, { email: "no address" })).statusCode).toBe(400);
  });

  test("takes the links that it has mailed along when it is revoked", async () => {
    const path = await makeLink("ben");
    const email = fresh();
    await submit(path, { email });
    const confirmed = await mailedPath(harness, email);
    const { invites } = await expectSuccess(harness.as("ben").get("/invites"));
    expect(invites).toHaveLength(1);
    expect((await open(confirmed)).statusCode).toBe(200);
    await expectSuccess(harness.as("ben").delete(`/invites/multiuse/${invites[0].id}`));
    await expectEnded(confirmed);
    await expectEnded(path);
  });
});

describe("on a server without mail", () => {
  test("an administrator's link makes accounts with addresses as they are given", async () => {
    const path = await makeLink("ben", {}, mailless);
    for (const email of [fresh(), fresh()]) {
      expect((await submit(path, { ...person(), email }, mailless)).statusCode).toBe(303);
      expect(accountOf(email, mailless)).toMatchObject({ role: roles.member });
    }
    const taken = await submit(path, { ...person(), email: "dev@demo.test" }, mailless);
    expect([taken.statusCode, taken.body]).toEqual([400, expect.stringContaining("already in use")]);
  });

  test("a link ends with its inviter's role as an administrator", async () => {
    const path = await makeLink("ben", {}, mailless);
    const ben = mailless.user("ben").id;
    const everyone = ["ada", "ben"] as const;
    const group = { direct_members: everyone.map((name) => mailless.user(name).id), direct_subgroups: [] };
    await set({ create_multiuse_invite_group: { new: group } }, mailless);
    expect((await open(path, HOST, mailless)).statusCode).toBe(200);
    await expectSuccess(mailless.as("ada").patch(`/users/${ben}`, { role: roles.moderator }));
    await expectEnded(path, HOST, mailless);
    await expectSuccess(mailless.as("ada").patch(`/users/${ben}`, { role: roles.administrator }));
  });
});

test("so many people a day join by an organization's links, and no more", async () => {
  const limited = await createHarness({
    PARLEY_ENV: "production",
    PARLEY_SECRET: "a secret for the tests",
  });
  try {
    const path = await makeLink("ben", {}, limited);
    expect((await submit(path, { ...person(), email: fresh() }, limited)).statusCode).toBe(303);
    await limited.services.database.query(sql`update invitation_days set used = 999`);
    expect((await submit(path, { ...person(), email: fresh() }, limited)).statusCode).toBe(303);
    const email = fresh();
    const refused = await submit(path, { ...person(), email }, limited);
    expect([refused.statusCode, accountOf(email, limited)]).toEqual([400, undefined]);
    expect(refused.body).toContain("1000 people a day");
  } finally {
    await limited.close();
  }
});
