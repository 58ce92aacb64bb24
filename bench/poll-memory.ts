/**
 * What answered polls leave in memory until the next full collection. Collections of young objects must take
 * it: a list whose former storage keeps the responses would let them grow old. All that is created takes 100
 * MB.
 */
import { EventEmitter } from "node:events";
import type { ServerResponse } from "node:http";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { InFlight } from "../server/platform/http/in-flight.ts";
import { LongPoll } from "../server/platform/http/long-poll.ts";
import { size } from "./harness/options.ts";
import { printGoal, save } from "./harness/report.ts";
import { scenario } from "./harness/scenario.ts";

const WARM_UP_ROUNDS = size(50, 5);
const ROUNDS = size(300, 10);
const POLLS = 100;

await scenario(async () => {
  const collect = collector();
  const inFlight = new InFlight();
  const waiting: LongPoll[] = [];
  churn(WARM_UP_ROUNDS);
  collect();
  const before = process.memoryUsage().heapUsed;
  churn(ROUNDS);
  const grownMb = (process.memoryUsage().heapUsed - before) / 2 ** 20;
  printGoal(`MB that ${ROUNDS * POLLS} answered polls leave`, grownMb, { most: 10 });
  save("poll-memory", { polls: ROUNDS * POLLS, grownMb });

  function churn(rounds: number): void {
    for (let round = 0; round < rounds; round++) {
      for (let count = 0; count < POLLS; count++) {
        const response = Object.assign(new EventEmitter(), {
          destroyed: true,
          memory: Array.from({ length: 400 }, () => round),
        });
        const head = { requestId: "1", rate: undefined, isLast: false };
        waiting.push(new LongPoll(response as unknown as ServerResponse, head, inFlight));
        if (waiting.length > POLLS) waiting.shift()?.send("{}");
      }
      collect({ type: "minor" });
    }
  }
});

function collector(): (options?: { type: "minor" }) => void {
  setFlagsFromString("--expose-gc");
  const collect = runInNewContext("gc");
  setFlagsFromString("--no-expose-gc");
  return collect;
}
