/**
 * A year of sign-ins and guesses from ever new addresses: what the process has in memory at its end is what
 * the last month brought, and no more. `year.test.ts` looks at tables and folders.
 *
 * The look is at every Map and Set of the process, so one that somebody adds is among them.
 */
import { Session } from "node:inspector/promises";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import type { UserId } from "../../api/ids.ts";
import { sessions } from "../../server/accounts/sessions/live-sessions.ts";
import { sql } from "../../server/platform/db/sql.ts";
import { addRosa, rosa } from "../harness/accounts.ts";
import { createHarness, type Harness, HOST } from "../harness/harness.ts";
import { pass, work } from "./travel.ts";

const MONTHS = 12;
const MONTH_HOURS = 31 * 24;
/** Addresses from which somebody guesses in a month. Each is of a network of its own. */
const STRANGERS = 300;
/** They are in the range for documentation, so nothing else in the process has them. */
const RANGE = "2001:db8:";
/** A window of the rate limits, and some. */
const WINDOW_MS = 61_000;

let harness: Harness;
let rosaId: UserId;
/** A look goes through all Maps and Sets, which takes seconds. What stays is there at the end. */
const MONTHS_LOOKED_AT = [0, MONTHS / 2, MONTHS - 1];
/** The most addresses that one Map or Set had after each of these months. */
const most: number[] = [];
/** Sessions in memory and in the database after each month. */
const open: { inMemory: number; rows: number }[] = [];

beforeAll(async () => {
  // The rate limits take the clock that is there when the server starts. The database and timers keep theirs.
  vi.useFakeTimers({ toFake: ["Date"] });
  harness = await createHarness();
  rosaId = await addRosa(harness);
  for (let month = 0; month < MONTHS; month++) {
    await aMonth(month);
    open.push(await countSessions());
    await pass(harness, MONTH_HOURS);
    await work(harness);
    open.push(await countSessions());
    if (MONTHS_LOOKED_AT.includes(month)) most.push(Math.max(0, ...(await sizesWith(RANGE))));
    vi.setSystemTime(Date.now() + WINDOW_MS);
  }
}, 600_000);
afterAll(async () => {
  vi.useRealTimers();
  await harness.close();
});

async function aMonth(month: number): Promise<void> {
  const at = (stranger: number) => ({
    address: `${RANGE}${(month + 1).toString(16)}:${(stranger + 1).toString(16)}::1`,
  });
  for (let stranger = 0; stranger < STRANGERS; stranger++) {
    const authorization = `Basic ${Buffer.from(`dev@demo.test:no key ${stranger}`).toString("base64")}`;
    const answer = await harness.app.inject({
      method: "GET",
      url: "/api/v1/users/me",
      headers: {
        host: stranger % 10 === 0 ? `month-${month}-${stranger}.test` : HOST,
        authorization,
        "user-agent": `Guesser${month}-${stranger}`,
      },
      remoteAddress: at(stranger).address,
    });
    expect(answer.statusCode, answer.body).toBeGreaterThanOrEqual(400);
  }
  for (let count = 0; count < 3; count++) {
    const from = harness.nobody(HOST, at(STRANGERS + count));
    expect((await from.post("/session", { ...rosa, password: "a wrong one" })).status).toBe(401);
    expect((await from.post("/session", rosa)).body.msg).toBe("");
  }
}

async function countSessions(): Promise<{ inMemory: number; rows: number }> {
  const rows = await harness.services.database.query<{ count: number }>(
    sql`select count(*)::int as count from sessions where user_id = ${rosaId}`,
  );
  return {
    inMemory: harness.state.get(sessions).ofUser(rosaId).length,
    rows: (rows[0] as { count: number }).count,
  };
}

/** For each Map and Set of the process, how many of its keys and values have the text. None without any. */
async function sizesWith(text: string): Promise<number[]> {
  const session = new Session();
  session.connect();
  try {
    const sizes: number[] = [];
    for (const kind of ["Map", "Set"]) {
      const { result: prototype } = await session.post("Runtime.evaluate", {
        expression: `${kind}.prototype`,
      });
      const { objects } = await session.post("Runtime.queryObjects", {
        prototypeObjectId: prototype.objectId as string,
      });
      const { result, exceptionDetails } = await session.post("Runtime.callFunctionOn", {
        objectId: objects.objectId as string,
        functionDeclaration: `function (text) {
          const hasText = (value) => typeof value === "string" && value.includes(text);
          const countIn = (each) => {
            try {
              return [...each.entries()].filter((entry) => entry.some(hasText)).length;
            } catch {
              // The prototype of a class that extends Map is in the list, and is none itself.
              return 0;
            }
          };
          return this.map(countIn);
        }`,
        arguments: [{ value: text }],
        returnByValue: true,
      });
      if (exceptionDetails) throw new Error(exceptionDetails.exception?.description);
      sizes.push(...(result.value as number[]));
    }
    return sizes.filter((size) => size > 0);
  } finally {
    session.disconnect();
  }
}

test("no Map or Set of the process keeps addresses of the months before", () => {
  expect(most).toHaveLength(MONTHS_LOOKED_AT.length);
  // The counts of the rate limits are for the last month here.
  expect(most[0]).toBeGreaterThanOrEqual(STRANGERS);
  expect(
    most.filter((size) => size > STRANGERS + 10),
    `most: ${most}`,
  ).toEqual([]);
});

test("a session that has ended is gone from the memory as from the database", () => {
  expect(open.map(({ inMemory }) => inMemory)).toEqual(open.map(({ rows }) => rows));
  expect(open[0]?.rows).toBe(3);
  expect(open.at(-1)?.rows).toBe(0);
});
