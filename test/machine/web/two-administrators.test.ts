/** What another administrator does while somebody has a page, a form or a dialog open. */
import { expect, test } from "vitest";
import { roles } from "../../../api/roles.ts";
import { PASSWORD } from "../../harness/accounts.ts";
import { expectSuccess } from "../../harness/answers.ts";
import { HOST } from "../../harness/harness.ts";
import { MULTIPART, multipartBody } from "../../harness/multipart.ts";
import { picture } from "../../harness/pictures.ts";
import { authorizationOf } from "../../harness/uploads.ts";
import { type Client, useBrowser } from "./browser.ts";
import { holdAnswers, holdCalls, loseQueue, queueOf } from "./network.ts";

const browser = useBrowser();

async function pick({ page }: Client, field: string, text: string, option: string): Promise<void> {
  await page.getByRole("combobox", { name: field }).fill(text);
  await page.getByRole("option", { name: option }).click();
}

test("a field shows what another person sets back to what it was before", async () => {
  const { harness, open } = browser.world;
  const channel = await harness.channel("weather", ["ada", "ben"]);
  const path = `/streams/${channel.id}`;
  await expectSuccess(harness.as("ben").patch(path, { description: "Rain" }));
  const client = await open("ada", { hash: `#channels/${channel.id}/weather/general` });
  const { page } = client;
  const field = page.getByRole("textbox", { name: "Description" });
  await field.fill("Sun");
  await page.getByRole("button", { name: "Save: Description" }).click();
  await page.getByText("Saved").waitFor();
  await client.settled();
  await expectSuccess(harness.as("ben").patch(path, { description: "Snow" }));
  await expect.poll(() => field.inputValue()).toBe("Snow");
  await expectSuccess(harness.as("ben").patch(path, { description: "Rain" }));
  await expect.poll(() => field.inputValue()).toBe("Rain");
  await page.getByRole("link", { name: "Personal" }).click();
  const pinned = page.getByRole("checkbox", { name: "Pin to the top" });
  await pinned.check();
  await page.getByText("Saved").waitFor();
  const property = { stream_id: channel.id, property: "pin_to_top", value: false };
  const settings = { subscription_data: [property] };
  await expectSuccess(harness.as("ada").post("/users/me/subscriptions/properties", settings));
  await expect.poll(() => pinned.isChecked()).toBe(false);
  client.expectProblems(/^shift/);
  await client.finish();
});

test("a field of profiles keeps the options and the hint that another administrator saved meanwhile", async () => {
  const { harness, open } = browser.world;
  const vim = { text: "Vim", order: "1" };
  const field = { name: "Tool", field_type: 3, field_data: { 0: vim } };
  const { id } = await expectSuccess(harness.as("ada").post("/realm/profile_fields", field));
  const client = await open("ada", { hash: "#organization/profile-fields" });
  const { page } = client;
  client.expectProblems(/^shift/);
  const edit = async (name: string) => {
    await page.getByRole("button", { name: `Edit ${name}` }).click();
    return page.getByRole("dialog", { name: `Edit ${name}` });
  };
  const stored = async () => {
    const { custom_fields } = await expectSuccess(harness.as("ada").get("/realm/profile_fields"));
    const found = custom_fields.find((one: { id: number }) => one.id === id);
    return { ...found, options: JSON.parse(found.field_data) };
  };
  const first = await edit("Tool");
  await first.getByRole("textbox", { name: "Label" }).fill("Editor");
  const emacs = { text: "Emacs", order: "2" };
  const changes = { hint: "The one you use most", field_data: { 0: vim, 1: emacs } };
  await expectSuccess(harness.as("ben").patch(`/realm/profile_fields/${id}`, changes));
  await first.getByRole("button", { name: "Save" }).click();
  await first.waitFor({ state: "detached" });
  expect(await stored()).toMatchObject({ name: "Editor", hint: changes.hint, options: { 0: vim, 1: emacs } });

  const second = await edit("Editor");
  await second.getByRole("button", { name: "Add an option" }).click();
  await second.getByRole("textbox", { name: "Option 3" }).fill("Nano");
  await second.getByRole("textbox", { name: "Option 1" }).fill("Vi");
  const ed = { text: "ed", order: "3" };
  const more = { field_data: { 0: vim, 1: emacs, 2: ed } };
  await expectSuccess(harness.as("ben").patch(`/realm/profile_fields/${id}`, more));
  await second.getByRole("button", { name: "Save" }).click();
  await second.waitFor({ state: "detached" });
  const { options } = await stored();
  expect(options).toMatchObject({ 0: { text: "Vi" }, 1: { text: "Emacs" }, 2: { text: "ed" } });
  expect(Object.values(options)).toHaveLength(4);
  await client.finish();
});

