import { afterAll, beforeAll, test } from "vitest";
import { editIn, expectSuccess, sayIn, showIn } from "../harness/answers.ts";
import { throughout } from "../harness/follow.ts";
import { createHarness, type Harness } from "../harness/harness.ts";
import { runJobs } from "../harness/jobs.ts";
import { OtherHost } from "../harness/other-host.ts";

let harness: Harness;
let host: OtherHost;
beforeAll(async () => {
  [harness, host] = await Promise.all([
    createHarness({ PARLEY_OUTGOING_ALLOW: "127.0.0.1" }),
    OtherHost.start(),
  ]);
  await harness.channel("kitchen", ["ada", "ben", "dev", "gus", "echo"]);
  await expectSuccess(harness.as("ada").patch("/realm", { inline_url_embed_preview: true }));
});
afterAll(async () => {
  await host.stop();
  await harness.services.outbound.stop();
  await harness.close();
});

const say = sayIn(() => harness);
const edit = editIn(() => harness);
const show = showIn(() => harness);

async function work(): Promise<void> {
  await runJobs(harness.services);
  await harness.services.outbound.settled();
}

test("a preview that comes late changes the HTML alone, before and after an edit", async ({ expect }) => {
  const image = '<meta property="og:image" content="/a.png">';
  const [soup, bread] = ["Soup", "Bread"].map((title) =>
    host.page(`/${title}`, `<title>${title}</title>${image}`),
  );
  const [id] = await throughout(
    harness,
    async () => [await say("dev", "kitchen", { content: `@**Ben Ito** ${soup}` })],
    work,
  );
  expect((await show("ben", id as number)).content).toContain(">Soup<");
  await throughout(
    harness,
    async () => [id as number],
    async () => {
      await expectSuccess(edit("dev", id as number, { content: `and ${soup} ${bread}` }));
      await work();
    },
  );
  expect((await show("ben", id as number)).content).toMatch(/>Soup<[\s\S]*>Bread</);
});
