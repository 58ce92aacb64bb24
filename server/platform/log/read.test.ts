import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { createHarness, type Harness } from "../../../test/harness/harness.ts";
import { Node } from "../../../test/harness/node.ts";
import { ServerBusy } from "../db/server-busy.ts";
import { runStateChange } from "./change.ts";
import { nobody } from "./log-entry.ts";
import { runRead } from "./read.ts";
import { storedEvent } from "./stored-event.ts";

let harness: Harness;
let other: Node;

beforeAll(async () => {
  harness = await createHarness();
  other = await Node.start(harness.services.config, harness.services.database.connection, {
    organizationId: harness.state.organizationId,
  });
});

afterAll(async () => {
  await other.stop();
  await harness.close();
});

const testNote = storedEvent<{ text: string }>()({ type: "test_note", op: undefined });

const rename = (fullName: string) =>
  runStateChange(other.state, async (tx) => {
    const user = { ...harness.user("gus").user, fullName };
    tx.append(testNote, { text: "renamed" }, nobody, { users: { put: [user] } });
  });

test("what is decided on memory that is older than the rows is decided again", async () => {
  await rename("Gus the Second");
  const seen: string[] = [];
  const result = await runRead(harness.state, async () => {
    seen.push(harness.user("gus").user.fullName);
    return seen.at(-1);
  });
  expect(result).toBe("Gus the Second");
});

test("a refusal on memory that is older than the rows is decided again", async () => {
  await rename("Gus the Third");
  const result = await runRead(harness.state, async () => {
    if (harness.user("gus").user.fullName !== "Gus the Third") throw new Error("refused on old memory");
    return "allowed";
  });
  expect(result).toBe("allowed");
  const refused = runRead(harness.state, async () => {
    throw new Error("refused on current memory");
  });
  await expect(refused).rejects.toThrow("refused on current memory");
});

test("a read that is beaten every time is put off", async () => {
  const reads = vi.spyOn(harness.state.database, "snapshot");
  const { stateHead } = harness.state;
  // As if memory never caught up.
  Object.defineProperty(harness.state, "stateHead", { value: stateHead - 1, writable: true });
  await expect(runRead(harness.state, async () => "never")).rejects.toBeInstanceOf(ServerBusy);
  expect(reads).toHaveBeenCalledTimes(10);
});
