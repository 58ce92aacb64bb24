import { expect, test } from "vitest";
import { expectSuccess } from "../../harness/answers.ts";
import { picture } from "../../harness/pictures.ts";
import { useBrowser } from "./browser.ts";

const browser = useBrowser();

/** A person who has no other part in these tests. */
async function addPerson(name: string): Promise<number> {
  const email = `${name.toLowerCase().replace(" ", ".")}@demo.test`;
  const parameters = { email, password: "a good start", full_name: name };
  const { user_id } = (await expectSuccess(browser.world.harness.as("ada").post("/users", parameters))) as {
    user_id: number;
  };
  return user_id;
}

async function fieldId(name: string): Promise<number> {
  const { custom_fields } = await expectSuccess(browser.world.harness.as("ada").get("/realm/profile_fields"));
  return (custom_fields as { id: number; name: string }[]).find((field) => field.name === name)?.id ?? 0;
}

test("an owner gives a role and deactivates, and both are on another's screen at once", async () => {
  await addPerson("Nora Quist");
  const other = await browser.world.open("dev", { hash: "#organization/users" });
  const client = await browser.world.open("ada", { hash: "#organization/users" });
  const { page } = client;
  const theirs = other.page.getByRole("table", { name: "Active people" });
  await theirs.getByText("Nora Quist").waitFor();
  await expect.poll(() => other.page.getByRole("button", { name: "Actions for Nora Quist" }).count()).toBe(0);
  await page.getByRole("searchbox", { name: /^Filter/ }).fill("quist");
  await page.getByRole("button", { name: "Actions for Nora Quist" }).click();
  await page.getByRole("menuitem", { name: "Edit…" }).click();
  const dialog = page.getByRole("dialog", { name: "Edit Nora Quist" });
  await dialog.getByRole("combobox", { name: "Role" }).selectOption("Moderator");
  await dialog.getByRole("textbox", { name: "Name" }).fill("Nora Quill");
  await client.checkAccessibility();
  await dialog.getByRole("button", { name: "Save" }).click();
  await dialog.waitFor({ state: "detached" });
  await theirs
    .getByRole("row", { name: /Nora Quill/ })
    .getByRole("cell", { name: "Moderator" })
    .waitFor();
  await page.getByRole("searchbox", { name: /^Filter/ }).fill("quill");
  await page.getByRole("button", { name: "Actions for Nora Quill" }).click();
  await page.getByRole("menuitem", { name: "Deactivate" }).click();
  const question = page.getByRole("dialog", { name: "Deactivate Nora Quill?" });
  await question.getByRole("button", { name: "Deactivate" }).click();
  await theirs.getByText("Nora Quill").waitFor({ state: "detached" });
  await page.getByRole("combobox", { name: "Show" }).selectOption("Deactivated accounts");
  await page.getByText("Nora Quill").waitFor();
  client.expectProblems(/^shift/);
  other.expectProblems(/^shift/);
  await other.finish();
  await client.finish();
});

test("the last owner stays one, and the form says why", async () => {
  const client = await browser.world.open("ada", { hash: "#organization/users" });
  const { page } = client;
  await page.getByRole("button", { name: "Actions for Ada Osei" }).click();
  await page.getByRole("menuitem", { name: "Edit…" }).click();
  const dialog = page.getByRole("dialog", { name: "Edit Ada Osei" });
  await dialog.getByRole("combobox", { name: "Role" }).selectOption("Member");
  await dialog.getByRole("button", { name: "Save" }).click();
  await dialog.getByRole("alert").getByText(/owner/).waitFor();
  await expect.poll(() => dialog.getByRole("combobox", { name: "Role" }).inputValue()).toBe("400");
  client.expectProblems(/console: Failed to load resource/);
  await client.finish();
});

