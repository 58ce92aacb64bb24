/** The library of jobs does not always recover when the database takes no writes for a moment. */
import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { useJobNodes } from "../../../test/harness/job-nodes.ts";

const jobNodes = useJobNodes();
const { start, ask, words } = jobNodes;

const run = (statement: string) =>
  jobNodes.one.database.transaction(({ client }) => client.query<{ value: number }>(statement));

/** Until what is returned is called, such writes fail, and take a second. */
async function refuse(event: string, table: string, condition = "true"): Promise<() => Promise<unknown>> {
  await run("create sequence if not exists refusals");
  await run(`create or replace function refuse() returns trigger language plpgsql as $$
    begin perform nextval('refusals'), pg_sleep(1); raise exception 'no room'; end $$`);
  await run(`create trigger refuse before ${event} on graphile_worker.${table} for each row
    when (${condition}) execute function refuse()`);
  return () => run(`drop trigger refuse on graphile_worker.${table}; drop sequence refusals`);
}

/** A sequence counts on in transactions that fail. */
async function countRefusals(): Promise<number> {
  const { rows } = await run(
    "select case when is_called then last_value else 0 end::int as value from refusals",
  );
  return rows[0]?.value ?? 0;
}

/** Each job waits for its turn, and ends as that says. */
function useTurns(): (word: string, failure?: Error) => void {
  const turns = new Map<string, (failure?: Error) => void>();
  jobNodes.act = () =>
    new Promise((resolve, reject) =>
      turns.set(words().at(-1) ?? "", (failure) => (failure ? reject(failure) : resolve())),
    );
  return (word, failure) => turns.get(word)?.(failure);
}

const failures = () => jobNodes.lines.filter((line) => line.includes("Failed to fail jobs")).length;

test("jobs run again after the ends of two could not be written while a third ran", async () => {
  await start(jobNodes.one);
  const end = useTurns();
  for (const word of ["first", "second", "third"]) await ask(word);
  await expect.poll(() => words().sort()).toEqual(["first", "second", "third"]);
  const allowWrites = await refuse("update", "_private_jobs", "new.locked_by is null");
  const failure = new Error("the other side is down");
  end("first", failure);
  // Both writes are under way at once, and each has a statement of its own.
  await sleep(300);
  end("second", failure);
  await expect.poll(failures).toBe(2);
  await allowWrites();
  end("third");
  jobNodes.act = async () => {};
  await ask("later");
  await expect.poll(words, { timeout: 30_000 }).toContain("later");
}, 60_000);

test("jobs run after the first look for them has failed", async () => {
  const allowWrites = await refuse("insert", "_private_tasks");
  await start(jobNodes.one);
  await expect.poll(countRefusals).toBeGreaterThan(0);
  await allowWrites();
  await ask("later");
  await expect.poll(words, { timeout: 30_000 }).toEqual(["later"]);
}, 60_000);
