/**
 * A server in this process and the system's Chromium on the client that it serves. What a person at the
 * screen would call broken fails the test: an error in the console, a refused source, a failed call that
 * nobody asked for, something that moves by itself, or a page that a screen reader can't use.
 */
import type { Browser, BrowserContext, Page } from "playwright-core";
import { afterAll, beforeAll, expect } from "vitest";
import { type CastName, createHarness, type Harness } from "../../harness/harness.ts";
import { addSession } from "../../harness/sessions.ts";
import { findViolations } from "./accessibility.ts";
import { buildClient } from "./build.ts";
import { openChromium } from "./chromium.ts";

export interface ClientOptions {
  hash?: string;
  width?: number;
  height?: number;
  theme?: "light" | "dark";
  language?: string;
  /** The language of the browser, with which the address names none. */
  locale?: string;
  /** Whether the page may install its worker, which then stands between the page and the test. */
  hasWorker?: boolean;
  /** A person who has not signed in sees the client, if the organization lets such people read. */
  isSignedOut?: boolean;
  /** A phone's browser, which has fingers and no pointer. */
  isTouch?: boolean;
  /** Whether the test waits by itself for what it needs. */
  isUnsettled?: boolean;
  /** Runs in the page before its own programs. */
  before?(page: Page): Promise<unknown>;
  /** What the browser allows without a question. */
  permissions?: readonly string[];
}

/** An open client. `finish` checks what it noticed. */
export interface Client {
  page: Page;
  context: BrowserContext;
  /** Resolves when nothing is on its way and the last change is painted. */
  settled(): Promise<void>;
  /** Problems that the test causes on purpose. */
  expectProblems(pattern: RegExp): void;
  checkAccessibility(): Promise<void>;
  finish(): Promise<void>;
}

export interface World {
  harness: Harness;
  url: string;
  open(name: CastName, options?: ClientOptions): Promise<Client>;
}

/** Starts the server and the browser before the tests of a file, and ends them after. */
export function useBrowser(): { readonly world: World } {
  let world: World;
  beforeAll(async () => {
    buildClient();
    const harness = await createHarness();
    const url = await harness.app.listen({ host: "127.0.0.1", port: 0 });
    const browser = await openChromium();
    world = { harness, url, open: (name, options) => openClient(browser, harness, url, name, options) };
  }, 300_000);
  afterAll(async () => {
    await world?.harness.close();
  });
  return {
    get world() {
      return world;
    },
  };
}

/** Refuses the next call to the path, which may hold `*`, in the server's place. */
export async function refuseNext(client: Client, path: string): Promise<void> {
  const json = { result: "error", msg: "Not now", code: "BAD_REQUEST" };
  await client.page.route(`**/api/v1${path}`, (route) => route.fulfill({ status: 400, json }), { times: 1 });
  client.expectProblems(/400 \(Bad Request\)/);
}

