/**
 * The web client in a real browser: its sizes, its start, the switch of conversations, and a send. The demo's
 * server runs in a process of its own. Times are of this machine, software rendering included. What an empty
 * page needs in the same browser stands beside them.
 */
import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { type Browser, chromium, type Page } from "playwright-core";
import { size } from "./harness/options.ts";
import { printGoal, printTable, save } from "./harness/report.ts";
import { scenario } from "./harness/scenario.ts";
import { readSizes } from "./harness/web-sizes.ts";

const KB = 1024;
const MESSAGES = size(10_000, 200);
const STARTS = size(10, 2);
const SWITCHES = size(40, 4);
const SENDS = size(40, 4);
const FLAGS = ["--no-sandbox", "--disable-gpu", "--enable-precise-memory-info", "--js-flags=--expose-gc"];

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
  printGoal("all JavaScript, KB of gzip", sizes.allScript / KB, { most: 350 });
  printGoal("CSS, KB of gzip", sizes.css / KB, { most: 25 });
  printGoal("HTML, KB of gzip", sizes.html / KB, { most: 6 });

  const page = await signIn(browser, url);
  const empty = await repeat(STARTS, () => timeOf(() => page.goto(`${url}/logo.svg`)));
  const starts: number[] = [];
  for (let count = 0; count < STARTS; count++) {
    const cold = await browser.newContext({ storageState: await page.context().storageState() });
    const one = await cold.newPage();
    starts.push(
      await timeOf(async () => {
        await one.goto(`${url}/#feed`, { waitUntil: "commit" });
        await one.waitForSelector("[role=feed] article .content");
      }),
    );
    await cold.close();
  }

  await page.goto(`${url}/#feed`);
  await page.waitForSelector("[role=feed] article");
  await page.evaluate(send, { count: MESSAGES });
  const links = await topics(page);
  await page.evaluate(visit, links);
  const switches = await page.evaluate(timeSwitches, { links, count: SWITCHES });
  const sends = await timeSends(page, SENDS);
  const heap = await heapAfterReading(page);

  printTable("Milliseconds", [
    row("an empty page, to compare", empty),
    row("cold start to messages", starts),
    row("switch to a known conversation", switches),
    row("key to paint of a send", sends),
  ]);
  printGoal("cold start to messages, median ms", at(starts, 0.5), { most: 400 });
  printGoal("switch to a known conversation, p95 ms", at(switches, 0.95), { most: 50 });
  printGoal("key to paint of a send, p95 ms", at(sends, 0.95), { most: 33 });
  printGoal(`heap with ${MESSAGES} messages, MB`, heap, { most: 40 });
  save("web", { sizes, empty, starts, switches, sends, heap });
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
    .evaluateAll((all) => all.map((one) => one.getAttribute("href") ?? "").slice(0, 4));
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
          if (!rows.some((one) => one.textContent?.trim() === text)) return void requestAnimationFrame(look);
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
  await page.getByRole("button").click();
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

async function timeOf(run: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now();
  await run();
  return performance.now() - startedAt;
}

function row(what: string, times: readonly number[]) {
  return { what, median: at(times, 0.5), p95: at(times, 0.95), most: Math.max(...times) };
}

function at(times: readonly number[], share: number): number {
  const sorted = [...times].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
}
