import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { roles } from "../../../api/roles.ts";
import { mailsOf, PASSWORD } from "../../../test/harness/accounts.ts";
import { expectSuccess, refusal } from "../../../test/harness/answers.ts";
import { type CastName, createHarness, type Harness } from "../../../test/harness/harness.ts";
import { listen } from "../../../test/harness/listener.ts";
import { addQuotaUse } from "../../people/quotas/store.ts";
import { sql } from "../../platform/db/sql.ts";
import { forgetExpiredInvitations } from "./forget-expired.ts";

let harness: Harness;
let count = 0;
beforeAll(async () => {
  harness = await createHarness({ PARLEY_RATE_LIMITS: "off" });
});
afterAll(() => harness.close());
beforeEach(async () => {
  await harness.services.database.query(sql`delete from invitations`);
  await harness.services.database.query(sql`delete from mails`);
});

const id = (name: CastName) => harness.user(name).id;
const fresh = () => `fay${++count}@elsewhere.test`;
const invite = (name: CastName, emails: string, more: Record<string, unknown> = {}) =>
  harness.as(name).post("/invites", { invitee_emails: emails, stream_ids: [], ...more });
const makeLink = (name: CastName, more: Record<string, unknown> = {}) =>
  harness.as(name).post("/invites/multiuse", more);
const list = async (name: CastName) => (await expectSuccess(harness.as(name).get("/invites"))).invites;
const set = (values: Record<string, unknown>) => expectSuccess(harness.as("ada").patch("/realm", values));
const people = (...named: CastName[]) => ({ new: { direct_members: named.map(id), direct_subgroups: [] } });