test("a linkifier keeps the pattern that another administrator saved while its address was changed", async () => {
  const { harness, open } = browser.world;
  const before = { pattern: "#(?P<id>[0-9]+)", url_template: "https://old.example.com/{id}" };
  const { id } = await expectSuccess(harness.as("ada").post("/realm/filters", before));
  const client = await open("ada", { hash: "#organization/linkifiers" });
  const { page } = client;
  client.expectProblems(/^shift/);
  await page.getByRole("button", { name: `Edit ${before.pattern}` }).click();
  const dialog = page.getByRole("dialog", { name: "Edit the linkifier" });
  await dialog.getByRole("textbox", { name: "Address" }).fill("https://new.example.com/{id}");
  const pattern = "TICKET-(?P<id>[0-9]+)";
  await expectSuccess(harness.as("ben").patch(`/realm/filters/${id}`, { ...before, pattern }));
  await page.getByRole("button", { name: `Edit ${pattern}`, includeHidden: true }).waitFor();
  await dialog.getByRole("button", { name: "Save" }).click();
  await dialog.waitFor({ state: "detached" });
  const { linkifiers } = await expectSuccess(harness.as("ada").get("/realm/linkifiers"));
  expect(linkifiers).toMatchObject([{ pattern, url_template: "https://new.example.com/{id}" }]);
  await client.finish();
});

test("the list of invitations is asked for again when the queue was lost", async () => {
  const { harness, open } = browser.world;
  const client = await open("ada", { hash: "#organization/invitations" });
  const { page } = client;
  client.expectProblems(/^shift/);
  const invite = () =>
    expectSuccess(harness.as("ben").post("/invites/multiuse", { invite_expires_in_minutes: 600 }));
  const rows = page.getByRole("table", { name: "Invitations" }).getByRole("rowheader");
  const queueId = await queueOf(page, invite);
  await expect.poll(() => rows.count()).toBe(1);
  await loseQueue(client, { harness, name: "ada", queueId }, invite);
  await expect.poll(() => rows.count()).toBe(2);
  await client.finish();
});

test("the audit log has one filter's entries after a call that failed", async () => {
  const client = await browser.world.open("ada", { hash: "#organization/audit-log" });
  const { page } = client;
  const rows = page.getByRole("list", { name: "Audit log" }).getByRole("listitem");
  await rows.first().waitFor();
  client.expectProblems(/ERR_FAILED|^shift/);
  await page.route("**/api/v1/realm/audit_log?*", (route) => route.abort());
  await page.getByRole("combobox", { name: "About" }).selectOption({ label: "Linkifiers" });
  await page.getByRole("alert").waitFor();
  await page.unrouteAll();
  await page.getByRole("button", { name: "Try again" }).click();
  await expect.poll(() => page.getByRole("alert").count()).toBe(0);
  await client.settled();
  const texts = await rows.allTextContents();
  expect(texts.length).toBeGreaterThan(0);
  expect(texts.filter((text) => !/linkifier/i.test(text))).toEqual([]);
  await client.finish();
});

test("the focus stays on a row when another administrator changes the list", async () => {
  const { harness, open } = browser.world;
  const addEmoji = async (name: string) => {
    const content = await picture("png", 64, 64);
    const file = { name: "file", fileName: "one.png", contentType: "image/png", content };
    const { statusCode } = await harness.app.inject({
      method: "POST",
      url: `/api/v1/realm/emoji/${name}`,
      headers: { host: HOST, authorization: authorizationOf(harness, "ben"), "content-type": MULTIPART },
      payload: multipartBody([file]),
    });
    expect(statusCode).toBe(200);
  };
  await addEmoji("zebra");
  const client = await open("ada", { hash: "#organization/emoji" });
  const { page } = client;
  client.expectProblems(/^shift/);
  const remove = page.getByRole("button", { name: "Deactivate zebra" });
  await remove.focus();
  await addEmoji("aardvark");
  await page.getByText(":aardvark:").waitFor();
  expect(await remove.evaluate((element) => element === document.activeElement)).toBe(true);
  const group = { name: "bakers", description: "", members: [harness.user("dev").id] };
  const { group_id } = await expectSuccess(harness.as("ada").post("/user_groups/create", group));
  await page.goto(`${browser.world.url}/?language=en#groups/${group_id}/bakers/members`);
  const member = page.getByRole("button", { name: "Remove Dev Rao" });
  await member.focus();
  const added = { add: [harness.user("elin").id] };
  await expectSuccess(harness.as("ada").post(`/user_groups/${group_id}/members`, added));
  await page.getByRole("button", { name: "Remove Elin Berg" }).waitFor();
  expect(await member.evaluate((element) => element === document.activeElement)).toBe(true);
  await client.finish();
});

