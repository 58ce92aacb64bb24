/** What failed with a message, which its row says. */
import { createSignal } from "solid-js";
import { CallError } from "../../../client/call-error.ts";
import { state } from "../../shared/state/state.ts";

const [problems, setProblems] = createSignal<ReadonlyMap<number, string>>(new Map());

export function problemOf(messageId: number | undefined): string | undefined {
  return messageId === undefined ? undefined : problems().get(messageId);
}

export function setProblem(messageId: number, problem: string | undefined): void {
  if (problems().get(messageId) === problem) return;
  const next = new Map(problems());
  if (problem === undefined) next.delete(messageId);
  else next.set(messageId, problem);
  setProblems(next);
}

/** Makes a call about a message. Its failure is written below the message. */
export async function attempt<T>(messageId: number, call: () => Promise<T>): Promise<T | undefined> {
  setProblem(messageId, undefined);
  try {
    return await state.track(call);
  } catch (error) {
    if (!(error instanceof CallError)) throw error;
    setProblem(messageId, error.message);
    return undefined;
  }
}
