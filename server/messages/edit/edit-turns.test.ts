import { afterAll, afterEach, beforeAll, expect, test, vi } from "vitest";
import { expectSuccess, sayIn } from "../../../test/harness/answers.ts";
import { createHarness, type Harness } from "../../../test/harness/harness.ts";
import { uploaded } from "../../../test/harness/uploads.ts";
import { renderTurns } from "../../content/rendering.ts";

let harness: Harness;
beforeAll(async () => {
  harness = await createHarness();
  await harness.channel("general", ["ada", "dev"]);
});
afterAll(() => harness.close());
afterEach(() => vi.restoreAllMocks());

const say = sayIn(() => harness);

test.each(["a long text", "a long text with [a file](/user_uploads/x)"])(
  "an edit whose text waits for its turn holds up nobody: %s",
  async (content) => {
    const id = await say("dev", "general");
    const run = renderTurns.run.bind(renderTurns);
    let take = () => {};
    const turn = new Promise<void>((resolve) => {
      take = resolve;
    });
    const turns = vi
      .spyOn(renderTurns, "run")
      .mockImplementation(((owner, cost, work) =>
        owner === harness.user("dev").id ? turn.then(work) : run(owner, cost, work)) as typeof run);
    const edit = harness.as("dev").patch(`/messages/${id}`, { content });
    await expect.poll(() => turns).toHaveBeenCalled();
    const moved = harness.as("ada").patch(`/messages/${id}`, { topic: "other" });
    // Its turn comes only after that.
    expect((await moved).status).toBe(200);
    take();
    await expectSuccess(edit);
    const { message } = await expectSuccess(harness.as("ada").get(`/messages/${id}`));
    expect(message).toMatchObject({ subject: "other", content: expect.stringContaining("a long text") });
  },
);

test("an edit links the files of its text that its writer may read", async () => {
  const id = await say("dev", "general");
  const url = await uploaded(harness, "dev", "soup", "soup.txt");
  await expectSuccess(harness.as("dev").patch(`/messages/${id}`, { content: `[soup](${url})` }));
  const { attachments } = await expectSuccess(harness.as("dev").get("/attachments"));
  expect(attachments).toMatchObject([{ messages: [{ id }] }]);
});
