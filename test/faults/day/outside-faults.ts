import { setTimeout as sleep } from "node:timers/promises";
import type pg from "pg";
import type { DayFault } from "./day-faults.ts";
import type { Installation } from "./installation.ts";

const fits = ({ outside }: Installation) => outside !== undefined;
/** A node that starts meanwhile says that it can't reach it. */
const common = { of: "database", reasons: ["database"], kills: true, fits } as const;
const END_ALL =
  "select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid() and backend_type = 'client backend'";

/** What happens to a PostgreSQL that somebody else runs. */
export const outsideFaults: Record<string, DayFault> = {
  "the outside database is off for 2 s": {
    ...common,
    mustSay: "database",
    play: async ({ outside }) => outside?.restart(2000),
  },
  "the outside database is off for 15 s": {
    ...common,
    mustSay: "database",
    play: async ({ outside }) => outside?.restart(15_000),
  },
  "all sessions of the outside database are ended": {
    ...common,
    play: async ({ outside }) => outside?.run(END_ALL),
  },
  "the outside database takes no writes": {
    ...common,
    async play({ outside }, random) {
      await outside?.run("alter system set default_transaction_read_only = on", "select pg_reload_conf()");
      try {
        await sleep(random.between(2000, 5000));
      } finally {
        await outside?.run(
          "set default_transaction_read_only = off",
          "alter system reset default_transaction_read_only",
          "select pg_reload_conf()",
        );
      }
    },
  },
  "the outside database has no connections left": {
    ...common,
    async play({ outside }, random) {
      const taken: pg.Client[] = [];
      const takeAll = async () => {
        for (;;) {
          const session = await outside?.session().catch(() => undefined);
          if (session === undefined) return;
          taken.push(session);
        }
      };
      try {
        const first = await outside?.session();
        if (first) taken.push(first);
        await first?.query(END_ALL);
        await takeAll();
        await sleep(random.between(4000, 6000));
      } finally {
        await Promise.all(taken.map((session) => session.end().catch(() => {})));
      }
    },
  },
  "the network to the outside database is cut off": {
    ...common,
    mustSay: "database",
    async play({ outside }, random) {
      outside?.gate.cutOff();
      try {
        await sleep(random.between(3000, 8000));
      } finally {
        outside?.gate.reconnect();
      }
    },
  },
  "the connections to the outside database break": {
    ...common,
    async play({ outside }, random) {
      for (let count = 0; count < 4; count++) {
        outside?.gate.cut();
        await sleep(random.between(50, 800));
      }
    },
  },
};