async function openClient(
  browser: Browser,
  harness: Harness,
  url: string,
  name: CastName,
  {
    hash = "",
    width = 1280,
    height = 800,
    theme = "light",
    language = "en",
    locale,
    ...allowed
  }: ClientOptions = {},
): Promise<Client> {
  const context = await browser.newContext({
    viewport: { width, height },
    colorScheme: theme,
    locale: locale ?? "en-GB",
    timezoneId: "UTC",
    reducedMotion: "reduce",
    ...(allowed.isTouch ? { hasTouch: true, isMobile: true } : {}),
    serviceWorkers: allowed.hasWorker ? "allow" : "block",
    permissions: [...(allowed.permissions ?? [])],
  });
  if (!allowed.isSignedOut) {
    const { cookie } = await addSession(harness, name);
    const cookieName = cookie.slice(0, cookie.indexOf("="));
    const value = cookie.slice(cookieName.length + 1);
    await context.addCookies([{ name: cookieName, value, url, httpOnly: true, sameSite: "Lax" }]);
  }
  await context.addInitScript(watchPage);
  const page = await context.newPage();
  page.setDefaultTimeout(20_000);
  await allowed.before?.(page);
  const problems: string[] = [];
  const expected: RegExp[] = [];
  page.on("console", (message) => {
    if (message.type() === "error") problems.push(`console: ${message.text()}`);
  });
  page.on("pageerror", (error) => problems.push(`error: ${error.message}`));
  page.on("response", (response) => {
    if (response.status() >= 500) problems.push(`${response.status()}: ${response.url()}`);
  });
  await page.goto(`${url}/${locale === undefined ? `?language=${language}` : ""}${hash}`);
  const client: Client = {
    page,
    context,
    async settled() {
      try {
        await settled(page);
      } catch (error) {
        const screen = await page.locator("body").ariaSnapshot();
        throw new Error([`not settled at ${page.url()}`, ...problems, screen].join("\n"), { cause: error });
      }
    },
    expectProblems: (pattern) => void expected.push(pattern),
    async checkAccessibility() {
      expect(await findViolations(page)).toEqual([]);
    },
    async finish() {
      await client.settled();
      await client.checkAccessibility();
      const moved = await page.evaluate(() => (window as unknown as { moved: string[] }).moved);
      const unexpected = [...problems, ...moved].filter((one) => !expected.some((each) => each.test(one)));
      expect(unexpected).toEqual([]);
      await context.close();
    },
  };
  if (!allowed.isUnsettled) await client.settled();
  return client;
}

async function settled(page: Page): Promise<void> {
  await page.waitForFunction(() => {
    const isBusy = (selector: string) =>
      [...document.querySelectorAll(selector)].some(
        (element) => element.getAttribute("aria-busy") !== "false",
      );
    return document.querySelector(".app") !== null && !isBusy("[aria-busy]");
  });
  await page.evaluate(
    () => new Promise<void>((resolve) => requestAnimationFrame(() => requestAnimationFrame(() => resolve()))),
  );
}

/** Runs in the page before its own programs. */
function watchPage(): void {
  const moved: string[] = [];
  Object.assign(window, { moved });
  addEventListener("securitypolicyviolation", (event) => {
    moved.push(`policy: ${event.violatedDirective} ${event.blockedURI} ${event.sample}`);
  });
  addEventListener("unhandledrejection", (event) => moved.push(`rejection: ${String(event.reason)}`));
  interface Shift extends PerformanceEntry {
    value: number;
    hadRecentInput: boolean;
    sources: { node?: Node; previousRect: DOMRectReadOnly; currentRect: DOMRectReadOnly }[];
  }
  // Browsers leave out what moves within 500 ms of a press. On a machine that runs two of them at once beside
  // two servers, the answer to a press takes longer.
  const answerMs = 2000;
  let pressedAt = -Infinity;
  // Who changes the address, or goes back, has pressed something too, which the page does not hear.
  for (const type of ["keydown", "pointerdown", "hashchange"]) {
    const note = ({ timeStamp }: Event) => {
      pressedAt = timeStamp;
    };
    addEventListener(type, note, { capture: true, passive: true });
  }
  const observer = new PerformanceObserver((list) => {
    for (const entry of list.getEntries() as Shift[]) {
      const sincePress = entry.startTime - pressedAt;
      if (entry.hadRecentInput || (sincePress >= 0 && sincePress < answerMs)) continue;
      const what = entry.sources.map(({ node, previousRect, currentRect }) => {
        const element = node instanceof Element ? node : node?.parentElement;
        return `${element?.tagName}.${element?.className} ${previousRect.y} → ${currentRect.y}`;
      });
      // A number that gets another digit moves by a few pixels, and nothing else does.
      if (entry.value < 0.00005) continue;
      moved.push(`shift: ${entry.value.toFixed(4)} ${what.join("; ")}`);
    }
  });
  observer.observe({ type: "layout-shift", buffered: true });
}
