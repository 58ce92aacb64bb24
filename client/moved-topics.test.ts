import { expect, test } from "vitest";
import { MovedTopics } from "./moved-topics.ts";

const at = (topic: string, channelId = 4) => ({ topic, channelId });

test("a topic is found where its last move left it, whatever the case of its old name", () => {
  const moved = new MovedTopics();
  moved.add({ from: at("soup"), to: at("✔ soup") });
  moved.add({ from: at("✔ soup"), to: at("✔ soup", 5) });
  expect(moved.find(at("Soup"))).toEqual(at("✔ soup", 5));
  expect(moved.find(at("bread"))).toBeUndefined();
});

test("a topic that was moved away and back is where it was", () => {
  const moved = new MovedTopics();
  moved.add({ from: at("soup"), to: at("✔ soup") });
  moved.add({ from: at("✔ soup"), to: at("soup") });
  expect(moved.find(at("soup"))).toBeUndefined();
  expect(moved.find(at("✔ soup"))).toEqual(at("soup"));
});
