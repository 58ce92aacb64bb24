/**
 * Somebody who does anything at all, in two tabs, while others are busy and the network comes and goes. The
 * seed is printed, and PARLEY_SEED repeats it. PARLEY_MONKEY_MINUTES says how long.
 */
import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { useBrowser } from "../browser.ts";
import { findFrozen, findLost, findSentTwice, findStale, findStuck } from "./checks.ts";
import { Dice } from "./dice.ts";
import { Network, type Weather } from "./network.ts";
import { buildTown, deeds } from "./others.ts";
import { acts, type Seat, type Written } from "./person.ts";

const browser = useBrowser();
const seed = Number(process.env.PARLEY_SEED ?? Date.now() % 1_000_000);
const minutes = Number(process.env.PARLEY_MONKEY_MINUTES ?? 8);
/** Between two looks at everything. */
const STEPS = 80;
const SHOWN_STEPS = 60;
/** What a browser says of calls that failed, which the walk does on purpose. */
const EXPECTED =
  /Failed to load resource|net::ERR_|dynamically imported module|Importing a module script failed/;

test(
  "whatever a person does, nothing is lost, sent twice, stuck, frozen or wrong",
  async () => {
    const { harness, open } = browser.world;
    console.log(`PARLEY_SEED=${seed} PARLEY_MONKEY_MINUTES=${minutes}`);
    const dice = new Dice(seed);
    const town = await buildTown(harness);
    const client = await open("dev", { hash: "#inbox" });
    const { context } = client;
    const problems: string[] = [];
    const steps: string[] = [];
    const network = new Network(context, new Dice(seed + 1));
    await network.watch();
    const other = await context.newPage();
    await other.goto(`${browser.world.url}/?language=en#feed`);
    const pages = [client.page, other];
    for (const page of pages) watch(page, problems);
    const written: Written[] = [];
    const stuck = new Map<Page, Map<string, number>>(pages.map((page) => [page, new Map()]));

    async function step(): Promise<void> {
      const at = dice.upTo(pages.length);
      const page = pages[at] as Page;
      const seat: Seat = { page, dice, town, written };
      if (dice.chance(30)) {
        const [name, run] = dice.weighted(deeds);
        steps.push(`somebody ${name}`);
        await run(town, dice);
      } else if (dice.chance(8)) steps.push(await disturb());
      else steps.push(`tab ${at} ${await dice.weighted(acts)(seat).catch(reasonOf)}`);
      for (const each of pages) {
        problems.push(...(await findFrozen(each)).map((one) => `tab ${pages.indexOf(each)}: ${one}`));
        if (problems.length > 0) return;
        const since = stuck.get(each) ?? new Map<string, number>();
        problems.push(...(await findStuck(each, since, network.fairMs).catch(() => [])));
      }
    }

    async function disturb(): Promise<string> {
      const what = dice.pick(["weather", "weather", "queue", "offline"] as const);
      if (what === "weather") {
        const weather = dice.pick<Weather>(["fair", "slow", "held", "failing"]);
        network.change(weather);
        return `the network is ${weather}`;
      }
      if (what === "queue") {
        for (const queue_id of network.queues.values())
          await harness.as("dev").delete("/events", { queue_id });
        return "the queues of events are lost";
      }
      await network.turn(!network.isOnline);
      return network.isOnline ? "the network is back" : "the network is gone";
    }

    /** Everything gets through, and after a moment everything must be right. */
    async function rest(): Promise<void> {
      network.change("fair");
      await network.turn(true);
      steps.push("rests");
      for (const page of pages) {
        await page.waitForFunction(() => document.querySelector(".app") !== null);
        problems.push(
          ...(await findStale(browser.world, page)).map((one) => `tab ${pages.indexOf(page)}: ${one}`),
        );
      }
      problems.push(...(await findLost(harness, pages, written)), ...(await findSentTwice(harness, written)));
    }

    try {
      const end = Date.now() + minutes * 60_000;
      while (Date.now() < end && problems.length === 0) {
        for (let count = 0; count < STEPS && problems.length === 0 && Date.now() < end; count++) await step();
        if (problems.length === 0) await rest();
      }
      const first = Math.max(0, steps.length - SHOWN_STEPS);
      const story = steps.slice(first).map((one, at) => `${first + at + 1}: ${one}`);
      expect(problems, `PARLEY_SEED=${seed}\n${story.join("\n")}`).toEqual([]);
    } finally {
      // A frozen page would keep a processor busy.
      await context.close();
    }
  },
  minutes * 60_000 + 180_000,
);

/** What is wrong in the page by itself. */
function watch(page: Page, problems: string[]): void {
  page.on("console", (message) => {
    if (message.type() === "error" && !EXPECTED.test(message.text()))
      problems.push(`console: ${message.text()}`);
  });
  page.on("pageerror", (error) => {
    if (!EXPECTED.test(error.message)) problems.push(`error: ${error.stack ?? error.message}`);
  });
  page.on("crash", () => problems.push("a page has crashed"));
  page.on("dialog", (dialog) => void dialog.accept().catch(() => undefined));
}

/** An element that is gone before it is reached is no problem. */
function reasonOf(error: unknown): string {
  return `can't: ${String(error instanceof Error ? error.message : error).split("\n")[0]}`;
}
