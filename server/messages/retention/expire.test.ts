import { describe, expect, test, vi } from "vitest";
import type { OrganizationId } from "../../../api/ids.ts";
import { BATCH, useExpiry } from "../../../test/harness/expiry.ts";
import type { CastName } from "../../../test/harness/harness.ts";
import { runJobs } from "../../../test/harness/jobs.ts";
import { Node } from "../../../test/harness/node.ts";
import { sql } from "../../platform/db/sql.ts";
import { runContentChange } from "../../platform/log/change.ts";
import { deleteMessages } from "../delete/delete.ts";
import { listExpiredMessages, listExpiringOrganizations } from "./store.ts";

const DAY_MS = 24 * 3600 * 1000;

const expiry = useExpiry();
const { say, tell, keep, age, addOldMessages, remaining, areThere, told, run, afterParts, expire } = expiry;

describe("how long messages are kept", () => {
  test("an organization that keeps everything needs no work", async () => {
    const looked = () => expiry.harness.services.database.transaction(listExpiringOrganizations);
    expect(await looked()).toEqual([expiry.harness.state.organizationId]);
    const { status } = await expiry.harness.as("zed").patch("/realm", { message_retention_days: 30 });
    expect(status).toBe(200);
    expect((await looked()).sort()).toEqual(
      [expiry.harness.state.organizationId, expiry.harness.otherState.organizationId].sort(),
    );
    await expiry.harness.as("zed").patch("/realm", { message_retention_days: "unlimited" });
    expect(await looked()).toEqual([expiry.harness.state.organizationId]);
  });

  test("a channel's own number of days overrides a shorter or longer one of the organization", async () => {
    const month = await expiry.harness.channel(`month ${expiry.channels}`, ["dev"], {
      messageRetentionDays: 30,
    });
    const inherits = await expiry.harness.channel(`inherits ${expiry.channels}`, ["dev"]);
    const all = [expiry.channel, month, inherits];
    const sent = await Promise.all(all.map((each) => say("dev", each)));
    await age(sent, 20);
    await keep(25);
    await expire();
    expect(await areThere(sent)).toEqual([false, true, true]);
    await keep(3);
    await expire();
    expect(await areThere(sent)).toEqual([false, true, false]);
    await age(sent, 30.1);
    await expire();
    expect(await areThere(sent)).toEqual([false, false, false]);
    await keep("unlimited");
  });

  test("conversations follow the organization's setting, and their events go only to their people", async () => {
    const sent = [await tell("dev", ["elin"]), await tell("dev", ["ada", "gus"]), await tell("dev", ["dev"])];
    const fresh = await tell("elin", ["dev"]);
    await age(sent, 11);
    await expire();
    expect(await areThere(sent)).toEqual([true, true, true]);
    await keep(10);
    await expire();
    expect(await areThere([...sent, fresh])).toEqual([false, false, false, true]);
    const rows = await expiry.harness.state.database.query<{ ids: number[]; userIds: number[] }>(sql`
      select array(select jsonb_array_elements_text(payload -> 'message_ids')::bigint) as ids,
        array(select jsonb_array_elements_text(audience -> 'userIds')::bigint) as "userIds"
      from events where organization_id = ${expiry.harness.state.organizationId} and payload ->> 'message_type' = 'private'
      order by position`);
    const people = [["dev", "elin"], ["dev", "ada", "gus"], ["dev"]] as CastName[][];
    expect(rows.map(({ ids, userIds }) => [ids, userIds.sort()]).sort()).toEqual(
      sent
        .map((id, index) => [[id], people[index]?.map((each) => expiry.harness.user(each).id).sort()])
        .sort(),
    );
    await keep("unlimited");
  });

  test("messages of a clock that was a year ahead keep nothing, and expire with the one after them", async () => {
    const first = await say("dev", expiry.channel);
    await addOldMessages(BATCH + 1);
    const ahead = await expiry.harness.state.database.query<{ id: number }>(sql`
      update messages set sent_at = now() + interval '1 year'
      where organization_id = ${expiry.harness.state.organizationId} and recipient_id = ${expiry.channel.id} and id < 0
      returning id`);
    expect(ahead).toHaveLength(BATCH + 1);
    const [old, alsoAhead, fresh] = [
      await say("dev", expiry.channel),
      await say("dev", expiry.channel),
      await say("dev", expiry.channel),
    ];
    const told = await tell("dev", ["gus"]);
    const toldLater = await tell("gus", ["dev"]);
    await age([first, old, toldLater], 8);
    await age([alsoAhead, told], -365);
    await keep(7);
    await expire();
    await keep("unlimited");
    expect(await areThere(ahead.map(({ id }) => id))).toEqual(ahead.map(() => false));
    expect(await areThere([first, old, alsoAhead, fresh])).toEqual([false, false, true, true]);
    expect(await areThere([told, toldLater])).toEqual([false, false]);
  });

  test("an archived channel's messages expire too", async () => {
    const old = await say("dev", expiry.channel);
    await age([old], 8);
    const { status } = await expiry.harness.as("ada").delete(`/streams/${expiry.channel.id}`);
    expect(status).toBe(200);
    await expire();
    expect(await areThere([old])).toEqual([false]);
  });
});

