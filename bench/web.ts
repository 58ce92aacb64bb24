/**
 * The web client in a real browser: its sizes, its start, the switch of conversations, a send, and typing
 * among ten thousand people. The demo's server runs in a process of its own. Times are of this machine, with
 * software rendering. What an empty page needs in the same browser says how busy the machine is, so each time
 * is a multiple of that too. A quick run fails if a multiple is far beyond what was ever measured.
 */
import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { type Browser, type BrowserContext, chromium, type Page } from "playwright-core";
import { isQuick, size } from "./harness/options.ts";
import { printGoal, printTable, save } from "./harness/report.ts";
import { scenario } from "./harness/scenario.ts";
import { readSizes } from "./harness/web-sizes.ts";

type StorageState = Awaited<ReturnType<BrowserContext["storageState"]>>;

const KB = 1024;
const MESSAGES = size(10_000, 200);
const STARTS = size(10, 3);
const SWITCHES = size(40, 10);
const SENDS = size(40, 10);
const PEOPLE = 10_000;
/**
 * How many times as long as an empty page each may take, at the most. Three to six times what a quiet
 * machine needed.
 */
const GROSS = { start: 25, warm: 25, switch: 4, send: 4, key: 1 };
/** How long a browser is busy with a window that it has just opened. */
const SETTLE_MS = 1000;
const FLAGS = ["--no-sandbox", "--disable-gpu", "--enable-precise-memory-info", "--js-flags=--expose-gc"];

const names = ["Anna", "Bo", "Carla", "Dmitri", "Elif", "Mina", "Mikael", "Nora", "Oskar", "Zoé"];

await scenario(async () => {
  const dataDir = mkdtempSync(path.join(tmpdir(), "parley-bench-web-"));
  const server = await startDemo(dataDir);
  const browser = await chromium.launch({ executablePath: "/usr/bin/chromium", args: FLAGS });
  try {
    await measure(browser, server.url);
  } finally {
    await browser.close();
    await server.stop();
    rmSync(dataDir, { recursive: true, force: true });
  }
});

async function measure(browser: Browser, url: string): Promise<void> {
  const sizes = readSizes(path.join(process.cwd(), "dist/web"));
  printGoal("JavaScript of the first screen, KB of gzip", sizes.firstScript / KB, { most: 90 });
  printGoal("all JavaScript, KB of gzip", sizes.allScript / KB, { most: 400 });
  printGoal("CSS, KB of gzip", sizes.css / KB, { most: 25 });
  printGoal("HTML, KB of gzip", sizes.html / KB, { most: 6 });

  const page = await signIn(browser, url);
  const session = await page.context().storageState();
  const empty = await timeEmptyPages(browser, url);
  const starts: number[] = [];
  const warmStarts: number[] = [];
  for (let count = 0; count < STARTS; count++) {
    const context = await browser.newContext({ storageState: session, serviceWorkers: "block" });
    starts.push(await timeStart(context, url));
    await saveState(context);
    warmStarts.push(await timeStart(context, url));
    await context.close();
  }
  const keys = await timeKeys(browser, url, session);

  await page.goto(`${url}/#feed`);
  await page.waitForSelector("[role=feed] article");
  await page.evaluate(send, { count: MESSAGES });
  const links = await topics(page);
  await page.evaluate(visit, links);
  const switches = await page.evaluate(timeSwitches, { links, count: SWITCHES });
  const sends = await timeSends(page, SENDS);
  const heap = await heapAfterReading(page);

  const typing = `a key in a text, with ${PEOPLE} people`;
  const figures: Figure[] = [
    { what: "cold start to messages", times: starts, share: 0.5, budget: 400, gross: GROSS.start },
    { what: "start from the saved state", times: warmStarts, share: 0.5, budget: 200, gross: GROSS.warm },
    { what: "switch to a known conversation", times: switches, share: 0.95, budget: 50, gross: GROSS.switch },
    { what: "key to paint of a send", times: sends, share: 0.95, budget: 33, gross: GROSS.send },
    { what: typing, times: keys, share: 0.95, budget: 16, gross: GROSS.key },
  ];
  printFigures(figures, empty);
  printGoal(`heap with ${MESSAGES} messages, MB`, heap, { most: 40 });
  save("web", { sizes, empty, starts, warmStarts, switches, sends, keys, heap });
  refuseGross(figures, at(empty, 0.5));
}

interface Figure {
  what: string;
  times: readonly number[];
  /** Which of the times has the budget: 0.5 is the median. */
  share: number;
  budget: number;
  gross: number;
}

