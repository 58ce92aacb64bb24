/** What a person does at the screen: keys, presses, texts, ways through the program. */
import type { Page } from "playwright-core";
import { topicNarrow } from "../../../../client/narrow.ts";
import { hashOfNarrow } from "../../../../client/narrow-hash.ts";
import type { Dice } from "./dice.ts";
import type { Town } from "./others.ts";

/** A text that the person has written, found again by a word that nothing else has. */
export interface Written {
  word: string;
  isEdit: boolean;
}

export interface Seat {
  page: Page;
  dice: Dice;
  town: Town;
  written: Written[];
}

const KEYS = [
  ..."jknptadyrcxswgvi?+>@*/",
  ...[
    "Escape",
    "Escape",
    "Tab",
    "Shift+Tab",
    "ArrowDown",
    "ArrowUp",
    "ArrowRight",
    "End",
    "Home",
    "PageUp",
    "PageDown",
  ],
  ...["F6", "Enter", "Shift+I", "Shift+A", "Shift+D", "Shift+M", "Control+k", "Space"],
];
const SIZES = [
  { width: 1280, height: 800 },
  { width: 800, height: 700 },
  { width: 390, height: 844 },
];
const VIEWS = [
  ...["#inbox", "#feed", "#recent", "#drafts", "#narrow/is/starred", "#narrow/is/mentioned", "#narrow/is/dm"],
  ...[
    "#narrow/search/bread",
    "#settings",
    "#settings/profile",
    "#channels/all",
    "#organization",
    "#scheduled",
  ],
];
/** What ends the walk, or throws texts away because the person says so. */
const NEVER =
  /delete|sign out|log out|deactivate|leave|unsubscribe|end session|reset|discard|cancel|report|remove|revoke|reload|archive|upload|file|mute|password|api key|language|sprache|export|download/i;
const PRESSED = "button, a[href^='#'], [role=menuitem], [role=option], summary";
const BOX = "main form.box textarea";
const EDIT = ".edit-box textarea";

type Act = (seat: Seat) => Promise<string>;

let words = 0;
const newWord = () => `zq${(++words).toString(36)}${Date.now().toString(36).slice(-4)}w`;

async function write(seat: Seat, selector: string, isEdit: boolean): Promise<string> {
  const field = seat.page.locator(selector).first();
  if (!(await field.isVisible())) return "finds nothing to write in";
  const word = newWord();
  await field.focus({ timeout: 2000 });
  await seat.page.keyboard.press("Control+End");
  await seat.page.keyboard.type(` ${word} `);
  // A field that has lost the focus meanwhile has not got the text.
  if (!(await field.inputValue({ timeout: 2000 })).includes(word))
    return `begins to write ${word}, and is interrupted`;
  seat.written.push({ word, isEdit });
  return `writes ${word}`;
}

function placeHash({ dice, town }: Seat): string {
  const { id, topics } = dice.pick(town.channels);
  const narrow = dice.chance(20)
    ? topicNarrow(id, dice.pick(topics)).slice(0, 1)
    : topicNarrow(id, dice.pick(topics));
  return hashOfNarrow({ narrow, near: dice.chance(25) ? dice.pick(town.sent) : undefined });
}

async function goTo({ page }: Seat, hash: string): Promise<string> {
  await page.evaluate((to) => {
    location.hash = to;
  }, hash);
  return `goes to ${hash}`;
}

export const acts: readonly (readonly [weight: number, act: Act])[] = [
  [
    14,
    async ({ page, dice, written }) => {
      const key = dice.pick(KEYS);
      if (key === "Escape") forgetEdits(written);
      await page.keyboard.press(key);
      return `presses the key ${key}`;
    },
  ],
  [
    10,
    async ({ page, dice }) => {
      const all = await page.locator(PRESSED).evaluateAll((elements) =>
        elements.flatMap((one, at) => {
          const isThere = one.checkVisibility() && !(one as HTMLButtonElement).disabled;
          const name = one.getAttribute("aria-label") ?? one.textContent ?? "";
          return isThere ? [{ at, name: name.trim().slice(0, 60) }] : [];
        }),
      );
      const allowed = all.filter(({ name }) => !NEVER.test(name));
      if (allowed.length === 0) return "finds nothing to press";
      const { at, name } = dice.pick(allowed);
      await page
        .locator(PRESSED)
        .nth(at)
        .click({ timeout: 1000 })
        .catch(() => undefined);
      return `presses "${name}"`;
    },
  ],
  [12, (seat) => write(seat, BOX, false)],
  [
    8,
    async ({ page }) => {
      const field = page.locator(BOX).first();
      if (!(await field.isVisible())) return "has nothing to send";
      await field.focus({ timeout: 2000 });
      await page.keyboard.press("Control+Enter");
      return "sends";
    },
  ],
  [
    3,
    async (seat) => {
      const { page } = seat;
      if (!(await page.locator(EDIT).first().isVisible())) {
        await page.keyboard.press("Escape");
        forgetEdits(seat.written);
        await page.keyboard.press("ArrowLeft");
      }
      return write(seat, EDIT, true);
    },
  ],
  [
    3,
    async ({ page }) => {
      const field = page.locator(EDIT).first();
      if (!(await field.isVisible())) return "edits nothing";
      await field.focus({ timeout: 2000 });
      await page.keyboard.press("Control+Enter");
      return "saves an edit";
    },
  ],
  [10, (seat) => goTo(seat, placeHash(seat))],
  [6, (seat) => goTo(seat, seat.dice.pick(VIEWS))],
  [
    4,
    async ({ page, dice }) => {
      const isBack = dice.chance(60);
      await page.evaluate((back) => (back ? history.back() : history.forward()), isBack);
      return isBack ? "goes back" : "goes forward";
    },
  ],
  [
    3,
    async ({ page, dice }) => {
      await page.keyboard.press("Control+k");
      await page.keyboard.type(dice.pick(["bread", "quay", "elin", "inb", "boats"]));
      await page.keyboard.press("Enter");
      return "uses the switcher";
    },
  ],
  [
    3,
    async ({ page, dice }) => {
      const size = dice.pick(SIZES);
      await page.setViewportSize(size);
      return `has a window of ${size.width} × ${size.height}`;
    },
  ],
  [
    6,
    async ({ page, dice }) => {
      await page.mouse.move(dice.between(300, 380), dice.between(150, 600));
      await page.mouse.wheel(0, dice.pick([-4000, -600, 600, 4000]));
      return "turns the wheel";
    },
  ],
  [
    1,
    async ({ page, written }) => {
      // The browser's own page for a missing network is no page of the client.
      if (!(await page.evaluate(() => navigator.onLine))) return "has no network to load the page again";
      forgetEdits(written);
      await page.reload({ waitUntil: "domcontentloaded" });
      return "loads the page again";
    },
  ],
];

/** An edit that is given up is meant to be. */
function forgetEdits(written: Written[]): void {
  for (let at = written.length - 1; at >= 0; at--) if (written[at]?.isEdit) written.splice(at, 1);
}
