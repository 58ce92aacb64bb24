import { expect } from "vitest";
import type { Answer, CastName, Harness } from "./harness.ts";

/** Returns the response of a call that must succeed. */
export async function expectSuccess(answer: Promise<Answer>): Promise<Answer["body"]> {
  const { status, body } = await answer;
  expect(status, JSON.stringify(body)).toBe(200);
  return body;
}

/** Returns the error of a call that must be refused. */
export async function refusal(answer: Promise<Answer>): Promise<string> {
  const { status, body } = await answer;
  expect(status, JSON.stringify(body)).toBe(400);
  return body.msg;
}

/** Sends a message, by default in a channel, and returns its id. The harness may be made later. */
export function sayIn(harness: () => Harness) {
  return async (name: CastName, to: unknown, more: Record<string, unknown> = {}): Promise<number> => {
    const message = { type: "channel", to, topic: "lunch", content: "Soup today?", ...more };
    return (await expectSuccess(harness().as(name).post("/messages", message))).id;
  };
}

/** Changes a message or moves it. The answer may be a refusal. */
export function editIn(harness: () => Harness) {
  return (name: CastName, id: number, params: Record<string, unknown>): Promise<Answer> =>
    harness().as(name).patch(`/messages/${id}`, params);
}

/** Gives a message as somebody sees it. */
export function showIn(harness: () => Harness) {
  return async (name: CastName, id: number): Promise<Answer["body"]> =>
    (await harness().as(name).get(`/messages/${id}`)).body.message;
}