describe("an invitation of an address", () => {
  test("is mailed, listed for its inviter and for administrators, and for nobody else", async () => {
    const email = fresh();
    await expectSuccess(invite("dev", email));
    const [mail, ...others] = await mailsOf(harness);
    expect(others).toEqual([]);
    expect(mail).toMatchObject({ to: email, subject: expect.stringContaining("Dev Rao invites you") });
    expect(mail?.text).toMatch(/http:\/\/demo\.test:9991\/join\/[\w-]{43}\n/);
    const [invitation] = await list("dev");
    expect(invitation).toMatchObject({
      invited_by_user_id: id("dev"),
      invited_as: roles.member,
      is_multiuse: false,
      email,
      notify_referrer_on_join: true,
    });
    expect(invitation.expiry_date - invitation.invited).toBe(10 * 24 * 3600);
    expect(await list("ben")).toEqual([invitation]);
    expect([await list("elin"), await list("zed")]).toEqual([[], []]);
  });

  test("keeps its link as a hash alone, and its mail encrypted", async () => {
    await expectSuccess(invite("dev", fresh()));
    const stored = await harness.services.database.query<{ text: string }>(
      sql`select i::text || m::text as text from invitations i, mails m`,
    );
    const [mail] = await mailsOf(harness);
    const token = mail?.text.match(/join\/([\w-]+)/)?.[1] as string;
    const text = stored.map((row) => row.text).join();
    expect(text).not.toContain(token);
    expect(text).not.toContain(Buffer.from(token).toString("hex"));
  });

  test("takes many addresses in one text, each once, with names or without", async () => {
    const [one, two] = [fresh(), fresh()];
    await expectSuccess(invite("dev", `${one}, Fay Lind <${two}>\n\n ${one.toUpperCase()},`));
    expect((await mailsOf(harness)).map(({ to }) => to).sort()).toEqual([one, two].sort());
    expect(await list("dev")).toHaveLength(2);
  });

  test("that is made again replaces the earlier one of the same inviter", async () => {
    const email = fresh();
    await expectSuccess(invite("dev", email));
    const [first] = await list("dev");
    await expectSuccess(invite("dev", email, { invite_as: roles.guest }));
    await expectSuccess(invite("ben", email));
    const all = await list("ada");
    expect(all.map((each: { invited_as: number }) => each.invited_as)).toEqual([roles.guest, roles.member]);
    expect(all[0].id).toBe(first.id);
    const texts = (await mailsOf(harness)).map(({ text }) => text);
    expect(new Set(texts).size).toBe(3);
  });

  test.each([
    ["no address", " , \n", "You must specify at least one email address."],
    ["too many addresses", Array.from({ length: 1001 }, (_, n) => `a${n}@b.test`).join(), "at most 1000"],
  ])("with %s is refused", async (_, emails, words) => {
    expect(await refusal(invite("dev", emails))).toContain(words);
  });

  test("invites nobody if one address is not valid, or is not allowed", async () => {
    await expectSuccess(
      harness.as("ada").post("/realm/domains", { domain: "kitchen.example", allow_subdomains: false }),
    );
    await set({ emails_restricted_to_domains: true });
    const { status, body } = await invite(
      "dev",
      "no address, fay@kitchen.example, gil@elsewhere.test, dev@demo.test",
    );
    await set({ emails_restricted_to_domains: false });
    expect([status, body.code]).toEqual([400, "INVITATION_FAILED"]);
    expect(body).toMatchObject({
      sent_invitations: false,
      daily_limit_reached: false,
      license_limit_reached: false,
    });
    const wrong = body.errors.map(([email]: [string]) => email);
    expect(wrong).toEqual(["no address", "gil@elsewhere.test", "dev@demo.test"]);
    expect([await list("ada"), await mailsOf(harness)]).toEqual([[], []]);
  });

  test("skips addresses that have an account, and says so after the others are invited", async () => {
    const email = fresh();
    const { status, body } = await invite("dev", `${email}, ELIN@demo.test`);
    expect([status, body.code, body.sent_invitations]).toEqual([400, "INVITATION_FAILED", true]);
    expect(body.errors).toEqual([["ELIN@demo.test", "Already has an account.", false]]);
    expect((await list("dev")).map((each: { email: string }) => each.email)).toEqual([email]);
    const nobody = await invite("dev", "elin@demo.test");
    expect(nobody.body).toMatchObject({ code: "INVITATION_FAILED", sent_invitations: false });
  });

  test("is sent again with a new link, by its inviter or an administrator", async () => {
    const email = fresh();
    await expectSuccess(invite("dev", email));
    const [{ id: invitation, expiry_date }] = await list("dev");
    await expectSuccess(harness.as("ben").post(`/invites/${invitation}/resend`));
    const sent = await mailsOf(harness);
    expect(sent.map(({ to }) => to)).toEqual([email, email]);
    expect(sent[0]?.text).not.toBe(sent[1]?.text);
    expect(sent[1]?.text).toContain("Dev Rao invites you");
    expect(await list("dev")).toMatchObject([{ id: invitation, expiry_date }]);
    for (const name of ["elin", "zed"] as const) {
      expect(await refusal(harness.as(name).post(`/invites/${invitation}/resend`))).toBe(
        "No such invitation",
      );
      expect(await refusal(harness.as(name).delete(`/invites/${invitation}`))).toBe("No such invitation");
    }
    expect(await refusal(harness.as("dev").delete(`/invites/multiuse/${invitation}`))).toBe(
      "No such invitation",
    );
    await expectSuccess(harness.as("dev").delete(`/invites/${invitation}`));
    expect(await list("ada")).toEqual([]);
    expect(await refusal(harness.as("dev").delete(`/invites/${invitation}`))).toBe("No such invitation");
  });

  test("can last for any time up to ten years, or for ever", async () => {
    for (const minutes of [0, 5_256_001, "soon"]) {
      expect((await invite("dev", fresh(), { invite_expires_in_minutes: minutes })).status).toBe(400);
    }
    await expectSuccess(invite("dev", fresh(), { invite_expires_in_minutes: null }));
    await expectSuccess(invite("dev", fresh(), { invite_expires_in_minutes: 1 }));
    const [forever, minute] = await list("dev");
    expect([forever.expiry_date, minute.expiry_date - minute.invited]).toEqual([null, 60]);
  });

  test("lasts as long as was asked for when the database has another time", async () => {
    vi.useFakeTimers({ toFake: ["Date"], now: Date.now() - 1500 });
    try {
      await expectSuccess(invite("dev", fresh(), { invite_expires_in_minutes: 5 }));
      await expectSuccess(makeLink("ben", { invite_expires_in_minutes: 5 }));
    } finally {
      vi.useRealTimers();
    }
    const all: { expiry_date: number; invited: number }[] = await list("ada");
    expect(all.map(({ expiry_date, invited }) => expiry_date - invited)).toEqual([300, 300]);
  });

  test("that has expired is not listed, can't be sent again, and is deleted within the hour", async () => {
    await expectSuccess(invite("dev", fresh()));
    const [{ id: invitation }] = await list("dev");
    await harness.services.database.query(sql`update invitations set expires_at = now()`);
    expect(await list("dev")).toEqual([]);
    expect(await refusal(harness.as("dev").post(`/invites/${invitation}/resend`))).toBe("No such invitation");
    const run = { signal: new AbortController().signal, dueAt: new Date() };
    await forgetExpiredInvitations.run(harness.services, {}, run);
    expect(await harness.services.database.query(sql`select 1 from invitations`)).toEqual([]);
  });
});

