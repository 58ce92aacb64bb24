/** Many people sign in at once: a process of its own, since sending so many requests takes time. */
import { setTimeout as sleep } from "node:timers/promises";
import type { Person } from "./fixture.ts";
import { postForm } from "./post-form.ts";
import { answerTask } from "./task.ts";

export interface SignInsTask {
  port: number;
  people: readonly Person[];
  password: string;
}

export interface SignInsResult {
  seconds: number;
  /** Tries that were refused for now, and came back. */
  refused: number;
}

answerTask<SignInsTask, SignInsResult>(async ({ port, people, password }) => {
  const startedAt = performance.now();
  const refused = await Promise.all(
    people.map(({ email }, index) => signIn(port, { email, password }, `127.1.${index}.1`)),
  );
  return {
    seconds: (performance.now() - startedAt) / 1000,
    refused: refused.reduce((sum, count) => sum + count, 0),
  };
});
process.send?.({});

interface Credentials {
  email: string;
  password: string;
}

/** Each from a network of its own. Returns how often the server was too busy. */
async function signIn(port: number, { email, password }: Credentials, localAddress: string): Promise<number> {
  const path = "/api/v1/session";
  const fields = { username: email, password };
  const headers = { "sec-fetch-site": "same-origin", "x-parley-client": "ParleyBench" };
  for (let refused = 0; ; refused++) {
    const { status, retryAfter } = await postForm({ port, path, localAddress, fields, headers });
    if (status === 200) return refused;
    if (status !== 429 && status !== 503) throw new Error(`a sign-in was answered with ${status}`);
    await sleep(1000 * (retryAfter + Math.random()));
  }
}