/** Other programs slow the empty page down just as much, so it is beside each figure. */
function printFigures(figures: readonly Figure[], empty: readonly number[]): void {
  const emptyMs = at(empty, 0.5);
  printTable(
    "Milliseconds",
    figures.map(({ what, times, share, budget }) => ({
      what,
      median: at(times, 0.5),
      p95: at(times, 0.95),
      most: Math.max(...times),
      budget: `${budget} (${share === 0.5 ? "median" : "p95"})`,
      "": at(times, share) <= budget ? "reached" : "not reached",
      "an empty page": emptyMs,
      "median in empty pages": at(times, 0.5) / emptyMs,
    })),
  );
}

/** Only a quick run fails: it is for every change. */
function refuseGross(figures: readonly Figure[], emptyMs: number): void {
  const gross = figures.filter((figure) => at(figure.times, 0.5) / emptyMs > figure.gross);
  if (isQuick && gross.length > 0)
    throw new Error(`far too slow: ${gross.map(({ what }) => what).join(", ")}`);
}

/** In a tab that is open, from the address until the first message is painted. The page itself measures. */
async function timeStart(context: BrowserContext, url: string): Promise<number> {
  const page = await context.newPage();
  await page.waitForTimeout(SETTLE_MS);
  await page.addInitScript(reportPaint, "[role=feed] article .content");
  const ms = await timePaint(page, `${url}/#feed`);
  await page.waitForSelector(".app[aria-busy=false]");
  return ms;
}

/** A line of text, which the server has at once. */
async function timeEmptyPages(browser: Browser, url: string): Promise<number[]> {
  const page = await browser.newPage();
  await page.waitForTimeout(SETTLE_MS);
  await page.addInitScript(reportPaint, "body");
  const times = await repeat(STARTS, () => timePaint(page, `${url}/health`));
  await page.close();
  return times;
}

/** Playwright's own look at the page would take 20 ms of it, so a line in the console tells. */
async function timePaint(page: Page, address: string): Promise<number> {
  const painted = page.waitForEvent("console", (line) => line.text().startsWith("painted after "));
  await page.goto(address, { waitUntil: "commit" });
  return Number((await painted).text().replace("painted after ", ""));
}

function reportPaint(selector: string): void {
  const observer = new MutationObserver(() => {
    if (!document.querySelector(selector)) return;
    observer.disconnect();
    requestAnimationFrame(() => {
      const channel = new MessageChannel();
      channel.port1.onmessage = () => console.log(`painted after ${performance.now()}`);
      channel.port2.postMessage(undefined);
    });
  });
  observer.observe(document, { childList: true, subtree: true });
}

/** What the page does when another tab comes in front of it. */
async function saveState(context: BrowserContext): Promise<void> {
  const page = context.pages()[0] as Page;
  await page.evaluate(() => {
    Object.defineProperty(document, "visibilityState", { value: "hidden" });
    dispatchEvent(new Event("visibilitychange"));
  });
  await page.waitForFunction(() => localStorage.getItem("parley.saved") !== null);
  await page.close();
}

/** The work of the page for each key of a name that is completed, layout included. */
async function timeKeys(browser: Browser, url: string, session: StorageState): Promise<number[]> {
  const context = await browser.newContext({ storageState: session, serviceWorkers: "block" });
  const page = await context.newPage();
  await page.route(/\/register$/, async (route) => {
    const response = await route.fetch();
    const snapshot = (await response.json()) as { realm_users: object[] };
    const [first = {}] = snapshot.realm_users;
    const more = Array.from({ length: PEOPLE }, (_one, at) => ({
      ...first,
      user_id: 1_000_000 + at,
      full_name: `${names[at % names.length]} ${names[(at * 7) % names.length]} ${at}`,
    }));
    snapshot.realm_users.push(...more);
    await route.fulfill({ response, json: snapshot });
  });
  await page.goto(`${url}/#feed`);
  await page.locator("nav a", { hasText: "general" }).click();
  await page.waitForSelector("nav a.topic");
  await page.locator("nav a.topic").first().click();
  const field = page.locator(".compose textarea");
  await field.click();
  await page.evaluate(() => {
    const times: number[] = [];
    Object.assign(window, { times });
    let startedAt = 0;
    addEventListener("keydown", () => (startedAt = performance.now()), true);
    addEventListener("input", () => {
      if (document.body.offsetHeight > 0) times.push(performance.now() - startedAt);
    });
  });
  await page.keyboard.type("Hello @anna b and @mi, see this ", { delay: 60 });
  const times = await page.evaluate(() => (window as unknown as { times: number[] }).times);
  await context.close();
  // The first keys load the code that completes.
  return times.slice(2);
}

/** Once in the page: through the session, as the client itself sends. */
async function send({ count }: { count: number }): Promise<void> {
  const one = (at: number) =>
    fetch("/api/v1/messages", {
      method: "POST",
      headers: { "X-Parley-Client": "ParleyWeb" },
      body: new URLSearchParams({
        ...{ type: "channel", to: "general", topic: `topic ${at % 5}` },
        content: `${at}. Some **text** with \`code\`, and a second\nline of words that people write.`,
      }),
    });
  for (let done = 0; done < count; done += 20) {
    await Promise.all(Array.from({ length: Math.min(20, count - done) }, (_one, each) => one(done + each)));
  }
}