test("an administrator fills in somebody's profile, and an owner's is for owners", async () => {
  const { harness, open } = browser.world;
  const options = { v: { text: "Vim", order: "1" }, e: { text: "Emacs", order: "2" } };
  const fields = [
    { name: "Desk", field_type: 1, editable_by_user: false },
    { name: "Tool", field_type: 3, field_data: options },
    { name: "Site", field_type: 5 },
    { name: "Mentor", field_type: 6 },
  ];
  for (const field of fields) await expectSuccess(harness.as("ada").post("/realm/profile_fields", field));
  const id = await addPerson("Pia Moss");
  const other = await open("dev", { hash: `#user/${id}` });
  const client = await open("ben", { hash: "#organization/users", width: 390, height: 844 });
  const { page } = client;
  const openFields = async (name: string) => {
    await page.getByRole("button", { name: `Actions for ${name}` }).click();
    await page.getByRole("menuitem", { name: "Profile fields…" }).click();
  };
  await openFields("Pia Moss");
  const dialog = page.getByRole("dialog", { name: "Profile fields of Pia Moss" });
  const site = dialog.getByRole("textbox", { name: "Site" });
  await site.fill("ftp://pia.example.com");
  await site.press("Enter");
  await dialog.getByRole("alert").waitFor();
  await expect.poll(() => site.inputValue()).toBe("ftp://pia.example.com");
  client.expectProblems(/400 \(Bad Request\)/);
  await dialog.getByRole("textbox", { name: "Desk" }).fill("4b");
  await dialog.getByRole("button", { name: "Save Desk" }).click();
  await dialog.getByRole("combobox", { name: "Tool" }).selectOption("Emacs");
  await dialog.getByRole("combobox", { name: "Mentor" }).fill("elin");
  await page.keyboard.press("Enter");
  const seen = other.page.getByRole("main");
  for (const value of ["4b", "Emacs", "Elin Berg"]) await seen.getByText(value).first().waitFor();
  await client.settled();
  await expect.poll(() => site.inputValue()).toBe("ftp://pia.example.com");
  await client.checkAccessibility();
  const vim = { profile_data: [{ id: await fieldId("Tool"), value: "v" }] };
  await expectSuccess(harness.as("ada").patch(`/users/${id}`, vim));
  await dialog
    .getByRole("combobox", { name: "Tool" })
    .and(page.locator(":has(option[value=v]:checked)"))
    .waitFor();
  await page.keyboard.press("Escape");
  await openFields("Ada Osei");
  const owners = page.getByRole("dialog", { name: "Profile fields of Ada Osei" });
  await owners.getByText("Only owners can change an owner.").first().waitFor();
  await expect.poll(() => owners.getByRole("textbox", { name: "Desk" }).isDisabled()).toBe(true);
  other.expectProblems(/^shift/);
  await other.finish();
  await client.finish();
});