describe("work in many parts", () => {
  test("that a stop interrupts continues in another run, with one event per message", async () => {
    await addOldMessages(2 * BATCH + 30);
    const stopping = afterParts(2, () => {
      throw new Error("the node is stopping");
    });
    await expect(run(expiry.harness.services, stopping)).rejects.toThrow("stopping");
    expect(await remaining()).toBe(30);
    await run(expiry.harness.services);
    expect(await remaining()).toBe(0);
    const ids = (await told()).flatMap((each) => each.ids);
    expect([ids.length, new Set(ids).size]).toEqual([2 * BATCH + 30, 2 * BATCH + 30]);
  });

  test("that takes too long for one run continues in another, which is queued at once", async () => {
    await addOldMessages(2 * BATCH);
    vi.useFakeTimers({ toFake: ["Date"] });
    const startedAt = Date.now();
    await run(
      expiry.harness.services,
      afterParts(1, () => vi.setSystemTime(startedAt + 3600 * 1000)),
    );
    vi.useRealTimers();
    expect(await remaining()).toBe(BATCH);
    await runJobs(expiry.harness.services);
    expect(await remaining()).toBe(0);
  });

  test("many conversations share a part", async () => {
    const pairs = (["ada", "ben", "cleo", "dev", "elin"] as const).flatMap((one, index, all) =>
      all.slice(index + 1).map((two) => [one, two] as const),
    );
    const sent = await Promise.all(pairs.map(([one, two]) => tell(one, [two, "gus"])));
    await age(sent, 50);
    await keep(40);
    let parts = 0;
    await run(expiry.harness.services, { throwIfAborted: () => parts++ } as unknown as AbortSignal);
    expect(await areThere(sent)).toEqual(sent.map(() => false));
    expect(parts).toBe(1);
    await keep("unlimited");
  });

  test("is done once when two nodes start it at the same time", async () => {
    await addOldMessages(3 * BATCH);
    const other = await Node.start(
      expiry.harness.services.config,
      expiry.harness.services.database.connection,
      {
        organizationId: expiry.harness.state.organizationId,
      },
    );
    await Promise.all([run(expiry.harness.services), run(other.services)]);
    await other.stop();
    expect(await remaining()).toBe(0);
    const ids = (await told()).flatMap((each) => each.ids);
    expect([ids.length, new Set(ids).size]).toEqual([3 * BATCH, 3 * BATCH]);
  });

  test("lets messages be sent between its parts", async () => {
    await addOldMessages(5 * BATCH);
    let isOver = false;
    const work = run(expiry.harness.services).finally(() => {
      isOver = true;
    });
    const sent: number[] = [];
    while (!isOver) sent.push(await say("dev", expiry.channel));
    await work;
    const positions = (await told()).map(({ position }) => position);
    expect(positions).toHaveLength(5);
    const gaps = positions.slice(1).map((end, index) => ({ start: positions[index] as number, end }));
    for (const { start, end } of gaps) expect(sent.some((id) => id > start && id < end)).toBe(true);
    expect(await areThere(sent)).toEqual(sent.map(() => true));
  });
});