describe("an invitation link", () => {
  test("is shown again in the list", async () => {
    const { invite_link } = await expectSuccess(makeLink("ben", { invite_as: roles.guest }));
    expect(invite_link).toMatch(/^http:\/\/demo\.test\/join\/[\w-]{43}$/);
    const [invitation] = await list("ada");
    expect(invitation).toMatchObject({ is_multiuse: true, link_url: invite_link, invited_as: roles.guest });
    expect(invitation).not.toHaveProperty("email");
    expect(await refusal(harness.as("ada").delete(`/invites/${invitation.id}`))).toBe("No such invitation");
    await expectSuccess(harness.as("ada").delete(`/invites/multiuse/${invitation.id}`));
    expect(await list("ada")).toEqual([]);
  });

  test("that makes owners is a secret of owners", async () => {
    await expectSuccess(makeLink("ada", { invite_as: roles.owner }));
    const [{ id: invitation }] = await list("ada");
    expect(await list("ben")).toEqual([]);
    expect(await refusal(harness.as("ben").delete(`/invites/multiuse/${invitation}`))).toBe(
      "No such invitation",
    );
  });
});

describe("who may invite", () => {
  test("to addresses follows from can_invite_users_group, to links from create_multiuse_invite_group", async () => {
    expect(await refusal(makeLink("dev"))).toBe("Insufficient permission");
    await set({ can_invite_users_group: people("elin"), create_multiuse_invite_group: people("dev") });
    expect(await refusal(invite("dev", fresh()))).toBe("Insufficient permission");
    await expectSuccess(invite("elin", fresh()));
    await expectSuccess(makeLink("dev"));
    expect(await refusal(makeLink("ada"))).toBe("Insufficient permission");
    const { user_groups } = await expectSuccess(harness.as("ada").get("/user_groups"));
    const group = (role: string) =>
      user_groups.find(({ name }: { name: string }) => name === `role:${role}`).id;
    await set({
      can_invite_users_group: { new: group("members") },
      create_multiuse_invite_group: { new: group("administrators") },
    });
  });

  test("is no guest and no bot", async () => {
    for (const call of [invite("gus", fresh()), makeLink("gus"), harness.as("gus").get("/invites")]) {
      expect(await refusal(call)).toBe("Insufficient permission");
    }
    expect(await refusal(invite("echo", fresh()))).toContain("bot");
    expect(await refusal(harness.as("echo").get("/invites"))).toContain("bot");
  });

  test.each<[CastName, number, boolean]>([
    ["ada", roles.owner, true],
    ["ben", roles.owner, false],
    ["ben", roles.administrator, true],
    ["ben", roles.moderator, true],
    ["cleo", roles.administrator, false],
    ["cleo", roles.moderator, false],
    ["cleo", roles.member, true],
    ["dev", roles.member, true],
    ["dev", roles.guest, true],
  ])("%s invites as %d: %s", async (name, role, isAllowed) => {
    const { status, body } = await invite(name, fresh(), { invite_as: role });
    expect([status, body.msg]).toEqual(isAllowed ? [200, ""] : [400, expect.stringContaining("Must be an")]);
    expect((await list("ada")).length).toBe(isAllowed ? 1 : 0);
  });

  test("to a channel may subscribe others to it, unless it is a default channel", async () => {
    const secret = await harness.channel(`cellar ${++count}`, ["ada"], { isPrivate: true });
    const open = await harness.channel(`garden ${count}`, ["ada", "dev"]);
    const common = await harness.channel(`hall ${count}`, ["ada"], { isDefault: true });
    await expectSuccess(invite("dev", fresh(), { stream_ids: [open.id, common.id] }));
    for (const channel of [secret.id, 9_999_999]) {
      expect(await refusal(invite("dev", fresh(), { stream_ids: [channel] }))).toBe(
        `Invalid channel ID ${channel}. No invites were sent.`,
      );
    }
    await set({ can_add_subscribers_group: people("ada") });
    expect(await refusal(invite("dev", fresh(), { stream_ids: [open.id] }))).toBe(
      "You do not have permission to subscribe other users to channels.",
    );
    await expectSuccess(invite("dev", fresh(), { stream_ids: [common.id] }));
  });

  test("to a group may add members to it", async () => {
    const group = { name: `cooks ${++count}`, description: "", members: [] };
    const { group_id } = await expectSuccess(harness.as("ada").post("/user_groups/create", group));
    expect(await refusal(invite("dev", fresh(), { group_ids: [group_id] }))).toBe("Insufficient permission");
    await expectSuccess(invite("ada", fresh(), { group_ids: [group_id] }));
    expect(await refusal(invite("ada", fresh(), { group_ids: [9_999_999] }))).toBe("Invalid user group");
    await expectSuccess(harness.as("ada").post(`/user_groups/${group_id}/deactivate`));
    expect(await refusal(invite("ada", fresh(), { group_ids: [group_id] }))).toContain("deactivated");
  });

  test("with a welcome text of their own is an administrator", async () => {
    const text = { welcome_message_custom_text: "Look into the kitchen." };
    expect(await refusal(invite("dev", fresh(), text))).toContain("administrator");
    await expectSuccess(invite("ben", fresh(), text));
  });

  test("manages an owner's invitation is an owner, or made it", async () => {
    await expectSuccess(invite("ada", fresh(), { invite_as: roles.owner }));
    const [{ id: invitation }] = await list("ben");
    expect(await refusal(harness.as("ben").delete(`/invites/${invitation}`))).toContain("owner");
    expect(await refusal(harness.as("ben").post(`/invites/${invitation}/resend`))).toContain("owner");
    await expectSuccess(harness.as("ada").delete(`/invites/${invitation}`));
  });
});

