import { afterAll, beforeAll, expect, test } from "vitest";
import { MAX_STORAGE_LISTED } from "../../../api/limits.ts";
import { expectSuccess, refusal, sayIn } from "../../../test/harness/answers.ts";
import { createHarness, type Harness } from "../../../test/harness/harness.ts";
import { sql } from "../../platform/db/sql.ts";
import { topShares } from "./storage.ts";

const CALL = "/realm/statistics/storage";

let harness: Harness;
const say = sayIn(() => harness);
beforeAll(async () => {
  harness = await createHarness();
});
afterAll(() => harness.close());

/** An upload that these messages link. */
async function upload(name: "ada" | "dev", size: number, messages: readonly number[]): Promise<void> {
  const { organizationId } = harness.state;
  const { database } = harness.services;
  const key = `${name}-${size}`;
  const [row] = await database.query<{ id: number }>(sql`
    insert into uploads (organization_id, owner_id, path, storage_key, file_name, content_type, size)
    values (${organizationId}, ${harness.user(name).id}, ${key}, ${key}, ${key}, 'text/plain', ${size})
    returning id`);
  for (const message of messages)
    await database.query(sql`
      insert into message_uploads (organization_id, upload_id, message_id, sent_at)
      values (${organizationId}, ${row?.id}, ${message}, now())`);
}

test("owners see who and which channels take room, and nobody else does", async () => {
  const first = await harness.channel("room one", ["ada", "dev"]);
  const second = await harness.channel("room two", ["ada", "dev"]);
  const [one, again, two] = [
    await say("dev", first.id, { content: "One" }),
    await say("dev", first.id, { content: "Again" }),
    await say("dev", second.id, { content: "Two" }),
  ];
  await upload("dev", 500, [one, again, two]);
  await upload("dev", 40, []);
  await upload("ada", 700, [two]);
  expect(await expectSuccess(harness.as("ada").get(CALL))).toMatchObject({
    people: [
      { user_id: harness.user("ada").id, bytes: 700 },
      { user_id: harness.user("dev").id, bytes: 540 },
    ],
    other_people: { count: 0, bytes: 0 },
    channels: [
      { stream_id: second.id, bytes: 1200 },
      { stream_id: first.id, bytes: 500 },
    ],
    other_channels: { count: 0, bytes: 0 },
  });
  for (const name of ["ben", "dev", "gus"] as const)
    expect(await refusal(harness.as(name).get(CALL))).toBe("Must be an organization owner");
  const { people } = await expectSuccess(harness.as("zed").get(CALL));
  expect(people).toEqual([]);
});

test("the rest, and what may not be named, is one line", () => {
  const all = Array.from({ length: 25 }, (_, index) => ({ id: index, bytes: 100 - index }));
  const { top, others } = topShares(all, (id) => id !== 0);
  expect(top.map(({ id }) => id)).toEqual(
    Array.from({ length: MAX_STORAGE_LISTED }, (_, index) => index + 1),
  );
  expect(others).toEqual({ count: 5, bytes: 100 + 79 + 78 + 77 + 76 });
});
