import { expect, test, vi } from "vitest";
import { expectSuccess } from "../../../test/harness/answers.ts";
import { createHarness } from "../../../test/harness/harness.ts";
import { listen } from "../../../test/harness/listener.ts";

test("a listener that throws keeps an entry neither from the queues nor from other listeners", async () => {
  const harness = await createHarness();
  try {
    const { state } = harness;
    const problem = new Error("a listener failed");
    const report = vi.spyOn(state.parts, "report").mockImplementation(() => {});
    const noted: number[] = [];
    state.listen(() => {
      throw problem;
    });
    state.listen(({ position }) => noted.push(position));
    const dev = await listen(harness.as("dev"), { event_types: ["message"] });
    const to = [harness.user("dev").id];
    const { id } = await expectSuccess(
      harness.as("ada").post("/messages", { type: "direct", to, content: "hello" }),
    );
    const events = await dev.heard();
    expect(events).toMatchObject([{ type: "message", message: { id } }]);
    expect(noted).toContain(id);
    expect(report.mock.calls).toContainEqual([problem]);
    report.mockRestore();
  } finally {
    await harness.close();
  }
});
