/** Fields with lists, as screen readers have them: what Chromium's accessibility tree says of each. */
import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { topicNarrow } from "../../../client/narrow.ts";
import { hashOfNarrow } from "../../../client/narrow-hash.ts";
import { type Client, useBrowser } from "./browser.ts";
import { say } from "./seed.ts";

const browser = useBrowser();

interface Listed {
  /** The role of the field. A text box has no expanded state. */
  role: "combobox" | "textbox";
  name: RegExp;
  list: string;
  /** A grid of options does not go on at its other end. */
  isGrid?: boolean;
  /** What was typed can always be searched for. */
  isNeverEmpty?: boolean;
  /** Gives a page on which the field has the focus, and the list is open. */
  open(): Promise<Client>;
}

const fields: Record<string, Listed> = {
  "the switcher": {
    ...{ role: "combobox", name: /^Channel, topic or person$/, list: "Places", isNeverEmpty: true },
    open: () => openBy(async (page) => page.keyboard.press("Control+k")),
  },
  "the picker of emoji": {
    ...{ role: "combobox", name: /^Search emoji$/, list: "Emoji", isGrid: true },
    open: openEmoji,
  },
  "people and groups with chips": {
    ...{ role: "combobox", name: /^Subscribers$/, list: "Subscribers" },
    async open() {
      const client = await browser.world.open("ada", { hash: "#channels/new" });
      await client.page.getByRole("combobox", { name: "Subscribers" }).click();
      return client;
    },
  },
  "the people of a direct message": {
    ...{ role: "combobox", name: /^Add a person$/, list: "Add a person" },
    open: () =>
      openBy(async (page) => {
        await page.keyboard.press("x");
        await page.getByRole("combobox", { name: "Add a person" }).waitFor();
        await page.keyboard.type("e");
      }),
  },
  "the text of a message": {
    ...{ role: "textbox", name: /^Message to /, list: "Completions" },
    open: () =>
      openBy(async (page) => {
        await page.getByRole("textbox", { name: /^Message to / }).focus();
        await page.keyboard.type("Hi @e");
      }),
  },
  searches: {
    ...{ role: "combobox", name: /^Search messages$/, list: "Suggestions", isNeverEmpty: true },
    open: () => openBy(async (page) => page.keyboard.press("/")),
  },
};

function openEmoji(): Promise<Client> {
  return openBy(async (page) => {
    await page.getByRole("feed").getByRole("article").first().focus();
    await page.keyboard.press(":");
  });
}

async function openBy(press: (page: Page) => Promise<unknown>): Promise<Client> {
  const { harness, open } = browser.world;
  const channel = await harness.channel(`lists ${Date.now()}`, ["dev", "elin"]);
  await say(harness, "elin", channel.id, "soup", "Shall we?");
  const client = await open("dev", { hash: hashOfNarrow({ narrow: topicNarrow(channel.id, "soup") }) });
  await press(client.page);
  return client;
}

interface Field {
  role: string;
  name: string;
  expanded: boolean | undefined;
  /** What a screen reader reads as the place of the keys. */
  active: { role: string; name: string } | undefined;
}

interface TreeNode {
  role?: { value: string };
  name?: { value: string };
  backendDOMNodeId?: number;
  properties?: { name: string; value: { value?: unknown; relatedNodes?: { backendDOMNodeId: number }[] } }[];
}

/** The focused element in the tree. */
async function focused(page: Page): Promise<Field> {
  const session = await page.context().newCDPSession(page);
  const { nodes } = (await session.send("Accessibility.getFullAXTree")) as { nodes: TreeNode[] };
  await session.detach();
  const propertyOf = (node: TreeNode, name: string) =>
    node.properties?.find((one) => one.name === name)?.value;
  const node = nodes.findLast((one) => propertyOf(one, "focused")?.value === true);
  if (!node) throw new Error("nothing has the focus");
  const activeId = propertyOf(node, "activedescendant")?.relatedNodes?.[0]?.backendDOMNodeId;
  const active = nodes.find((one) => activeId !== undefined && one.backendDOMNodeId === activeId);
  return {
    ...{ role: node.role?.value ?? "", name: node.name?.value ?? "" },
    expanded: propertyOf(node, "expanded")?.value as boolean | undefined,
    active: active && { role: active.role?.value ?? "", name: active.name?.value ?? "" },
  };
}

