/** The library of jobs ends itself when it can't write that a job has ended, and does not always succeed. */
import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { useJobNodes } from "../../../test/harness/job-nodes.ts";

const jobNodes = useJobNodes();
const { start, ask, words } = jobNodes;

/** Until it is called again, no job can be given back. */
async function refuseWrites(): Promise<() => Promise<void>> {
  const run = (statement: string) =>
    jobNodes.one.database.transaction(({ client }) => client.query(statement).then(() => {}));
  await run(`create function refuse() returns trigger language plpgsql as
    $$ begin perform pg_sleep(1); raise exception 'no room'; end $$`);
  await run(`create trigger refuse before update on graphile_worker._private_jobs for each row
    when (new.locked_by is null) execute function refuse()`);
  return () => run("drop trigger refuse on graphile_worker._private_jobs");
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
  const allowWrites = await refuseWrites();
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