test("administrators and the inviter get an event when invitations change, and nobody else", async () => {
  const names = ["ada", "ben", "dev", "cleo", "elin", "gus", "zed"] as const;
  const queues = await Promise.all(
    names.map((name) => listen(harness.as(name), { event_types: ["invites_changed"] })),
  );
  const expectEvents = async (...named: CastName[]) => {
    const got = await Promise.all(queues.map((queue) => queue.heard()));
    expect(names.filter((_, index) => got[index]?.length === 1)).toEqual(named);
    expect(got.flat().length).toBe(named.length);
  };
  await expectSuccess(invite("dev", fresh()));
  await expectEvents("ada", "ben", "dev");
  const [{ id: invitation }] = await list("dev");
  await expectSuccess(harness.as("ben").delete(`/invites/${invitation}`));
  await expectEvents("ada", "ben", "dev");
  await expectSuccess(makeLink("ben"));
  await expectEvents("ada", "ben");
});

test("the invitations of a deactivated account are revoked, and others stay", async () => {
  const leaver = { email: "leaver@demo.test", full_name: "Lee Ver", password: PASSWORD };
  const { user_id } = await expectSuccess(harness.as("ada").post("/users", leaver));
  await expectSuccess(invite("dev", fresh()));
  await expectSuccess(invite("elin", fresh()));
  await harness.services.database.query(
    sql`update invitations set inviter_id = ${user_id} where inviter_id = ${id("elin")}`,
  );
  const queue = await listen(harness.as("ben"), { event_types: ["invites_changed"] });
  await expectSuccess(harness.as("ada").delete(`/users/${user_id}`));
  expect(await queue.heard()).toMatchObject([{ type: "invites_changed" }]);
  expect(await list("ada")).toMatchObject([{ invited_by_user_id: id("dev") }]);
});