describe("what happens to a message while it expires", () => {
  test("a message that is moved meanwhile stays until its new place's time", async () => {
    const kept = await expiry.harness.channel(`kept ${expiry.channels}`, ["dev", "elin"]);
    await say("dev", kept);
    const [left, moved] = [await say("dev", expiry.channel, "dinner"), await say("dev", expiry.channel)];
    await age([left, moved], 8);
    const cutoff = new Date(Date.now() - 7 * DAY_MS);
    let tries = 0;
    await runContentChange(expiry.harness.state, async (tx) => {
      tries++;
      const places = [{ id: expiry.channel.id, cutoff }];
      const expired = await listExpiredMessages(tx, expiry.harness.state.organizationId, places, {
        now: new Date(),
        limit: BATCH,
      });
      const { status, body } = await expiry.harness
        .as("ada")
        .patch(`/messages/${moved}`, { stream_id: kept.id });
      expect(status, JSON.stringify(body)).toBe(200);
      await deleteMessages(tx, expired);
    });
    // Only the message's own row showed the move.
    expect(tries).toBe(1);
    expect(await areThere([left, moved])).toEqual([false, true]);
    expect((await told()).flatMap(({ ids }) => ids)).toEqual([left]);
  });

  test("few go at once if many people have added to them, but one goes at least", async () => {
    await addOldMessages(5);
    const { organizationId, database } = expiry.harness.state;
    const ids = await database.query<{ id: number }>(sql`
      select id from messages where organization_id = ${organizationId} and recipient_id = ${expiry.channel.id} and id < 0
      order by id`);
    // The first has more rows than a transaction deletes otherwise. The others fit in pairs.
    await database.query(sql`
      insert into message_flags (organization_id, user_id, message_id, flags)
      select ${organizationId}, 1000000 + n, id, 1 from unnest(${ids.map(({ id }) => id)}::bigint[]) as id,
        generate_series(1, case when id = ${ids[0]?.id} then 12000 else 4000 end) as n`);
    await expire();
    expect((await told()).map((each) => each.ids.length)).toEqual([1, 2, 2]);
    expect(await remaining()).toBe(0);
    const left = await database.query(sql`
      select from message_flags where organization_id = ${organizationId} and user_id >= 1000000`);
    expect(left).toEqual([]);
  });

  test("everything that others added to it is deleted with it", async () => {
    const id = await say("dev", expiry.channel);
    const on = async (answer: Promise<{ status: number; body: unknown }>) => {
      const { status, body } = await answer;
      expect(status, JSON.stringify(body)).toBe(200);
    };
    await on(expiry.harness.as("dev").patch(`/messages/${id}`, { content: "Soup tomorrow?" }));
    await on(expiry.harness.as("elin").post(`/messages/${id}/reactions`, { emoji_name: "smile" }));
    await on(
      expiry.harness.as("elin").post("/messages/flags", { messages: [id], op: "add", flag: "starred" }),
    );
    const { organizationId, database } = expiry.harness.state;
    await database.query(sql`
      insert into submessages (organization_id, message_id, sender_id, kind, content)
      values (${organizationId}, ${id}, ${expiry.harness.user("dev").id}, 'widget', '{}')`);
    expect(await countOf(id)).toEqual([1, 1, 1, 1]);
    await age([id], 8);
    await expire();
    expect(await countOf(id)).toEqual([0, 0, 0, 0]);
  });
});

async function countOf(messageId: number): Promise<number[]> {
  const organizationId: OrganizationId = expiry.harness.state.organizationId;
  const [row] = await expiry.harness.state.database.query<{ counts: number[] }>(sql`
    select array[
      (select count(*) from message_flags where organization_id = ${organizationId} and message_id = ${messageId}),
      (select count(*) from reactions where organization_id = ${organizationId} and message_id = ${messageId}),
      (select count(*) from submessages where organization_id = ${organizationId} and message_id = ${messageId}),
      (select count(*) from message_edits where organization_id = ${organizationId} and message_id = ${messageId})
    ] as counts`);
  return row?.counts as number[];
}
