import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { roles } from "../../../api/roles.ts";
import { expectSuccess } from "../../harness/answers.ts";
import { useBrowser } from "./browser.ts";

const browser = useBrowser();
const HASH = "#organization/users";

async function addPeople(names: readonly string[]): Promise<void> {
  for (const name of names) {
    const email = `${name.toLowerCase().replaceAll(" ", ".")}@demo.test`;
    const person = { email, full_name: name, password: "a good start" };
    await expectSuccess(browser.world.harness.as("ada").post("/users", person));
  }
}

const tableOf = (page: Page) => page.getByRole("table", { name: "Active people" });
const namesIn = (page: Page) => tableOf(page).getByRole("rowheader").getByRole("button").allInnerTexts();

test("people are in a table, which a heading sorts and a text filters", async () => {
  await addPeople(["Aaron Table", "Zoe Table"]);
  const client = await browser.world.open("ada", { hash: HASH });
  const { page } = client;
  const table = tableOf(page);
  const heading = (name: string) => table.getByRole("columnheader", { name });
  await table.getByText("Zoe Table").waitFor();
  const byName = await namesIn(page);
  expect(byName).toEqual([...byName].sort(new Intl.Collator().compare));
  await heading("Name").getByRole("button").click();
  expect(await namesIn(page)).toEqual([...byName].reverse());
  expect(await heading("Name").getAttribute("aria-sort")).toBe("descending");
  await heading("Role").getByRole("button").click();
  expect((await namesIn(page))[0]).toBe("Ada Osei");
  expect(await heading("Name").getAttribute("aria-sort")).toBe(null);
  await heading("Joined").getByRole("button").click();
  expect((await namesIn(page)).slice(0, 2).sort()).toEqual(["Aaron Table", "Zoe Table"]);
  await page.getByRole("searchbox", { name: /^Filter/ }).fill("zoe");
  expect(await namesIn(page)).toEqual(["Zoe Table"]);
  const row = table.getByRole("row", { name: /Zoe Table/ });
  await row.getByRole("cell", { name: "Member", exact: true }).waitFor();
  await row.getByRole("cell", { name: "zoe.table@demo.test" }).waitFor();
  await client.checkAccessibility();
  await client.finish();
});

test("an administrator gives a role to several people at once, and deactivates them", async () => {
  const { harness, open } = browser.world;
  await addPeople(["Bulk One", "Bulk Two", "Bulk Three"]);
  const client = await open("ada", { hash: HASH });
  const { page } = client;
  client.expectProblems(/^shift/);
  await page.getByRole("searchbox", { name: /^Filter/ }).fill("bulk");
  await page.getByRole("checkbox", { name: "Select all 3 rows" }).check();
  await page.getByRole("checkbox", { name: "Select Bulk Two" }).uncheck();
  const bar = page.getByRole("toolbar", { name: "What is selected" });
  await bar.getByText("2 selected").waitFor();
  // What was selected stays so while something else is looked for.
  await page.getByRole("searchbox", { name: /^Filter/ }).fill("bulk t");
  await bar.getByText("2 selected").waitFor();
  await bar.getByRole("button", { name: "Change role…" }).click();
  const dialog = page.getByRole("dialog", { name: "Change the role of 2 people" });
  await dialog.getByRole("combobox", { name: "Role" }).selectOption("Moderator");
  await client.checkAccessibility();
  await dialog.getByRole("button", { name: "Save" }).click();
  await dialog.waitFor({ state: "detached" });
  await bar.waitFor({ state: "detached" });
  await page.getByRole("searchbox", { name: /^Filter/ }).fill("bulk");
  const table = tableOf(page);
  await expect.poll(() => table.getByRole("cell", { name: "Moderator", exact: true }).count()).toBe(2);
  const roleOf = async (name: string) => {
    const { members } = await expectSuccess(harness.as("ada").get("/users"));
    return (members as { full_name: string; role: number }[]).find((one) => one.full_name === name)?.role;
  };
  expect(await roleOf("Bulk Three")).toBe(roles.moderator);
  expect(await roleOf("Bulk Two")).toBe(roles.member);

  await page.getByRole("checkbox", { name: "Select all 3 rows" }).check();
  await bar.getByRole("button", { name: "Deactivate" }).click();
  const question = page.getByRole("dialog", { name: "Deactivate 3 people?" });
  await question.getByRole("button", { name: "Deactivate" }).click();
  await page.getByText("Nothing matches.").waitFor();
  await client.finish();
});

test("when one of several people can't be changed, the others are, and the form says who it was", async () => {
  await addPeople(["Fail One", "Fail Two"]);
  const client = await browser.world.open("ada", { hash: HASH });
  const { page } = client;
  client.expectProblems(/^shift|400 \(Bad Request\)/);
  let count = 0;
  await page.route("**/api/v1/users/*", (route) =>
    route.request().method() === "DELETE" && count++ === 0
      ? route.fulfill({ status: 400, json: { result: "error", msg: "Not now", code: "BAD_REQUEST" } })
      : route.continue(),
  );
  await page.getByRole("searchbox", { name: /^Filter/ }).fill("fail");
  await page.getByRole("checkbox", { name: "Select all 2 rows" }).check();
  await page.getByRole("toolbar").getByRole("button", { name: "Deactivate" }).click();
  const question = page.getByRole("dialog");
  await question.getByRole("button", { name: "Deactivate" }).click();
  await question.getByRole("alert").getByText("1 person could not be changed. Fail One: Not now").waitFor();
  await page.keyboard.press("Escape");
  await expect.poll(() => namesIn(page)).toEqual(["Fail One"]);
  await client.finish();
});

test("nobody selects themselves, and an administrator no owner; others select nobody", async () => {
  const client = await browser.world.open("ben", { hash: HASH });
  const { page } = client;
  await tableOf(page).getByText("Ada Osei").waitFor();
  for (const name of ["Ada Osei", "Ben Ito"])
    expect(await page.getByRole("checkbox", { name: `Select ${name}` }).isDisabled()).toBe(true);
  expect(await page.getByRole("checkbox", { name: "Select Dev Rao" }).isDisabled()).toBe(false);
  await client.finish();
  const other = await browser.world.open("dev", { hash: HASH });
  await tableOf(other.page).getByText("Ada Osei").waitFor();
  expect(await other.page.getByRole("checkbox").count()).toBe(0);
  await other.finish();
});

test("of many people a hundred have elements at first", async () => {
  await addPeople(Array.from({ length: 130 }, (_, index) => `Crowd ${String(index).padStart(3, "0")}`));
  const client = await browser.world.open("ada", { hash: HASH });
  const { page } = client;
  client.expectProblems(/^shift/);
  await page.getByRole("searchbox", { name: /^Filter/ }).fill("crowd");
  const rows = tableOf(page).getByRole("rowheader");
  await expect.poll(() => rows.count()).toBe(100);
  await page.getByRole("button", { name: "Show 30 more" }).click();
  await expect.poll(() => rows.count()).toBe(130);
  await client.finish();
});

test("on a phone a row has a name, and below it the role and the address", async () => {
  const client = await browser.world.open("ada", { hash: HASH, width: 390, height: 844 });
  const { page } = client;
  client.expectProblems(/^shift/);
  await page.getByRole("searchbox", { name: /^Filter/ }).fill("dev rao");
  await page.getByText("Member · dev@demo.test").waitFor();
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
  await client.checkAccessibility();
  await client.finish();
});
