/** What another administrator does while somebody has a page, a form or a dialog open. */
import { expect, test } from "vitest";
import { expectSuccess } from "../../harness/answers.ts";
import { useBrowser } from "./browser.ts";

const browser = useBrowser();

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
