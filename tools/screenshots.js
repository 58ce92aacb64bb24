// Writes pictures of the demo's main screens into docs/pictures/. The demo's morning is a fixed one, and so
// is the clock of the browser. So the pictures change only when what they show does. Needs Chromium, and a
// font with emoji.
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { chromium } from "playwright-core";
import sharp from "sharp";

const root = fileURLToPath(new URL("..", import.meta.url));
const folder = path.join(root, "docs", "pictures");
const NOW = Date.parse("2026-11-16T10:30:00Z");
/** For what comes after the first messages, such as small pictures. */
const SETTLE_MS = 1500;
const MAX_BYTES = 150 * 1024;

/** @typedef {{ name: string, hash: string, theme?: "light" | "dark", isPhone?: boolean }} Picture */

/** What shows unread messages comes first, since conversations that are opened are read. @type {Picture[]} */
const pictures = [
  { name: "inbox", hash: "#inbox" },
  { name: "phone", hash: "#inbox", isPhone: true },
  { name: "settings", hash: "#settings/preferences" },
  { name: "conversation", hash: "#narrow/channel/2-design/topic/tide.20curve" },
  { name: "dark", hash: "#narrow/channel/3-engineering/topic/release.202.2E4", theme: "dark" },
];

/** Where no font has emoji, the pictures are without them, since boxes in their place would look broken. */
const hasEmoji = spawnSync("fc-list", [":lang=und-zsye"], { encoding: "utf8" }).stdout?.trim() !== "";
if (!hasEmoji) console.warn("Warning: no font of this machine has emoji, so the pictures leave them out.");
const WITHOUT_EMOJI = ".emoji, .status-emoji, .reactions { display: none !important }";

const dataDir = mkdtempSync(path.join(tmpdir(), "parley-pictures-"));
try {
  await withDemo(takeAll);
} finally {
  rmSync(dataDir, { recursive: true, force: true });
}

/** @param {(url: string) => Promise<void>} work */
async function withDemo(work) {
  const { createServer, createLog, listen, startCore } = await built("app.js");
  const { readConfig } = await built("config.js");
  const { createDemo } = await built("website/demo/create-demo.js");
  const config = readConfig({ PARLEY_ENV: "development", PARLEY_DATA_DIR: dataDir, PARLEY_LOG: "error" });
  const core = await startCore(config, createLog(config));
  try {
    await createDemo(core.services, "localhost", { now: NOW });
    const app = await createServer(core.services);
    await listen(app, "127.0.0.1", 0);
    const { port } = app.server.address();
    await work(`http://localhost:${port}`);
    await app.close();
  } finally {
    await core.stop();
  }
}

/** A module of the built server, which the type checker does not read. @param {string} name */
function built(name) {
  return import(new URL(`../dist/server/${name}`, import.meta.url).href);
}

/** @param {string} url */
async function takeAll(url) {
  mkdirSync(folder, { recursive: true });
  const browser = await chromium.launch({ executablePath: "/usr/bin/chromium", args: ["--no-sandbox"] });
  try {
    for (const picture of pictures) {
      const bytes = await take(browser, url, picture);
      const file = path.join(folder, `${picture.name}.png`);
      if (bytes.length > MAX_BYTES)
        throw new Error(`${file} has ${bytes.length} bytes, more than ${MAX_BYTES}`);
      writeFileSync(file, bytes);
      console.log(`${path.relative(root, file)}  ${Math.round(bytes.length / 1024)} kB`);
    }
  } finally {
    await browser.close();
  }
}

/**
 * @param {import("playwright-core").Browser} browser
 * @param {string} url
 * @param {Picture} picture
 */
async function take(browser, url, { hash, theme = "light", isPhone = false }) {
  const context = await browser.newContext({
    viewport: isPhone ? { width: 390, height: 844 } : { width: 1280, height: 800 },
    colorScheme: theme,
    locale: "en-GB",
    timezoneId: "UTC",
    reducedMotion: "reduce",
    serviceWorkers: "block",
    // For the style that hides emoji.
    bypassCSP: true,
  });
  await context.clock.setFixedTime(NOW);
  const page = await context.newPage();
  await page.goto(`${url}/login`);
  await page.locator('input[type="email"]').fill("ada@demo.test");
  await page.locator('input[type="password"]').fill("demo-password");
  await page.getByRole("button", { name: "Sign in", exact: true }).click();
  await page.locator(".app").waitFor();
  await page.goto(`${url}/${hash}`);
  await page.reload();
  await page.waitForFunction(() => {
    const busy = [...document.querySelectorAll("[aria-busy]")];
    const images = [...document.images].filter((image) => image.loading !== "lazy");
    const isIdle = busy.every((element) => element.getAttribute("aria-busy") === "false");
    return document.querySelector(".app") !== null && isIdle && images.every(({ complete }) => complete);
  });
  if (!hasEmoji) await page.addStyleTag({ content: WITHOUT_EMOJI });
  await page.waitForTimeout(SETTLE_MS);
  const raw = await page.screenshot();
  await context.close();
  return sharp(raw).png({ palette: true, quality: 90, compressionLevel: 9, effort: 10 }).toBuffer();
}
