/** One's own settings while calls fail, answers are late, and the account changes elsewhere. */
import { expect, test } from "vitest";
import { useBrowser } from "./browser.ts";
import { holdAnswers, look, loseQueue, queueOf } from "./network.ts";

const browser = useBrowser();

test("uploads are there again after a lost queue, and an old answer brings none back", async () => {
  const { harness, open } = browser.world;
  const client = await open("dev", { hash: "#settings/uploads" });
  const { page } = client;
  client.expectProblems(/^shift/);
  const upload = (name: string) =>
    page.evaluate(async (one) => {
      const form = new FormData();
      form.append("file", new Blob(["soup"]), one);
      const headers = { "X-Parley-Client": "test" };
      await fetch("/api/v1/user_uploads", { method: "POST", headers, body: form });
    }, name);
  const queueId = await queueOf(page, () => upload("soup.txt"));
  await page.getByText("soup.txt").waitFor();
  await loseQueue(client, { harness, name: "dev", queueId }, async () => {});
  await page.getByText("soup.txt").waitFor();
  const release = await holdAnswers(page, "GET", "/attachments");
  await look(page, "hidden");
  await look(page, "visible");
  await page.getByRole("button", { name: "Delete soup.txt" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Delete" }).click();
  await page.getByText("You have uploaded nothing.").waitFor();
  await release();
  await client.settled();
  await page.getByText("You have uploaded nothing.").waitFor();
  expect(await page.getByText("soup.txt").count()).toBe(0);
  await client.finish();
});