test("the focus stays on a row whose place changes, and of a list that grows long", async () => {
  const { harness, open } = browser.world;
  const names = Array.from({ length: 10 }, (_, at) => `Member ${at + 10}`);
  const created = await Promise.all(
    names.map((full_name, at) =>
      expectSuccess(
        harness.as("ada").post("/users", { email: `member${at}@demo.test`, full_name, password: PASSWORD }),
      ),
    ),
  );
  const ids: number[] = created.map(({ user_id }) => user_id);
  const members = [...ids.slice(1), harness.user("dev").id];
  const { group_id } = await expectSuccess(
    harness.as("ada").post("/user_groups/create", { name: "potters", description: "", members }),
  );
  const client = await open("ada", { hash: `#groups/${group_id}/potters/members` });
  const { page } = client;
  client.expectProblems(/^shift/);
  const group = `/user_groups/${group_id}/members`;
  const member = await page.getByRole("button", { name: "Remove Member 15" }).elementHandle();
  const hasFocus = () => member?.evaluate((button) => button === document.activeElement);
  await member?.focus();
  for (const full_name of ["Zacharias", "Aaron"]) {
    await expectSuccess(harness.as("ben").patch(`/users/${ids[5]}`, { full_name }));
    await page.getByRole("button", { name: `Remove ${full_name}` }).waitFor();
    await client.settled();
    expect(await hasFocus(), full_name).toBe(true);
  }
  const added = { add: [ids[0], harness.user("elin").id, harness.user("gus").id] };
  await expectSuccess(harness.as("ada").post(group, added));
  await page.getByRole("button", { name: "Remove Elin Berg" }).waitFor();
  await client.settled();
  expect(await hasFocus(), "long").toBe(true);
  // A row far away has no elements once the focus has left the list.
  await page.getByRole("searchbox", { name: /Filter/ }).focus();
  await page.getByRole("list", { name: "Members" }).and(page.locator("div")).waitFor();
  await client.finish();
});

test("whom one picks while others are being added is kept, and a second press adds nobody twice", async () => {
  const { harness, open } = browser.world;
  const group = { name: "millers", description: "", members: [harness.user("ada").id] };
  const { group_id } = await expectSuccess(harness.as("ada").post("/user_groups/create", group));
  const client = await open("ada", { hash: `#groups/${group_id}/millers/members` });
  const { page } = client;
  client.expectProblems(/^shift/);
  const release = await holdAnswers(page, "POST", `/user_groups/${group_id}/members`);
  await pick(client, "Add members", "elin", "Elin Berg");
  await page.getByRole("button", { name: "Add", exact: true }).click();
  await page.getByRole("button", { name: "Add", exact: true }).click();
  await pick(client, "Add members", "dev", "Dev Rao");
  await release();
  await client.settled();
  await page.getByRole("list", { name: "Members" }).getByText("Elin Berg").waitFor();
  await expect.poll(() => page.getByRole("alert").count()).toBe(0);
  await expect.poll(() => page.getByText("Nothing to do").count()).toBe(0);
  await page.locator(".chip").getByText("Dev Rao").waitFor();
  await page.getByRole("button", { name: "Add", exact: true }).click();
  await page.getByRole("list", { name: "Members" }).getByText("Dev Rao").waitFor();
  await client.finish();
});

test("a folder moves by one place for each press, however fast they follow", async () => {
  const { harness, open } = browser.world;
  for (const name of ["Alpha", "Beta", "Gamma"])
    await expectSuccess(harness.as("ada").post("/channel_folders/create", { name }));
  const client = await open("ada", { hash: "#channels/folders" });
  const { page } = client;
  client.expectProblems(/^shift/);
  const release = await holdCalls(page, "PATCH", "/channel_folders");
  await page.getByRole("button", { name: "Move Gamma up" }).click();
  await page.getByRole("button", { name: "Move Gamma up" }).click();
  release();
  const names = async () => {
    const { channel_folders } = await expectSuccess(harness.as("ada").get("/channel_folders"));
    return channel_folders.map(({ name }: { name: string }) => name);
  };
  await expect.poll(names).toEqual(["Gamma", "Alpha", "Beta"]);
  await client.finish();
});

test("an owner who gives up that role can no longer change what only owners can", async () => {
  const { harness, open } = browser.world;
  const channel = await harness.channel("archives", ["ada", "cleo"]);
  const { id } = harness.user("cleo");
  await expectSuccess(harness.as("ada").patch(`/users/${id}`, { role: roles.owner }));
  const client = await open("cleo", { hash: `#channels/${channel.id}/archives/general` });
  const { page } = client;
  // With another session, the poll of the old one ends with 401.
  client.expectProblems(/401 \(|^shift/);
  const retention = page.getByRole("combobox", { name: "Keep messages" });
  await expect.poll(() => retention.isDisabled()).toBe(false);
  const path = `/api/v1/users/${id}`;
  await page.evaluate(
    async ([url, role]) => {
      const headers = { "X-Parley-Client": "test" };
      const body = new URLSearchParams({ role: String(role) });
      await fetch(String(url), { method: "PATCH", headers, body });
    },
    [path, roles.administrator] as const,
  );
  await expect.poll(() => retention.isDisabled()).toBe(true);
  await client.finish();
});