async function activeName(page: Page): Promise<string | undefined> {
  return (await focused(page)).active?.name;
}

test.each(Object.entries(fields))("%s: the field names its list and its active option", async (_, listed) => {
  const { role, name, list, isGrid } = listed;
  const client = await listed.open();
  const { page } = client;
  const options = page.getByRole("listbox", { name: list, exact: true }).getByRole("option");
  const selected = options.and(page.getByRole("option", { selected: true }));
  await options.first().waitFor();
  await page.keyboard.press("ArrowDown");
  await expect.poll(() => selected.count()).toBe(1);
  const field = await focused(page);
  expect(field).toMatchObject({ role, expanded: role === "combobox" ? true : undefined });
  expect(field.name).toMatch(name);
  expect(field.active?.role).toBe("option");
  await options
    .and(page.getByRole("option", { name: field.active?.name ?? "", exact: true, selected: true }))
    .waitFor();
  await client.checkAccessibility();

  await page.keyboard.press("PageUp");
  const first = await activeName(page);
  await page.keyboard.press("ArrowUp");
  const last = await activeName(page);
  await page.keyboard.press("ArrowDown");
  if (isGrid) expect(last).toBe(first);
  else {
    expect(last).not.toBe(first);
    expect(await activeName(page)).toBe(first);
    await page.keyboard.press("PageDown");
    expect(await activeName(page)).toBe(last);
  }

  // The keys of an input method choose its words.
  const before = await activeName(page);
  await page.evaluate(composeKeys);
  expect(await activeName(page)).toBe(before);

  await options.nth(1).hover();
  await expect.poll(() => options.nth(1).getAttribute("aria-selected")).toBe("true");
  await page.mouse.down();
  expect((await focused(page)).active?.role).toBe("option");
  await page.mouse.move(0, 0);
  await page.mouse.up();

  if (listed.isNeverEmpty) return client.finish();
  await page.keyboard.type("zzqqzz");
  await expect.poll(() => options.count()).toBe(0);
  await page.keyboard.press("ArrowUp");
  const closed = await focused(page);
  expect(closed).toMatchObject({ role, expanded: role === "combobox" ? false : undefined });
  expect(closed.active).toBe(undefined);
  await client.finish();
});

function composeKeys(): void {
  for (const key of ["ArrowDown", "Enter", "Escape"]) {
    const event = new KeyboardEvent("keydown", { key, isComposing: true, bubbles: true, cancelable: true });
    document.activeElement?.dispatchEvent(event);
  }
}

test("an empty field leaves Home and End to its list, also where most options have no elements", async () => {
  const client = await openEmoji();
  const { page } = client;
  const options = page.getByRole("listbox", { name: "Emoji", exact: true }).getByRole("option");
  await options.first().waitFor();
  await page.keyboard.press("End");
  const last = page.getByRole("option", { selected: true });
  await last.waitFor();
  const [place, count] = [await last.getAttribute("aria-posinset"), await last.getAttribute("aria-setsize")];
  expect(place).toBe(count);
  expect(Number(count)).toBeGreaterThan(1000);
  expect((await focused(page)).active?.role).toBe("option");
  await expect.poll(() => last.evaluate(isInSight)).toBe(true);
  // Its name is below the list, too.
  await page.getByText((await last.getAttribute("title")) ?? "", { exact: true }).waitFor();
  await page.keyboard.press("Home");
  await page.keyboard.press("PageDown");
  await expect.poll(() => page.getByRole("option", { selected: true }).evaluate(isInSight)).toBe(true);
  await client.finish();
});

function isInSight(option: Element): boolean {
  const [own, list] = [option, option.closest("[role=listbox]") as Element].map((element) =>
    element.getBoundingClientRect(),
  );
  return own !== undefined && list !== undefined && own.top >= list.top - 1 && own.bottom <= list.bottom + 1;
}
