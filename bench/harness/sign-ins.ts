/** Many people sign in at once: a process of its own, since sending so many requests takes time. */
import { request } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import type { Person } from "./fixture.ts";
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
async function signIn(port: number, credentials: Credentials, localAddress: string): Promise<number> {
  for (let refused = 0; ; refused++) {
    const { status, retryAfter } = await ask(port, credentials, localAddress);
    if (status === 200) return refused;
    if (status !== 429 && status !== 503) throw new Error(`a sign-in was answered with ${status}`);
    await sleep(1000 * (retryAfter + Math.random()));
  }
}

function ask(
  port: number,
  { email, password }: Credentials,
  localAddress: string,
): Promise<{ status: number; retryAfter: number }> {
  const body = new URLSearchParams({ username: email, password }).toString();
  return new Promise((resolve, reject) => {
    const sent = request(
      {
        host: "127.0.0.1",
        port,
        localAddress,
        method: "POST",
        path: "/api/v1/session",
        headers: {
          host: "localhost",
          "content-type": "application/x-www-form-urlencoded",
          "content-length": Buffer.byteLength(body),
          "sec-fetch-site": "same-origin",
          "x-parley-client": "ParleyBench",
        },
      },
      (response) => {
        response.resume();
        response.on("end", () =>
          resolve({
            status: response.statusCode ?? 0,
            retryAfter: Number(response.headers["retry-after"] ?? 1),
          }),
        );
      },
    );
    sent.on("error", reject);
    sent.end(body);
  });
}
