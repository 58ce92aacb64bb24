/** The system's Chromium, which all files of a worker share: tests open contexts, and close those alone. */
import { type Browser, chromium } from "playwright-core";

const FLAGS = [
  ...["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run"],
  ...["--disable-background-networking", "--disable-component-update", "--disable-sync"],
];

let browser: Promise<Browser> | undefined;

/** Starts it at the first call. It ends with the process. */
export function openChromium(): Promise<Browser> {
  browser ??= chromium.launch({ executablePath: "/usr/bin/chromium", args: FLAGS });
  return browser;
}
