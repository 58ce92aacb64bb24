// Names with markup in the client: no element is made of them, and nothing of them runs.
import { expect, test } from "vitest";
import { channelNarrow, topicNarrow } from "../../../client/narrow.ts";
import { hashOfNarrow } from "../../../client/narrow-hash.ts";
import { expectSuccess } from "../../harness/answers.ts";
import { upload } from "../../harness/uploads.ts";
import { useBrowser } from "./browser.ts";
import { say } from "./seed.ts";

const browser = useBrowser();

const IMAGE = "<img src=x onerror=hacked()>";
const SCRIPT = "<script>hacked()</script>";

test("names with markup are shown as they are, wherever the client shows them", async () => {
  const { harness, open } = browser.world;
  const ada = harness.as("ada");
  const channel = await harness.channel(`${IMAGE} one`, ["ada", "dev", "elin"]);
  await expectSuccess(ada.patch(`/streams/${channel.id}`, { description: `${IMAGE} **two**` }));
  const members = [harness.user("dev").id, harness.user("ada").id];
  await expectSuccess(
    ada.post("/user_groups/create", { name: `${IMAGE} three`, description: SCRIPT, members }),
  );
  const { channel_folder_id: folder_id } = await expectSuccess(
    ada.post("/channel_folders/create", { name: `${IMAGE} four`, description: SCRIPT }),
  );
  await expectSuccess(ada.patch(`/streams/${channel.id}`, { folder_id }));
  const field = { name: `${IMAGE} five`, hint: SCRIPT, field_type: 1 };
  const { id: fieldId } = await expectSuccess(ada.post("/realm/profile_fields", field));
  await expectSuccess(
    ada.patch("/users/me/profile_data", { data: [{ id: fieldId, value: `${IMAGE} six` }] }),
  );
  await expectSuccess(ada.post("/users/me/status", { status_text: `${IMAGE} seven` }));
  await expectSuccess(ada.post("/saved_snippets", { title: `${IMAGE} eight`, content: SCRIPT }));
  await expectSuccess(ada.patch("/realm", { name: `${IMAGE} nine`, description: SCRIPT }));
  await say(harness, "elin", channel.id, `${IMAGE} ten`, `${IMAGE} [x](javascript:hacked()) @**all**`);
  await say(harness, "elin", channel.id, `${IMAGE} ten`, `/poll ${IMAGE} eleven\n${IMAGE} twelve`);
  const { url } = await expectSuccess(
    upload(harness, "ada", { name: "f", content: "soup", fileName: "<img src=x onerror=hacked()>.txt" }),
  );
  await say(harness, "ada", channel.id, `${IMAGE} ten`, `[${IMAGE}](${url})`);

  const client = await open("ada", { hash: "#inbox" });
  // The hash is set without a click, so what moves then counts as a shift.
  client.expectProblems(/^shift: /);
  const { page } = client;
  const dialogs: string[] = [];
  page.on("dialog", (dialog) => {
    dialogs.push(dialog.message());
    void dialog.dismiss();
  });
  const hashes = [
    "#inbox",
    "#recent",
    hashOfNarrow({ narrow: channelNarrow(channel.id) }),
    hashOfNarrow({ narrow: topicNarrow(channel.id, `${IMAGE} ten`) }),
    ...["#channels/all", "#channels/folders", "#groups/all", "#settings/profile", "#settings/uploads"],
    ...["#organization/profile", "#organization/users", "#organization/profile-fields"],
    ...["#organization/audit-log", "#drafts"],
  ];
  let shown = 0;
  for (const hash of hashes) {
    await page.evaluate((to) => {
      location.hash = to;
    }, hash);
    await client.settled();
    const found = await page.evaluate(() => ({
      made: [
        ...document.querySelectorAll("img[src='x'], [onerror], [onmouseover], a[href^='javascript']"),
      ].map(({ outerHTML }) => outerHTML),
      scripts: [...document.querySelectorAll("script")].filter(({ textContent }) =>
        textContent?.includes("hacked()"),
      ).length,
      isShown: document.body.innerText.includes("<img src=x"),
    }));
    expect([hash, found.made, found.scripts]).toEqual([hash, [], 0]);
    if (found.isShown) shown++;
  }
  // The names are on these pages, or nothing would be shown by their absence as elements.
  expect(shown).toBeGreaterThan(4);
  expect(dialogs).toEqual([]);
  await client.finish();
});
