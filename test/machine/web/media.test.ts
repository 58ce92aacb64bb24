import { expect, test } from "vitest";
import { topicNarrow } from "../../../client/narrow.ts";
import { hashOfNarrow } from "../../../client/narrow-hash.ts";
import { picture } from "../../harness/pictures.ts";
import { uploaded } from "../../harness/uploads.ts";
import { useBrowser } from "./browser.ts";
import { say } from "./seed.ts";

const browser = useBrowser();

async function openTopic(name: string, texts: (link: string, other: string) => readonly string[]) {
  const { harness, open } = browser.world;
  const channel = await harness.channel(name, ["dev", "elin"]);
  const wide = await uploaded(harness, "elin", await picture("png", 900, 300), "wide.png");
  const small = await uploaded(harness, "elin", await picture("png", 60, 40), "small.png");
  for (const text of texts(wide, small)) await say(harness, "elin", channel.id, "photos", text);
  const hash = hashOfNarrow({ narrow: topicNarrow(channel.id, "photos") });
  const client = await open("dev", { hash });
  const { page } = client;
  return { client, page, rows: page.getByRole("feed").getByRole("article") };
}

test("a key shows a picture large, arrows go on to the next, and Escape leads back to the message", async () => {
  const { client, page, rows } = await openTopic("pictures", (wide, small) => [
    `Look: [Wide](${wide})`,
    "Between",
    `And [Small](${small})`,
  ]);
  const inFeed = rows.first().getByRole("img", { name: "Wide" });
  await inFeed.waitFor();
  const { width, height } = (await inFeed.boundingBox()) ?? { width: 0, height: 0 };
  expect([Math.round(width), Math.round(height)]).toEqual([400, 133]);
  await rows.first().focus();
  await page.keyboard.press("v");
  const viewer = page.getByRole("dialog", { name: "Pictures and videos" });
  await viewer.getByText("1 of 2").waitFor();
  const large = viewer.getByRole("img", { name: "Wide" });
  await large.waitFor();
  const fitted = (await large.boundingBox())?.width ?? 0;
  expect(Math.round(fitted)).toBe(900);
  await client.checkAccessibility();
  await page.keyboard.press("+");
  await page.waitForFunction(() => (document.querySelector("dialog img")?.clientWidth ?? 0) > 1300);
  await page.keyboard.press("0");
  await page.keyboard.press("ArrowRight");
  await viewer.getByText("2 of 2").waitFor();
  await viewer.getByRole("img", { name: "Small" }).waitFor();
  await viewer.getByRole("link", { name: "Download" }).waitFor();
  await page.keyboard.press("Escape");
  await viewer.waitFor({ state: "detached" });
  expect(await rows.first().evaluate((element) => element === document.activeElement)).toBe(true);
  await client.finish();
});

test("a preview is hidden and shown again", async () => {
  const { client, page, rows } = await openTopic("folds", (wide) => [`See [Wide](${wide})`]);
  const image = rows.first().getByRole("img", { name: "Wide" });
  await image.click();
  const viewer = page.getByRole("dialog", { name: "Pictures and videos" });
  await viewer.getByRole("button", { name: "Close" }).click();
  await viewer.waitFor({ state: "detached" });
  await rows.first().getByRole("button", { name: "Hide", expanded: true }).click();
  await image.waitFor({ state: "hidden" });
  await rows.first().getByRole("button", { name: "Show the preview" }).click();
  await image.waitFor();
  await client.finish();
});

test("names and texts that look like programs are shown as text", async () => {
  const attacks = [
    '<img src=x onerror="document.title=1">',
    "<script>document.title=1</script>",
    "[link](javascript:document.title=1)",
    "`<b onclick=1>`",
    "![x](https://other.example/x.png)",
    "@**<i>nobody</i>** #**<u>x</u>>y**",
  ];
  const { client, page, rows } = await openTopic("attacks", () => attacks);
  // The other host does not exist.
  client.expectProblems(/502/);
  await rows.nth(attacks.length - 1).waitFor();
  await page.getByText("This picture can’t be shown.").waitFor();
  const feed = page.getByRole("feed");
  await feed.getByText('<img src=x onerror="document.title=1">').waitFor();
  await feed.getByText("<script>document.title=1</script>").waitFor();
  const found = await feed.evaluate((element) => ({
    elements: element.querySelectorAll("script, iframe, object, embed, [onerror], [onclick]").length,
    outside: [...element.querySelectorAll("img")].filter(({ src }) => !src.startsWith(location.origin))
      .length,
    programs: [...element.querySelectorAll("a")].filter(({ protocol }) => protocol === "javascript:").length,
  }));
  expect(found).toEqual({ elements: 0, outside: 0, programs: 0 });
  await expect.poll(() => page.title()).toContain("Demo");
  await client.finish();
});
