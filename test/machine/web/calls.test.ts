import { expect, test } from "vitest";
import { topicNarrow } from "../../../client/narrow.ts";
import { hashOfNarrow } from "../../../client/narrow-hash.ts";
import { expectSuccess } from "../../harness/answers.ts";
import { useBrowser } from "./browser.ts";

const browser = useBrowser();

test("the box offers calls once there is a server for them", async () => {
  const { harness, open } = browser.world;
  const channel = await harness.channel("calls", ["dev"]);
  const client = await open("dev", { hash: hashOfNarrow({ narrow: topicNarrow(channel.id, "now") }) });
  const { page } = client;
  const insert = page.getByRole("button", { name: "More to insert" });
  await insert.click();
  await page.getByRole("menuitem", { name: "Poll" }).waitFor();
  expect(await page.getByRole("menuitem", { name: "Video call" }).count()).toBe(0);
  await page.keyboard.press("Escape");
  await expectSuccess(harness.as("ada").patch("/realm", { jitsi_server_url: "https://meet.example.com/" }));
  const texts: string[] = [];
  for (let count = 0; count < 2; count++) {
    await expect
      .poll(async () => {
        await insert.click();
        await page.getByRole("menuitem", { name: "Poll" }).waitFor();
        const found = await page.getByRole("menuitem", { name: "Video call" }).count();
        // Another Escape would close the box.
        if (found === 0) await page.keyboard.press("Escape");
        return found;
      })
      .toBe(1);
    await page.getByRole("menuitem", { name: "Video call" }).click();
    const box = page.getByRole("main").getByRole("textbox").last();
    await expect
      .poll(() => box.inputValue())
      .toMatch(/^\[Join the call\]\(https:..meet.example.com.\w{24}\)$/);
    texts.push(await box.inputValue());
    await box.fill("");
  }
  expect(texts[0]).not.toBe(texts[1]);
  await client.finish();
});

test("a box about what people may do is checked while they may", async () => {
  const { harness, open } = browser.world;
  const client = await open("ada", { hash: "#organization/people" });
  const { page } = client;
  const box = page.getByRole("checkbox", { name: "People may change their name" });
  await box.waitFor();
  expect(await box.isChecked()).toBe(true);
  await box.uncheck();
  await client.settled();
  const known = await expectSuccess(harness.as("ada").post("/register", { fetch_event_types: ["realm"] }));
  expect(known.realm_name_changes_disabled).toBe(true);
  await client.finish();
});
