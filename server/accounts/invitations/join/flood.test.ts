/** What somebody with an invitation link can have mailed to others (F6). */
import { afterAll, beforeEach, expect, test } from "vitest";
import { mailsTo, sendForm } from "../../../../test/harness/accounts.ts";
import { expectSuccess } from "../../../../test/harness/answers.ts";
import { createHarness, type Harness } from "../../../../test/harness/harness.ts";
import { sql } from "../../../platform/db/sql.ts";

let harness: Harness;
beforeEach(async () => {
  await harness?.close();
  harness = await createHarness();
});
afterAll(() => harness.close());

async function makeLink(): Promise<string> {
  const { invite_link: link } = await expectSuccess(harness.as("ben").post("/invites/multiuse"));
  return new URL(link).pathname;
}

async function dayUse(): Promise<number> {
  const [row] = await harness.services.database.query<{ used: number }>(
    sql`select used from invitation_days`,
  );
  return row?.used ?? 0;
}

test("fills nobody's mailbox who has an account, and uses up one of the day's invitations", async () => {
  const path = await makeLink();
  const before = await dayUse();
  for (let n = 0; n < 30; n++) {
    const address = `198.51.100.${n}`;
    expect((await sendForm(harness, path, { email: "gus@demo.test" }, { address })).statusCode).toBe(303);
  }
  const notices = (await mailsTo(harness, "gus@demo.test")).filter(({ text }) =>
    text.includes("has an account"),
  );
  expect(notices).toHaveLength(1);
  expect(await dayUse()).toBe(before + 1);
});

test("a network has a hundred mails in half an hour, for all addresses together", async () => {
  const path = await makeLink();
  const address = "198.51.100.7";
  const statuses: number[] = [];
  for (let n = 0; n < 102; n++)
    statuses.push((await sendForm(harness, path, { email: "gus@demo.test" }, { address })).statusCode);
  expect(statuses.slice(0, 100)).toEqual(Array(100).fill(303));
  expect(statuses.slice(100)).toEqual([429, 429]);
  const elsewhere = await sendForm(
    harness,
    path,
    { email: "fay@elsewhere.test" },
    { address: "198.51.100.8" },
  );
  expect(elsewhere.statusCode).toBe(303);
});

test("a link waits for the people whom it has mailed, and leaves the others the rest of the day", async () => {
  const path = await makeLink();
  const ask = (n: number, email = `fay${n}@elsewhere.test`) =>
    sendForm(harness, path, { email }, { address: `198.51.${n >> 8}.${n & 255}` });
  for (let n = 0; n < 200; n++) expect((await ask(n)).statusCode).toBe(303);
  // It is the same for people who have an account.
  const refused = await Promise.all([ask(200), ask(201, "gus@demo.test")]);
  expect(refused.map(({ statusCode }) => statusCode)).toEqual([400, 400]);
  expect(refused[0]?.body).toContain("Ask the person who invited you");
  const other = { email: "fay@elsewhere.test" };
  expect((await sendForm(harness, await makeLink(), other, { address: "198.51.9.9" })).statusCode).toBe(303);
});

/** More people who wait, as many requests would leave them. */
async function fill(more: number): Promise<void> {
  await harness.services.database.query(sql`
    insert into invitations (organization_id, inviter_id, parent_id, email, token_hash, role, channel_ids,
      group_ids, joins_default_channels, notifies_inviter, is_by_operator, expires_at)
    select i.organization_id, i.inviter_id, i.parent_id, n || i.email, sha256(i.token_hash || n::text::bytea), i.role,
      i.channel_ids, i.group_ids, i.joins_default_channels, i.notifies_inviter, i.is_by_operator, i.expires_at
    from (select * from invitations where parent_id is not null order by id desc limit 1) i,
      generate_series(1, ${more}) n`);
}

test("a link with one place left does not tell who has an account", async () => {
  for (const asked of ["gus@demo.test", "fay@elsewhere.test"]) {
    const path = await makeLink();
    const ask = (n: number, email: string) =>
      sendForm(harness, path, { email }, { address: `198.${asked.length}.${n >> 8}.${n & 255}` });
    expect((await ask(0, "fay0@elsewhere.test")).statusCode).toBe(303);
    await fill(198);
    expect((await ask(199, asked)).statusCode).toBe(303);
    expect((await ask(200, "ben@demo.test")).statusCode).toBe(400);
  }
});
