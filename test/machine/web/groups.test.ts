import { expect, test } from "vitest";
import { expectSuccess } from "../../harness/answers.ts";
import { useBrowser } from "./browser.ts";

const browser = useBrowser();

test("a group is created, gets members and a permission, and is not deactivated while it is used", async () => {
  const { harness, open } = browser.world;
  const client = await open("ada", { hash: "#groups/new" });
  const { page } = client;
  await page.getByRole("textbox", { name: "Name" }).fill("Gardeners");
  await page.getByRole("textbox", { name: "Description" }).fill("Those who water");
  await client.checkAccessibility();
  await page.getByRole("button", { name: "Create the group" }).click();
  await page.getByRole("heading", { name: "Gardeners", level: 1 }).waitFor();

  const add = page.getByRole("combobox", { name: "Add members" });
  await add.fill("dev");
  await page.keyboard.press("Enter");
  await add.fill("moder");
  await page.keyboard.press("Enter");
  await client.checkAccessibility();
  await page.getByRole("button", { name: "Add", exact: true }).click();
  const members = page.getByRole("list", { name: "Members" });
  await members.getByText("Dev").waitFor();
  await members.getByText("Moderators").waitFor();
  await page.getByRole("button", { name: "Remove Ada" }).click();
  await members.getByText("Ada").waitFor({ state: "detached" });

  await page.getByRole("link", { name: "Permissions" }).click();
  await page.getByRole("button", { name: "Remove Everyone" }).nth(1).click();
  const mention = page.getByRole("combobox", { name: "Who can mention the group" });
  await mention.fill("gard");
  await page.keyboard.press("Enter");
  await client.checkAccessibility();
  await page.getByRole("button", { name: "Save: Who can mention the group" }).click();
  await client.settled();

  await page.getByRole("link", { name: "General" }).click();
  await page.getByRole("link", { name: "Permissions of the group Gardeners" }).waitFor();
  client.expectProblems(/400/);
  // The chosen names leave their field when the server has answered.
  client.expectProblems(/^shift: \S+ INPUT\./);
  await page.getByRole("button", { name: "Deactivate the group" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("button", { name: "Deactivate the group" }).click();
  await dialog.getByRole("alert").waitFor();
  await page.keyboard.press("Escape");
  const { body } = await harness.as("ada").get("/user_groups");
  const group = body.user_groups.find(({ name }: { name: string }) => name === "Gardeners");
  expect(group.members).toEqual([harness.user("dev").id]);
  expect(group.can_mention_group).toBe(group.id);
  await client.finish();
});

test("who may join a group does so from the list, and what they may not change is in words", async () => {
  const { harness, open } = browser.world;
  const { body } = await harness.as("ada").get("/user_groups");
  const everyone = body.user_groups.find(({ name }: { name: string }) => name === "role:members");
  const group = { name: "Runners", description: "On Sundays", members: [], can_join_group: everyone.id };
  const made = (await expectSuccess(harness.as("ada").post("/user_groups/create", group))) as {
    group_id: number;
  };
  const client = await open("elin", { hash: "#groups/all", width: 390 });
  const { page } = client;
  await page.getByRole("button", { name: "Join Runners" }).click();
  await page.getByRole("button", { name: "Leave Runners" }).waitFor();
  await client.checkAccessibility();
  await page.getByRole("link", { name: "Runners" }).click();
  await page.getByText("You are in this group.").waitFor();
  await expect.poll(() => page.getByRole("textbox", { name: "Name" }).count()).toBe(0);
  await page.goto(`${browser.world.url}/?language=en#groups/${made.group_id}/Runners/permissions`);
  await client.settled();
  await page.getByRole("group", { name: "Who can join" }).getByText("Everyone except guests").waitFor();
  const { body: now } = await harness.as("elin").get(`/user_groups/${made.group_id}/members`);
  expect(now.members).toEqual([harness.user("elin").id]);
  await client.finish();
});
