import { randomUUID } from "node:crypto";
import { rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import pino from "pino";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { createTestDatabase, type TestDatabase } from "../../../test/harness/postgres.ts";
import { openServices } from "../../app.ts";
import { readConfig } from "../../config.ts";
import { fetchPageIds } from "../../messages/query/page/page.ts";
import { NEWEST_ANCHOR } from "../../messages/query/page/page-request.ts";
import { Quotas } from "../../people/quotas/quotas.ts";
import type { User } from "../../people/user.ts";
import type { Viewer } from "../../people/viewer/viewer.ts";
import { Database } from "../../platform/db/database.ts";
import { holdingLock } from "../../platform/db/held-lock.ts";
import { lockClasses } from "../../platform/db/locks.ts";
import { sql } from "../../platform/db/sql.ts";
import type { Services } from "../../services.ts";
import { createOrganization } from "../setup/create-organization.ts";
import { DEMO_PASSWORD, people } from "./cast.ts";
import { companyConversations } from "./conversations/company.ts";
import { engineeringConversations } from "./conversations/engineering.ts";
import { firstConversations } from "./conversations/first.ts";
import { productConversations } from "./conversations/product.ts";
import { createDemo, demoSteps } from "./create-demo.ts";
import { Cast } from "./demo-cast.ts";

const files = join(tmpdir(), `parley-files-${randomUUID()}`);
const all = [
  ...firstConversations,
  ...productConversations,
  ...engineeringConversations,
  ...companyConversations,
];
const lock = { lockClass: lockClasses.demo, object: 0, waitMs: 1000 };

let database: TestDatabase;
let one: Services;
let other: Services;
beforeAll(async () => {
  database = await createTestDatabase();
  const config = readConfig({ PARLEY_ENV: "development", PARLEY_RATE_LIMITS: "off", PARLEY_FILES: files });
  const log = pino({ level: "silent" });
  one = await openServices(config, log, database.connection);
  other = await openServices(config, log, database.connection);
});
afterAll(async () => {
  await one.database.close();
  await other.database.close();
  await database.drop();
  await rm(files, { recursive: true, force: true });
});

/** How much of everything there is. */
async function counts(): Promise<Record<string, number>> {
  const [row] = await one.database.query<Record<string, number>>(sql`
    select (select count(*) from users where not is_system) as people,
      (select count(*) from channels) as channels, (select count(*) from messages) as messages,
      (select count(distinct content) from messages) as texts, (select count(*) from reactions) as reactions,
      (select count(*) from submessages) as submessages, (select count(*) from drafts) as drafts`);
  return row as Record<string, number>;
}

async function makeOrganization(services: Services): Promise<Viewer> {
  const { email, fullName } = people.ada;
  const owner = { email, fullName, password: DEMO_PASSWORD };
  const made = await createOrganization(services, { name: "Demo", host: "localhost", owner });
  return { ...made.owner, client: "website" };
}

test("a server waits for another one that makes the demo, and gives up after a while", async () => {
  // A lock that PostgreSQL waits for is refused after 50 ms, as after ten seconds on a busy machine.
  const hasty = await Database.open(database.connection, { limits: { lockTimeoutMs: 50 } });
  const waiting = { ...other, database: hasty };
  try {
    await holdingLock(one.database, lock, async () => {
      await expect(createDemo(waiting, "localhost", { waitMs: 300 })).rejects.toThrow(
        "0.3 seconds another server",
      );
    });
    expect((await counts()).people).toBe(0);
    let isFree = false;
    let free = () => {};
    let held: Promise<void> | undefined;
    await new Promise<void>((taken) => {
      held = holdingLock(one.database, lock, async () => {
        taken();
        await new Promise<void>((resolve) => {
          free = resolve;
        });
        isFree = true;
      });
    });
    const work = holdingLock(hasty, { ...lock, waitMs: 60_000 }, async () => isFree);
    // Longer than PostgreSQL lets it wait. A busy machine only adds to that.
    await sleep(500);
    free();
    expect(await work).toBe(true);
    await held;
  } finally {
    await hasty.close();
  }
});

test("a start makes what a server that was killed has not made", { timeout: 120_000 }, async () => {
  const ada = await makeOrganization(one);
  const now = Date.now();
  for (const [index, step] of demoSteps.entries()) {
    const before = await counts();
    if (index === demoSteps.length - 1) {
      // It fails after it has written statuses and read what there is. Nothing of it stays.
      let used = 0;
      const use = vi
        .spyOn(Quotas.prototype, "use")
        .mockImplementation(() => (++used > 3 ? Promise.reject(new Error("killed")) : Promise.resolve()));
      await expect(step(one, ada, now)).rejects.toThrow("killed");
      use.mockRestore();
      expect(await counts()).toEqual(before);
      continue;
    }
    await step(one, ada, now);
    const after = await counts();
    expect(after).not.toEqual(before);
    await step(one, ada, now);
    expect(await counts()).toEqual(after);
  }
  await Promise.all([createDemo(one, "localhost"), createDemo(other, "localhost")]);
  const made = await counts();
  expect(made.messages).toBe(all.flatMap(({ lines }) => lines).length);
  expect(made.texts).toBe(made.messages);
  await createDemo(other, "localhost");
  expect(await counts()).toEqual(made);
});

test("it has the people, topics and things that pictures of it need", async () => {
  const made = await counts();
  expect(made.people).toBeGreaterThanOrEqual(40);
  expect(made.reactions).toBeGreaterThanOrEqual(100);
  expect(made.submessages).toBeGreaterThanOrEqual(20);
  const [{ topics = 0 } = {}] = await one.database.query<{ topics: number }>(sql`
    select count(*) as topics from topics`);
  expect(topics).toBeGreaterThanOrEqual(100);
  const texts = all.flatMap(({ lines }) => lines.map(([, text]) => text)).join("\n");
  for (const part of ["```python", "| --- |", "```math", "```spoiler", "/poll", "/todo", "{{"]) {
    expect(texts).toContain(part);
  }
});

test("each of its pictures belongs to who posts it, so that those who see the message see it", async () => {
  const [row] = await one.database.query<{ files: number; shared: number }>(sql`
    select count(distinct u.id) as files, count(distinct u.id) filter (where m.sender_id = u.owner_id) as shared
    from uploads u left join message_uploads l using (organization_id)
      left join messages m on m.organization_id = u.organization_id and m.id = l.message_id
    where l.upload_id is null or l.upload_id = u.id`);
  expect(row).toEqual({ files: 2, shared: 2 });
});

test("its messages have their times in order, and none is of the future", async () => {
  const [row] = await one.database.query<{ disorder: number; late: number }>(sql`
    select count(*) filter (where sent_at < earlier) as disorder, count(*) filter (where sent_at > now()) as late
    from (select sent_at, lag(sent_at) over (order by id) as earlier from messages) m`);
  expect(row).toEqual({ disorder: 0, late: 0 });
});

test("what was said today is unread for those whom one signs in as, and read for the others", async () => {
  const state = await one.organizations.primary();
  if (!state) throw new Error("there is no organization");
  await state.catchUp();
  const cast = new Cast(state);
  const unreadOf = async (user: User) => {
    const page = { anchor: NEWEST_ANCHOR, includeAnchor: false, before: 500, after: 0 };
    const narrow = [{ operator: "is", operand: "unread", isNegated: false }];
    const { ids } = await state.database.snapshot((tx) =>
      fetchPageIds({ state, user }, tx, { narrow, ...page }),
    );
    return ids.length;
  };
  expect(await unreadOf(cast.user("ada"))).toBeGreaterThan(20);
  expect(await unreadOf(cast.user("dev"))).toBeGreaterThan(10);
  expect(await unreadOf(cast.user("zoe"))).toBe(0);
});