async function topics(page: Page): Promise<string[]> {
  await page.locator("nav a", { hasText: "general" }).click();
  await page.waitForSelector("nav a.topic");
  return page
    .locator("nav a.topic")
    .evaluateAll((all) => all.map((element) => element.getAttribute("href") ?? "").slice(0, 4));
}

async function visit(links: string[]): Promise<void> {
  for (const link of links) {
    location.hash = link;
    await new Promise((resolve) => setTimeout(resolve, 700));
  }
}

/** From the change of the address to the frame after the first one with messages. */
async function timeSwitches({ links, count }: { links: string[]; count: number }): Promise<number[]> {
  const frame = () => new Promise((resolve) => requestAnimationFrame(resolve));
  const times: number[] = [];
  for (let each = 0; each < count; each++) {
    const before = document.querySelector("[role=feed]");
    const startedAt = performance.now();
    location.hash = links[each % links.length] as string;
    do await frame();
    while (
      document.querySelector("[role=feed]") === before ||
      document.querySelector("[role=feed] article .content") === null
    );
    await new Promise((resolve) => setTimeout(resolve));
    times.push(performance.now() - startedAt);
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  return times;
}

async function timeSends(page: Page, count: number): Promise<number[]> {
  await page.evaluate(() => {
    const times: number[] = [];
    Object.assign(window, { times });
    addEventListener(
      "keydown",
      (event) => {
        if (event.key !== "Enter" || !event.ctrlKey) return;
        const text = document.querySelector("textarea")?.value ?? "";
        const startedAt = performance.now();
        const look = () => {
          const rows = [...document.querySelectorAll("[role=feed] article .content")];
          if (!rows.some((row) => row.textContent?.trim() === text)) return void requestAnimationFrame(look);
          const channel = new MessageChannel();
          channel.port1.onmessage = () => times.push(performance.now() - startedAt);
          channel.port2.postMessage(undefined);
        };
        requestAnimationFrame(look);
      },
      true,
    );
  });
  for (let each = 0; each < count; each++) {
    await page.locator("textarea").fill(`Sent number ${each} of the benchmark`);
    await page.keyboard.press("Control+Enter");
    await page.waitForTimeout(150);
  }
  return page.evaluate(() => (window as unknown as { times: number[] }).times);
}

/** After the whole history of the combined feed was scrolled through. */
async function heapAfterReading(page: Page): Promise<number> {
  await page.goto(`${page.url().split("#")[0]}#feed`);
  await page.waitForSelector("[role=feed] article");
  return page.evaluate(async () => {
    const feed = document.querySelector("[role=feed]") as HTMLElement;
    let last = -1;
    for (let still = 0; still < 15; ) {
      feed.scrollTop = 0;
      await new Promise((resolve) => setTimeout(resolve, 30));
      still = feed.scrollHeight === last ? still + 1 : 0;
      last = feed.scrollHeight;
    }
    (globalThis as unknown as { gc?: () => void }).gc?.();
    return (performance as unknown as { memory: { usedJSHeapSize: number } }).memory.usedJSHeapSize / 2 ** 20;
  });
}

async function signIn(browser: Browser, url: string): Promise<Page> {
  const page = await browser.newPage({ viewport: { width: 1280, height: 800 } });
  await page.goto(`${url}/login`);
  await page.locator("input").nth(0).fill("dev@demo.test");
  await page.locator("input[type=password]").fill("demo-password");
  await page.getByRole("button", { name: "Sign in", exact: true }).click();
  await page.waitForSelector("nav a");
  return page;
}

async function startDemo(dataDir: string): Promise<{ url: string; stop(): Promise<void> }> {
  const env = { ...process.env, PARLEY_DATA_DIR: dataDir, PARLEY_PORT: "0", PARLEY_RATE_LIMITS: "off" };
  const child = spawn(process.execPath, ["bin/parley.js", "demo"], {
    env,
    stdio: ["ignore", "pipe", "inherit"],
  });
  const ended = new Promise<void>((resolve) => child.once("exit", () => resolve()));
  const url = await new Promise<string>((resolve, reject) => {
    let text = "";
    child.stdout.on("data", (chunk) => {
      text += chunk;
      const found = /listening on (http\S+)/.exec(text)?.[1];
      if (found) resolve(found);
    });
    void ended.then(() => reject(new Error(`the server ended: ${text}`)));
  });
  return {
    url,
    async stop() {
      child.kill("SIGTERM");
      await ended;
    },
  };
}

async function repeat(count: number, run: () => Promise<number>): Promise<number[]> {
  const times: number[] = [];
  for (let each = 0; each < count; each++) times.push(await run());
  return times;
}

function at(times: readonly number[], share: number): number {
  const sorted = [...times].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
}