describe("with limits", () => {
  let limited: Harness;
  beforeAll(async () => {
    limited = await createHarness();
  });
  afterAll(() => limited.close());
  const inviteHere = (name: CastName, emails: string) =>
    limited.as(name).post("/invites", { invitee_emails: emails, stream_ids: [] });

  test("a person can invite so many in an hour, and an organization in a day", async () => {
    const { organizationId, database } = limited.state;
    await addQuotaUse(database, organizationId, limited.user("dev").user.id, "invitations", 4999);
    expect((await inviteHere("dev", `${fresh()}, ${fresh()}`)).status).toBe(429);
    await expectSuccess(inviteHere("dev", fresh()));

    await database.query(sql`update invitation_days set used = 998`);
    const { status, body } = await inviteHere("elin", [fresh(), fresh(), fresh()].join());
    expect([status, body.code, body.daily_limit_reached]).toEqual([400, "INVITATION_FAILED", true]);
    await expectSuccess(inviteHere("elin", `${fresh()}, ${fresh()}`));
    expect((await inviteHere("elin", fresh())).body.daily_limit_reached).toBe(true);
    await database.query(sql`update invitation_days set day = day - 1`);
    await expectSuccess(inviteHere("elin", fresh()));
  });

  test("an organization can have so many open invitations", async () => {
    const { organizationId, database } = limited.state;
    await database.query(sql`
      insert into invitations (organization_id, inviter_id, email, token_hash, role, channel_ids, group_ids,
        joins_default_channels, notifies_inviter, is_by_operator)
      select ${organizationId}, ${limited.user("ben").user.id}, n || '@many.test', sha256(n::text::bytea), 400, '{}', '{}',
        false, false, false from generate_series(1, 5000) as n`);
    expect(await refusal(limited.as("ada").post("/invites/multiuse"))).toContain("at most 5000");
    expect((await expectSuccess(limited.as("dev").get("/invites"))).invites.length).toBeLessThan(10);
  });
});

test("a production server without mail invites nobody by mail, and has links of administrators alone", async () => {
  const production = await createHarness({
    PARLEY_ENV: "production",
    PARLEY_SECRET: "a secret for the tests",
  });
  try {
    const form = { invitee_emails: fresh(), stream_ids: [] };
    expect(await refusal(production.as("ada").post("/invites", form))).toBe(
      "This server can't send mail; create an invitation link instead.",
    );
    await expectSuccess(production.as("ben").post("/invites/multiuse"));
    const dev = { new: { direct_members: [production.user("dev").id], direct_subgroups: [] } };
    await expectSuccess(production.as("ada").patch("/realm", { create_multiuse_invite_group: dev }));
    expect(await refusal(production.as("dev").post("/invites/multiuse"))).toContain("can't send mail");
  } finally {
    await production.close();
  }
});

test("links name the organization's address, not the request's", async () => {
  const site = "https://chat.example.com";
  const known = await createHarness({ PARLEY_PUBLIC_URL: site });
  try {
    const { invite_link } = await expectSuccess(known.as("ada").post("/invites/multiuse"));
    expect(invite_link).toContain(`${site}/join/`);
    const other = await expectSuccess(known.as("zed").post("/invites/multiuse"));
    expect(new URL(other.invite_link).host).toBe("other.test");
  } finally {
    await known.close();
  }
});