test("an invitation link is made, seen by another administrator, and revoked", async () => {
  const other = await browser.world.open("ben", { hash: "#organization/invitations" });
  const client = await browser.world.open("ada", { hash: "#organization/invitations" });
  const { page } = client;
  await other.page.getByText("No invitation is open.").waitFor();
  await page.getByRole("button", { name: "Make an invitation link" }).click();
  const dialog = page.getByRole("dialog", { name: "Make an invitation link" });
  await dialog.getByRole("combobox", { name: "Role" }).selectOption("Guest");
  await client.checkAccessibility();
  await dialog.getByRole("button", { name: "Make the link" }).click();
  const made = page.getByRole("dialog", { name: "The link is ready" });
  await expect
    .poll(() => made.getByRole("textbox", { name: "Invitation link" }).inputValue())
    .toMatch(/\/join\//);
  await page.keyboard.press("Escape");
  const row = other.page
    .getByRole("table", { name: "Invitations" })
    .getByRole("row", { name: /Guest.*Ada Osei/ });
  await row.waitFor();
  await other.page.getByRole("button", { name: "Revoke: Invitation link" }).click();
  await other.page.getByRole("button", { name: "Revoke", exact: true }).click();
  await page.getByText("No invitation is open.").waitFor();
  client.expectProblems(/^shift/);
  other.expectProblems(/^shift/);
  await other.finish();
  await client.finish();
});

test("a group of default channels is made, changed by two, added to an invitation, and deleted", async () => {
  const { harness, open } = browser.world;
  for (const name of ["looms", "kilns"]) await harness.channel(name, ["ada", "ben", "dev"]);
  const other = await open("dev", { hash: "#organization/default-channels", width: 390, height: 844 });
  const client = await open("ada", { hash: "#organization/default-channels" });
  const { page } = client;
  const rows = (one: typeof page) =>
    one.getByRole("list", { name: "Groups of default channels" }).getByRole("listitem");
  await page.getByRole("button", { name: "Add a group" }).click();
  const dialog = page.getByRole("dialog", { name: "Add a group" });
  await dialog.getByRole("textbox", { name: "Name" }).fill("   ");
  await dialog.getByRole("textbox", { name: "What it is for" }).fill("For those who weave");
  await dialog.getByRole("combobox", { name: "Channels" }).fill("loo");
  await page.keyboard.press("Enter");
  await dialog.getByRole("button", { name: "Save" }).click();
  await dialog.getByRole("alert").getByText("1 to 60").waitFor();
  client.expectProblems(/400 \(Bad Request\)/);
  await dialog.getByText("#looms").waitFor();
  await client.checkAccessibility();
  await dialog.getByRole("textbox", { name: "Name" }).fill("Weavers");
  await dialog.getByRole("button", { name: "Save" }).click();
  await rows(other.page).getByText("For those who weave · #looms").waitFor();
  await expect.poll(() => other.page.getByRole("button", { name: "Edit Weavers" }).count()).toBe(0);

  await page.getByRole("button", { name: "Edit Weavers" }).click();
  const edit = page.getByRole("dialog", { name: "Edit Weavers" });
  await edit.getByRole("textbox", { name: "Name" }).fill("Makers");
  await edit.getByRole("combobox", { name: "Channels" }).fill("kil");
  await page.keyboard.press("Enter");
  const { realm_default_stream_groups: groups } = await expectSuccess(
    harness.as("ben").post("/register", { fetch_event_types: ["default_stream_groups"] }),
  );
  const path = `/default_stream_groups/${groups[0].id}/streams`;
  await expectSuccess(harness.as("ben").patch(path, { op: "add", stream_names: ["kilns"] }));
  await rows(page).getByText("#looms · #kilns").waitFor();
  await edit.getByRole("button", { name: "Remove #looms" }).click();
  await edit.getByRole("button", { name: "Save" }).click();
  await edit.waitFor({ state: "detached" });
  await rows(other.page).getByText("For those who weave · #kilns").waitFor();
  await rows(other.page).getByText("Makers").waitFor();

  await page.getByRole("link", { name: "Invitations" }).click();
  await page.getByRole("button", { name: "Make an invitation link" }).click();
  const invite = page.getByRole("dialog", { name: "Make an invitation link" });
  await invite.getByRole("button", { name: "Add the channels of Makers" }).click();
  await invite.getByText("#kilns").waitFor();
  await client.checkAccessibility();
  await page.keyboard.press("Escape");
  await page.getByRole("link", { name: "Default channels" }).click();
  await page.getByRole("button", { name: "Delete Makers" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Delete" }).click();
  await other.page.getByText("There are no groups yet.").waitFor();
  other.expectProblems(/^shift/);
  client.expectProblems(/^shift/);
  await other.finish();
  await client.finish();
});

test("a linkifier is tried by the server's own rules, and a field of profiles has options", async () => {
  const other = await browser.world.open("dev", { hash: "#organization/profile-fields" });
  const client = await browser.world.open("ada", { hash: "#organization/linkifiers" });
  const { page } = client;
  await page.getByRole("textbox", { name: "Try it" }).fill("See TICKET-42 today");
  await page.getByRole("button", { name: "Add a linkifier" }).click();
  const dialog = page.getByRole("dialog", { name: "Add a linkifier" });
  await dialog.getByRole("textbox", { name: "Pattern" }).fill("TICKET-(?P<id>[0-9]+");
  await dialog.getByRole("textbox", { name: "Address" }).fill("https://tickets.example.com/{id}");
  await dialog.getByRole("button", { name: "Save" }).click();
  await dialog.getByRole("alert").waitFor();
  await dialog.getByRole("textbox", { name: "Pattern" }).fill("TICKET-(?P<id>[0-9]+)");
  await dialog.getByRole("button", { name: "Save" }).click();
  await dialog.waitFor({ state: "detached" });
  const link = page.getByRole("region", { name: "Result" }).getByRole("link", { name: "TICKET-42" });
  await expect.poll(() => link.getAttribute("href")).toBe("https://tickets.example.com/42");
  client.expectProblems(/console: Failed to load resource|^shift/);

  await page.getByRole("link", { name: "Custom profile fields" }).click();
  await page.getByRole("button", { name: "Add a field" }).click();
  const field = page.getByRole("dialog", { name: "Add a field" });
  await field.getByRole("combobox", { name: "Kind" }).selectOption("List of options");
  await field.getByRole("textbox", { name: "Label" }).fill("Editor");
  await field.getByRole("textbox", { name: "Option 1" }).fill("Vim");
  await field.getByRole("button", { name: "Add an option" }).click();
  await field.getByRole("textbox", { name: "Option 2" }).fill("Emacs");
  await field.getByRole("checkbox", { name: "Show on cards" }).check();
  await client.checkAccessibility();
  await field.getByRole("button", { name: "Save" }).click();
  const rows = other.page.getByRole("list", { name: "Custom profile fields" }).getByRole("listitem");
  await rows.getByText("List of options · on cards").waitFor();
  other.expectProblems(/^shift/);
  await other.finish();
  await client.finish();
});

test("an emoji is uploaded, and settings of the organization are saved at once", async () => {
  const { harness, open } = browser.world;
  const other = await open("dev", { hash: "#organization/emoji" });
  const client = await open("ada", { hash: "#organization/emoji" });
  const { page } = client;
  await page.getByRole("button", { name: "Add an emoji" }).click();
  const dialog = page.getByRole("dialog", { name: "Add an emoji" });
  const file = { name: "Party Soup.png", mimeType: "image/png", buffer: await picture("png", 64, 64) };
  await dialog.getByLabel("Choose a picture").setInputFiles(file);
  await expect
    .poll(() => dialog.getByRole("textbox", { name: "Name of the emoji" }).inputValue())
    .toBe("party_soup");
  await client.checkAccessibility();
  await dialog.getByRole("button", { name: "Add", exact: true }).click();
  await other.page.getByText(":party_soup:").waitFor();
  client.expectProblems(/^shift/);
  other.expectProblems(/^shift/);

  await page.getByRole("link", { name: "Messages", exact: true }).click();
  await page.getByRole("checkbox", { name: "People can edit their messages" }).uncheck();
  await page.getByText("Saved").waitFor();
  await expect.poll(() => page.getByRole("combobox", { name: "Messages can be edited for" }).count()).toBe(0);
  await other.page.getByRole("link", { name: "Messages", exact: true }).click();
  const seen = other.page.getByRole("checkbox", { name: "People can edit their messages" });
  await seen.and(other.page.locator(":disabled:not(:checked)")).waitFor();
  await other.page.getByText("Only administrators can change this.").waitFor();
  await expectSuccess(harness.as("ada").patch("/realm", { allow_message_editing: true }));
  await seen.and(other.page.locator(":checked")).waitFor();
  await other.finish();
  await client.finish();
});

test("sections can be used by all on a phone, in dark, and one leads back to the list", async () => {
  const screen = { theme: "dark", width: 390, height: 844 } as const;
  const client = await browser.world.open("ada", { hash: "#organization", ...screen });
  const { page } = client;
  const nav = page.getByRole("navigation", { name: "Sections" });
  await expect.poll(() => nav.getByRole("link").count()).toBe(22);
  for (const name of ["Profile", "Joining", "Bots", "Exports", "Statistics", "Audit log"]) {
    await nav.getByRole("link", { name, exact: true }).click();
    await page.getByRole("heading", { name, level: 2 }).waitFor();
    await client.settled();
    await client.checkAccessibility();
    await page.getByRole("link", { name: "Back to the list" }).click();
  }
  client.expectProblems(/^shift/);
  await client.finish();
}, 120_000);

test("the sections stand in groups, and the audit log says who did what to whom", async () => {
  const { harness, open } = browser.world;
  const channel = await harness.channel("audited", ["dev"]);
  const elin = harness.user("elin").id;
  const people = { subscriptions: [{ name: "audited" }], principals: [elin] };
  await expectSuccess(harness.as("ada").post("/users/me/subscriptions", people));
  await expectSuccess(harness.as("ada").patch("/realm", { new_stream_announcements_stream_id: channel.id }));
  const client = await open("ada", { hash: "#organization/audit-log" });
  const { page } = client;
  const nav = page.getByRole("navigation", { name: "Sections" });
  const groups = nav.locator(".section-group");
  await expect.poll(() => groups.count()).toBe(8);
  const entries = page.getByRole("list", { name: "Audit log" }).getByRole("listitem");
  const text = async (at: number) => (await entries.nth(at).innerText()).replace(/[\u2068\u2069]/g, "");
  await entries.first().waitFor();
  expect(await text(0)).toMatch(/^Ada Osei changed settings\.\n.+: +#audited\n/);
  expect(await text(1)).toMatch(/^Ada Osei added people to #audited\.\nPeople: +Elin Berg\n/);
  // While one searches, what is found stands alone.
  await nav.getByRole("searchbox").fill("emoji");
  await expect.poll(() => groups.count()).toBe(0);
  await client.checkAccessibility();
  await client.finish();
});

test("a search finds a setting in its section, and a press takes the focus to it", async () => {
  const client = await browser.world.open("ada", { hash: "#organization/profile" });
  const { page } = client;
  const sections = page.getByRole("navigation", { name: "Sections" });
  const count = await sections.getByRole("link").count();
  await sections.getByRole("searchbox", { name: "Search the settings" }).fill("who has read");
  const found = sections.getByRole("link", { name: /who has read/ });
  await found.waitFor();
  await expect.poll(() => sections.getByRole("link").count()).toBe(2);
  await client.checkAccessibility();
  await found.click();
  const setting = page.getByRole("main").getByRole("checkbox", { name: /who has read/ });
  await expect.poll(() => setting.evaluate((one) => one === document.activeElement)).toBe(true);
  await sections.getByRole("searchbox").fill("");
  await expect.poll(() => sections.getByRole("link").count()).toBe(count);
  client.expectProblems(/^shift/);
  await client.finish();
});
