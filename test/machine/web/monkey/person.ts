/** What a person does at the screen: keys, presses, texts, ways through the program. */
import type { BrowserContext, Page } from "playwright-core";
import { topicNarrow } from "../../../../client/narrow.ts";
import { hashOfNarrow } from "../../../../client/narrow-hash.ts";
import type { Dice } from "./dice.ts";
import type { Town } from "./others.ts";
import { type Story, wordsIn } from "./story.ts";

/** A text that the person has written, found again by a word that nothing else has. */
export interface Written {
  word: string;
  isEdit: boolean;
}

export interface Seat {
  page: Page;
  dice: Dice;
  town: Town;
  story: Story;
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
const BOX = "main form.box:not(.edit-box) textarea";
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
  seat.story.note(word, `written by ${seat.story.nameOf(seat.page)} at ${new URL(seat.page.url()).hash}`);
  return `writes ${word}`;
}

/**
 * Nobody deletes a text by chance, so what would is not pressed: neither by the pointer, nor by a key on what
 * has the focus, nor in a menu. An edit that is given up is meant to be.
 */
export async function watchPerson(
  context: BrowserContext,
  { story, written }: Pick<Seat, "story" | "written">,
): Promise<void> {
  await context.exposeBinding("monkeyGivesUp", ({ page }, text: string) => {
    const words = wordsIn(text);
    for (const word of words) story.note(word, `${story.nameOf(page)} gives up its edit`);
    const isKept = ({ isEdit, word }: Written) => !isEdit || !words.has(word);
    written.splice(0, written.length, ...written.filter(isKept));
  });
  await context.addInitScript(
    ([never, pressed]) => {
      const forbidden = new RegExp(never, "i");
      const onClick = (event: Event) => {
        const control = event.target instanceof Element ? event.target.closest(`${pressed}, a`) : null;
        if (!control) return;
        const name = control.getAttribute("aria-label") ?? control.textContent ?? "";
        const to = control.getAttribute("href");
        if (name.trim() !== "" && !forbidden.test(name) && (to === null || to.startsWith("#"))) return;
        event.preventDefault();
        event.stopImmediatePropagation();
      };
      const onKey = (event: KeyboardEvent) => {
        const field = event.target;
        if (event.key === "Escape" && field instanceof HTMLTextAreaElement && field.closest(".edit-box"))
          (window as unknown as { monkeyGivesUp(text: string): void }).monkeyGivesUp(field.value);
      };
      addEventListener("click", onClick, { capture: true });
      addEventListener("keydown", onKey, { capture: true });
    },
    [NEVER.source, PRESSED] as const,
  );
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

export const acts: readonly (readonly [weight: number, act: readonly [name: string, run: Act]])[] = [
  [
    14,
    [
      "presses a key",
      async ({ page, dice }) => {
        const key = dice.pick(KEYS);
        await page.keyboard.press(key);
        return `presses the key ${key}`;
      },
    ],
  ],
  [
    10,
    [
      "presses something",
      async ({ page, dice }) => {
        const all = await page.locator(PRESSED).evaluateAll((elements) =>
          elements.flatMap((element, at) => {
            const isThere = element.checkVisibility() && !(element as HTMLButtonElement).disabled;
            const name = element.getAttribute("aria-label") ?? element.textContent ?? "";
            return isThere ? [{ at, name: name.trim().slice(0, 60) }] : [];
          }),
        );
        // What has no name yet may be anything.
        const allowed = all.filter(({ name }) => name !== "" && !NEVER.test(name));
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
  ],
  [12, ["writes", (seat) => write(seat, BOX, false)]],
  [
    8,
    [
      "sends",
      async ({ page }) => {
        const field = page.locator(BOX).first();
        if (!(await field.isVisible())) return "has nothing to send";
        await field.focus({ timeout: 2000 });
        await page.keyboard.press("Control+Enter");
        return "sends";
      },
    ],
  ],
  [
    3,
    [
      "edits",
      async (seat) => {
        const { page } = seat;
        if (!(await page.locator(EDIT).first().isVisible())) {
          await page.keyboard.press("Escape");
          await page.keyboard.press("ArrowLeft");
        }
        return write(seat, EDIT, true);
      },
    ],
  ],
  [
    3,
    [
      "saves an edit",
      async ({ page }) => {
        const field = page.locator(EDIT).first();
        if (!(await field.isVisible())) return "edits nothing";
        await field.focus({ timeout: 2000 });
        await page.keyboard.press("Control+Enter");
        return "saves an edit";
      },
    ],
  ],
  [10, ["goes to a place", (seat) => goTo(seat, placeHash(seat))]],
  [6, ["goes to a view", (seat) => goTo(seat, seat.dice.pick(VIEWS))]],
  [
    4,
    [
      "goes through the history",
      async ({ page, dice }) => {
        const isBack = dice.chance(60);
        // Beyond the client, there is the page that the browser began with.
        const isThere = await page.evaluate((back) => {
          const can = back ? navigation.canGoBack : navigation.canGoForward;
          if (can) history.go(back ? -1 : 1);
          return can;
        }, isBack);
        if (!isThere) return `has nowhere to go ${isBack ? "back" : "forward"} to`;
        return isBack ? "goes back" : "goes forward";
      },
    ],
  ],
  [
    3,
    [
      "uses the switcher",
      async ({ page, dice }) => {
        await page.keyboard.press("Control+k");
        await page.keyboard.type(dice.pick(["bread", "quay", "elin", "inb", "boats"]));
        await page.keyboard.press("Enter");
        return "uses the switcher";
      },
    ],
  ],
  [
    3,
    [
      "changes the window",
      async ({ page, dice }) => {
        const size = dice.pick(SIZES);
        await page.setViewportSize(size);
        return `has a window of ${size.width} × ${size.height}`;
      },
    ],
  ],
  [
    6,
    [
      "turns the wheel",
      async ({ page, dice }) => {
        await page.mouse.move(dice.between(300, 380), dice.between(150, 600));
        await page.mouse.wheel(0, dice.pick([-4000, -600, 600, 4000]));
        return "turns the wheel";
      },
    ],
  ],
  [
    1,
    [
      "loads the page again",
      async ({ page }) => {
        // The browser's own page for a missing network is no page of the client.
        if (!(await page.evaluate(() => navigator.onLine))) return "has no network to load the page again";
        await page.reload({ waitUntil: "domcontentloaded" });
        return "loads the page again";
      },
    ],
  ],
];
