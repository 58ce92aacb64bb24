/**
 * Many networks guess passwords as fast as the server answers: a process of its own, since sending so many
 * requests takes time. It guesses until its parent asks what it has done.
 */
import { Agent } from "node:http";
import { postForm } from "./post-form.ts";

export interface GuessesTask {
  port: number;
  networks: number;
  /** Somebody whose password they want. Each second guess is for a name that nobody has. */
  email: string;
}

export interface GuessesResult {
  /** How many guesses were answered with each status. */
  statuses: Record<string, number>;
}

const CONNECTIONS_OF_NETWORK = 2;
const statuses: Record<string, number> = {};
let isOver = false;

process.on("message", (task: GuessesTask | "end") => {
  if (task === "end") {
    isOver = true;
    process.send?.({ statuses } satisfies GuessesResult, () => process.exit(0));
    return;
  }
  for (let network = 0; network < task.networks; network++) guessFrom(task, `127.2.${network}.1`);
  process.send?.({});
});
process.on("disconnect", () => process.exit(0));
process.send?.({});

function guessFrom(task: GuessesTask, localAddress: string): void {
  const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS_OF_NETWORK });
  for (let line = 0; line < CONNECTIONS_OF_NETWORK; line++) {
    void (async () => {
      for (let turn = line; !isOver; turn++) {
        const username = turn % 2 === 0 ? task.email : `${localAddress}-${turn}@example.test`;
        const status = await guess(task.port, agent, localAddress, username);
        statuses[status] = (statuses[status] ?? 0) + 1;
      }
    })();
  }
}

/** The answer's status; 0 when the connection ended with the benchmark. */
async function guess(port: number, agent: Agent, localAddress: string, username: string): Promise<number> {
  const fields = { username, password: "not the password" };
  try {
    return (await postForm({ port, agent, localAddress, path: "/api/v1/fetch_api_key", fields })).status;
  } catch (error) {
    if (isOver) return 0;
    throw error;
  }
}
