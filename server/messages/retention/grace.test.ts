import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { BATCH, endExpiryGrace, useExpiry } from "../../../test/harness/expiry.ts";

const HOUR_MS = 3600 * 1000;
const DAY_MS = 24 * HOUR_MS;

const expiry = useExpiry();
const { say, tell, keep, set, age, addOldMessages, areThere, run, afterParts } = expiry;

describe("what can't be taken back waits a day", () => {
  const laterBy = (ms: number) => vi.setSystemTime(Date.now() + ms);
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ["Date"] });
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  test("after a time was shortened, so an owner can set it right", async () => {
    await keep(90);
    const [inherits, month] = [
      await expiry.harness.channel(`inherits too ${expiry.channels}`, ["dev"]),
      await expiry.harness.channel(`a month ${expiry.channels}`, ["dev"], { messageRetentionDays: 30 }),
    ];
    await endExpiryGrace(expiry.harness);
    const sent = [await say("dev", inherits), await say("dev", month), await tell("dev", ["elin"])];
    const old = await say("dev", expiry.channel);
    await age([...sent, old], 20);
    await set(9);
    const { status } = await expiry.harness
      .as("ada")
      .patch(`/streams/${month.id}`, { message_retention_days: 1 });
    expect(status).toBe(200);
    for (let hour = 0; hour < 24; hour++) {
      await run(expiry.harness.services);
      laterBy(HOUR_MS);
    }
    // What was to be deleted before is.
    expect(await areThere([...sent, old])).toEqual([true, true, true, false]);
    await set(90);
    await run(expiry.harness.services);
    laterBy(2 * HOUR_MS);
    await run(expiry.harness.services);
    expect(await areThere(sent)).toEqual([true, false, true]);
    await keep("unlimited");
  });

  test("also if it is shortened while a run goes on", async () => {
    await addOldMessages(2 * BATCH);
    const month = await expiry.harness.channel(`month long ${expiry.channels}`, ["dev"], {
      messageRetentionDays: 30,
    });
    await endExpiryGrace(expiry.harness);
    const sent = [await say("dev", month), await say("dev", month)];
    await age([sent[0] as number], 40);
    await age([sent[1] as number], 20);
    let isSet: Promise<unknown> | undefined;
    const shortening = afterParts(0, () => {
      isSet ??= expiry.harness.as("ada").patch(`/streams/${month.id}`, { message_retention_days: 1 });
    });
    await run(expiry.harness.services, shortening);
    await isSet;
    await run(expiry.harness.services);
    expect(await areThere(sent)).toEqual([false, true]);
  });

  test("after the clock was set forward, so an operator can set it right", async () => {
    const sent = await say("dev", expiry.channel);
    await run(expiry.harness.services);
    laterBy(365 * DAY_MS);
    for (let hour = 0; hour < 24; hour++) {
      await run(expiry.harness.services);
      laterBy(HOUR_MS);
    }
    expect(await areThere([sent])).toEqual([true]);
    laterBy(-366 * DAY_MS);
    await age([sent], 6);
    await run(expiry.harness.services);
    expect(await areThere([sent])).toEqual([true]);
    await age([sent], 8);
    // What the wrong clock had written holds nothing up for a year.
    for (let hour = 0; hour < 25; hour++) {
      await run(expiry.harness.services);
      laterBy(HOUR_MS);
    }
    expect(await areThere([sent])).toEqual([false]);
  });

  test("a server that was off for an evening goes on at once", async () => {
    const sent = await say("dev", expiry.channel);
    await run(expiry.harness.services);
    await age([sent], 8);
    laterBy(12 * HOUR_MS);
    await run(expiry.harness.services);
    expect(await areThere([sent])).toEqual([false]);
  });
});
