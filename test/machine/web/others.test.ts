import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { eventNameOf } from "../../../api/event.ts";
import { events } from "../../../api/index.ts";
import { registerParameters } from "../../../client/live-state.ts";
import { topicNarrow } from "../../../client/narrow.ts";
import { hashOfNarrow } from "../../../client/narrow-hash.ts";
import { expectSuccess } from "../../harness/answers.ts";
import { useBrowser } from "./browser.ts";
import { act, causes, notCaused, prepareScene, type Scene } from "./causes.ts";

const browser = useBrowser();

interface Region {
  hash: string;
  /** What the person does there. */
  go(page: Page): Promise<unknown>;
}

function regionsOf({ channelId }: Scene): Record<string, Region> {
  const ropes = hashOfNarrow({ narrow: topicNarrow(channelId, "ropes") });
  const list = (page: Page) => page.getByRole("navigation", { name: "Views and channels" });
  return {
    "a row of the inbox": {
      hash: "#inbox",
      async go(page) {
        await page.keyboard.press("j");
        await page.keyboard.press("j");
      },
    },
    "a row of recent conversations": {
      hash: "#recent",
      go: (page) => page.getByRole("main").getByRole("link").nth(3).focus(),
    },
    "a reaction below a message": {
      hash: ropes,
      go: (page) => page.getByRole("feed").getByRole("button", { name: /heart/ }).focus(),
    },
    "a message": { hash: ropes, go: (page) => page.getByRole("article").nth(2).focus() },
    "selected words": {
      hash: ropes,
      go: (page) => page.getByText("Knot 30", { exact: true }).dblclick(),
    },
    "the actions of the conversation": {
      hash: ropes,
      go: (page) => page.getByRole("button", { name: "Actions for this place" }).focus(),
    },
    "the message box": {
      hash: ropes,
      go: (page) => page.getByRole("textbox", { name: /Message to/ }).fill("Half a sentence"),
    },
    "a channel of the list": {
      hash: ropes,
      go: (page) =>
        list(page)
          .getByRole("link", { name: /elsewhere/ })
          .focus(),
    },
    "a direct conversation of the list": {
      hash: "#inbox",
      go: (page) => list(page).getByRole("link", { name: /Elin/ }).focus(),
    },
    "a person of the panel": {
      hash: ropes,
      async go(page) {
        await page.keyboard.press("w");
        await page
          .getByRole("complementary")
          .getByRole("button", { name: /Dev Rao/ })
          .focus();
      },
    },
    "a draft": { hash: "#drafts", go: (page) => page.getByRole("main").getByRole("link").first().focus() },
    "a message for later": {
      hash: "#scheduled",
      go: (page) =>
        page
          .getByRole("main")
          .getByRole("button", { name: /Delete/ })
          .first()
          .focus(),
    },
    "one's own name": {
      hash: "#settings/profile",
      go: (page) => page.getByRole("textbox", { name: "Name" }).fill("Benjamin Ito"),
    },
    "a field of the organization": {
      hash: "#organization/profile",
      go: (page) => page.getByRole("main").getByRole("textbox").first().fill("Harbour of all"),
    },
    "an invitation": {
      hash: "#organization/invitations",
      go: (page) =>
        page
          .getByRole("main")
          .getByRole("button", { name: /Revoke/ })
          .first()
          .focus(),
    },
  };
}

interface Stood {
  element: HTMLInputElement | null;
  value: string | undefined;
  selected: string;
  scroller: Element | undefined;
  scrollTop: number;
}

/** Notes where the person is, what is selected and typed, and how far it is scrolled, with the elements. */
function stand(page: Page): Promise<void> {
  return page.evaluate(() => {
    const element = document.activeElement as HTMLInputElement;
    const scrolls = ".feed, .inbox, .people-list, .settings-section, .sidebar";
    const scroller = element.closest(scrolls) ?? undefined;
    // A feed at its end follows what is written there.
    const isAtEnd = scroller && scroller.scrollHeight - scroller.scrollTop - scroller.clientHeight < 2;
    const stood: Stood = {
      ...{ element, value: element.value, selected: String(getSelection()) },
      ...{ scroller: isAtEnd ? undefined : scroller, scrollTop: scroller?.scrollTop ?? 0 },
    };
    Object.assign(window, { stood });
  });
}

/** What is not as it was. The person then goes back to where they were. */
function whatChanged(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const { element, value, selected, scroller, scrollTop } = (window as unknown as { stood: Stood }).stood;
    const now = document.activeElement;
    const changed: string[] = [];
    if (now !== element) changed.push(`the focus is on ${now?.tagName}.${now?.className}`);
    if (!element?.isConnected) changed.push(`${element?.textContent} is another element`);
    if (element?.value !== value) changed.push(`it says ${element?.value}`);
    if (String(getSelection()) !== selected) changed.push(`${getSelection()} is selected`);
    if (scroller && Math.abs(scroller.scrollTop - scrollTop) > 1)
      changed.push(`scrolled from ${scrollTop} to ${scroller.scrollTop}`);
    if (now !== element) element?.focus();
    return changed;
  });
}

test("what others do leaves the focus, the selection, the place and what is typed as they are", async () => {
  const { open, harness } = browser.world;
  const scene = await prepareScene(harness);
  const ben = harness.as("ben");
  const pages: Record<string, { page: Page; polled: number }> = {};
  for (const [name, { hash, go }] of Object.entries(regionsOf(scene))) {
    const client = await open("ben", { hash });
    const { page } = client;
    await go(page);
    await client.settled();
    await stand(page);
    pages[name] = { page, polled: -1 };
    page.on("request", (request) => {
      const id = new URL(request.url()).searchParams.get("last_event_id");
      if (id !== null && pages[name]) pages[name].polled = Number(id);
    });
  }
  const queue = await ben.post("/register", registerParameters);
  let last = queue.body.last_event_id as number;
  const heard = new Set<string>();
  const problems: string[] = [];
  for (const cause of Object.keys(causes)) {
    await act(scene, cause);
    const poll = { queue_id: queue.body.queue_id, last_event_id: last, dont_block: true };
    const answer = await expectSuccess(ben.get("/events", poll));
    const came: { id: number; type: string; op?: string }[] = answer.events;
    for (const event of came) heard.add(eventNameOf(event));
    const newest = came.at(-1)?.id ?? last;
    for (const [region, one] of Object.entries(pages)) {
      if (newest > last) await expect.poll(() => one.polled).toBeGreaterThanOrEqual(newest);
      await one.page.evaluate(
        () => new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve))),
      );
      problems.push(...(await whatChanged(one.page)).map((what) => `${cause}, ${region}: ${what}`));
    }
    last = newest;
  }
  expect(problems).toEqual([]);
  // The acts cause every kind of event that a page hears.
  const declared = new Set(events.map(eventNameOf));
  expect([...declared].filter((name) => !heard.has(name) && !notCaused.includes(name))).toEqual([]);
  for (const { page } of Object.values(pages)) await page.context().close();
}, 240_000);
