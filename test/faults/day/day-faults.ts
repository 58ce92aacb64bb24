import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, renameSync, rmSync } from "node:fs";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { Random } from "../../harness/random.ts";
import { answerError } from "../../harness/s3-server.ts";
import { faults } from "../faults.ts";
import type { Installation } from "./installation.ts";
import type { Expected } from "./watch.ts";

export interface DayFault extends Expected {
  /** What breaks. Two faults at once break different things. */
  of: "server" | "database" | "disk" | "log" | "files" | "mail" | "webhook" | "network";
  /** Whether this installation can have it. */
  fits?: (installation: Installation) => boolean;
  /** Processes are killed, or their connections are, so that what was under way may be done twice. */
  kills?: boolean;
  /** With what words a server may end by itself. */
  mayEnd?: RegExp;
  /** Breaks something, and resolves when it is right again, as far as an operator puts it right. */
  play(installation: Installation, random: Random): Promise<void>;
}

/** How long something stays broken, in milliseconds. */
const awhile = (random: Random) => sleep(random.between(2000, 5000));
/** Longer than `/ready` keeps an answer, and than the database may be late. */
const longer = (random: Random) => sleep(random.between(4000, 8000));

const ofCluster = (name: keyof typeof faults) => (installation: Installation, random: Random) =>
  faults[name](installation.cluster(), random);
const isOwn = ({ kind }: Installation) => !kind.isOutside;
/** The disk is full while `act` runs: what the server deletes meanwhile makes no room. */
async function keptFull(disk: Installation["dataDisk"], act: () => Promise<void>): Promise<void> {
  const fill = () => disk?.resize(200);
  fill();
  const filling = setInterval(() => {
    try {
      fill();
    } catch {
      // Somebody wrote after the look: there is even less room than that.
    }
  }, 250);
  try {
    await act();
  } finally {
    clearInterval(filling);
    disk?.resize(2 * 1024 * 1024);
  }
}

/** The sentences of a server that can't begin, or go on, without room. */
const NO_ROOM =
  /The disk( under the database)? is full\.|no space is left on the disk|No space left on device/;

/** A start refuses an empty place, which may be a mount point. */
const NO_FILES = /has no files of this installation\. Is it mounted\?/;

/** A server that is just starting when its database is killed. Whatever starts it does so again. */
const NOT_READY = /PostgreSQL was ended by SIGKILL before it was ready\./;

export const serverFaults: Record<string, DayFault> = {
  "SIGTERM of the server while polls are held": {
    ...{ of: "server", reasons: [], ends: true },
    play: ofCluster("SIGTERM of a server"),
  },
  "SIGKILL of the server": {
    ...{ of: "server", reasons: [], ends: true, kills: true },
    play: ofCluster("SIGKILL of a server"),
  },
  "SIGHUP, SIGUSR1 and SIGUSR2 to the server": {
    ...{ of: "server", reasons: [] },
    async play({ node }) {
      for (const signal of ["SIGHUP", "SIGUSR1", "SIGUSR2"] as const) {
        node.signal(signal);
        await sleep(100);
      }
    },
  },
  "SIGSTOP of the server": {
    ...{ of: "server", reasons: ["database"], mayNotAnswer: true, kills: true },
    async play({ node }, random) {
      node.signal("SIGSTOP");
      try {
        await longer(random);
      } finally {
        node.signal("SIGCONT");
      }
    },
  },
};

export const databaseFaults: Record<string, DayFault> = {
  "SIGKILL of a database session": {
    ...{ of: "database", reasons: ["database"], kills: true },
    play: ofCluster("SIGKILL of a database session"),
  },
  "SIGKILL of the checkpointer": {
    ...{ of: "database", reasons: ["database"], kills: true },
    play: ofCluster("SIGKILL of the checkpointer"),
  },
  "SIGKILL of the postmaster": {
    ...{ of: "database", reasons: ["database"], kills: true, fits: isOwn, mayEnd: NOT_READY },
    play: ofCluster("SIGKILL of the postmaster"),
  },
  "SIGKILL of the server and the postmaster": {
    ...{ of: "database", reasons: ["database"], ends: true, kills: true, fits: isOwn, mayEnd: NOT_READY },
    play: ofCluster("SIGKILL of a server and the postmaster"),
  },
  "SIGSTOP of a database session": {
    ...{ of: "database", reasons: ["database"], kills: true },
    async play(installation, random) {
      const backends = installation.database()?.backends ?? [];
      await stopped([random.pick(backends)], () => longer(random));
    },
  },
  "SIGSTOP of the whole database": {
    ...{ of: "database", reasons: ["database"], mustSay: "database", kills: true },
    async play(installation, random) {
      const found = installation.database();
      await stopped(found ? [found.postmaster, ...found.backends] : [], () => longer(random));
    },
  },
};

export const diskFaults: Record<string, DayFault> = {
  "the disk of the data is full": {
    ...{ of: "disk", reasons: ["disk", "database"], mustSay: "disk", kills: true, mayEnd: NO_ROOM },
    // The disk of a database outside is another one.
    fits: (installation) => installation.dataDisk !== undefined && isOwn(installation),
    async play({ dataDisk }, random) {
      await keptFull(dataDisk, () => longer(random));
    },
  },
  "the disk of the data is full, and the database ends": {
    ...{ of: "disk", reasons: ["disk", "database"], ends: true, kills: true, mayEnd: NO_ROOM },
    fits: (installation) => installation.dataDisk !== undefined && isOwn(installation),
    async play(installation, random) {
      await keptFull(installation.dataDisk, async () => {
        await sleep(random.between(500, 1500));
        const { postmaster } = installation.database() ?? {};
        if (postmaster !== undefined) process.kill(postmaster, "SIGKILL");
        await longer(random);
      });
    },
  },
  "the disk of a server with an outside database is full": {
    ...{ of: "files", reasons: [] },
    fits: ({ kind, dataDisk }) => !kind.hasBucket && dataDisk !== undefined && kind.isOutside,
    async play({ dataDisk }, random) {
      await keptFull(dataDisk, () => longer(random));
    },
  },
  "the disk of the log is full": {
    ...{ of: "log", reasons: [] },
    fits: ({ logDisk }) => logDisk !== undefined,
    async play({ logDisk, node }, random) {
      logDisk?.resize(0);
      try {
        // What is logged meanwhile: two lines at least.
        for (const signal of ["SIGUSR1", "SIGHUP"] as const) node.signal(signal);
        await awhile(random);
      } finally {
        logDisk?.resize(64 * 1024);
      }
    },
  },
  "nobody reads the log": {
    ...{ of: "log", reasons: [] },
    fits: ({ kind }) => !kind.hasLogFile,
    async play({ node }, random) {
      node.neglectLog(true);
      try {
        // More than a pipe takes.
        for (let count = 0; count < 800; count++) {
          node.signal("SIGUSR2");
          if (count % 20 === 0) await sleep(5);
        }
        await awhile(random);
      } finally {
        node.neglectLog(false);
      }
    },
  },
};

export const filesFaults: Record<string, DayFault> = {
  "the directory of files is gone": {
    ...{ of: "files", reasons: [], mayEnd: NO_FILES },
    fits: ({ kind }) => !kind.hasBucket,
    async play({ dataDir }, random) {
      const [files, away] = [path.join(dataDir, "files"), path.join(dataDir, "files-away")];
      renameSync(files, away);
      try {
        await awhile(random);
      } finally {
        bringBack(away, files);
      }
    },
  },
  "the directory of files is read-only": {
    ...{ of: "files", reasons: [] },
    fits: ({ kind, dataDisk }) => !kind.hasBucket && dataDisk !== undefined,
    async play({ dataDir }, random) {
      const files = path.join(dataDir, "files");
      execFileSync("mount", ["--bind", files, files]);
      try {
        execFileSync("mount", ["-o", "remount,bind,ro", files]);
        await awhile(random);
      } finally {
        execFileSync("umount", ["--lazy", files]);
      }
    },
  },
  "the bucket answers 503": {
    ...{ of: "files", reasons: [] },
    fits: ({ bucket }) => bucket !== undefined,
    async play({ bucket }, random) {
      if (bucket) bucket.intercept = (_request, response) => answerError(response, 503, "SlowDown");
      try {
        await awhile(random);
      } finally {
        if (bucket) bucket.intercept = undefined;
      }
    },
  },
  "the bucket is gone": {
    ...{ of: "files", reasons: [] },
    fits: ({ bucket }) => bucket !== undefined,
    async play({ bucket }, random) {
      if (bucket) bucket.intercept = (_request, response) => answerError(response, 404, "NoSuchBucket");
      try {
        await awhile(random);
      } finally {
        if (bucket) bucket.intercept = undefined;
      }
    },
  },
};

export const neighbourFaults: Record<string, DayFault> = {
  "the mail server is down": {
    ...{ of: "mail", reasons: [] },
    async play({ mail }, random) {
      await mail.gate.shut();
      await awhile(random);
      await mail.gate.reopen();
    },
  },
  "the mail server is silent": {
    ...{ of: "mail", reasons: [] },
    async play({ mail }, random) {
      mail.gate.hold();
      await longer(random);
      mail.gate.release();
    },
  },
  "the mail server refuses recipients": {
    ...{ of: "mail", reasons: [] },
    async play({ mail }, random) {
      mail.server.refusal = { at: "recipient", code: 450, text: "4.2.1 Try again later" };
      await awhile(random);
      mail.server.refusal = undefined;
    },
  },
  "the mail server refuses the sender": {
    ...{ of: "mail", reasons: [] },
    async play({ mail }, random) {
      mail.server.refusal = { at: "sender", code: 550, text: "5.1.8 Not from you" };
      await awhile(random);
      mail.server.refusal = undefined;
    },
  },
  "the program of a webhook hangs": {
    ...{ of: "webhook", reasons: [] },
    async play({ webhook }, random) {
      webhook.gate.hold();
      await longer(random);
      webhook.gate.release();
    },
  },
  "the program of a webhook is gone": {
    ...{ of: "webhook", reasons: [] },
    async play({ webhook }, random) {
      await webhook.gate.shut();
      await awhile(random);
      await webhook.gate.reopen();
    },
  },
  "the program of a webhook answers 500": {
    ...{ of: "webhook", reasons: [] },
    async play({ webhook }, random) {
      webhook.answers500 = true;
      await awhile(random);
      webhook.answers500 = false;
    },
  },
  "all connections of clients are cut, again and again": {
    ...{ of: "network", reasons: [] },
    async play({ clients }, random) {
      for (let count = 0; count < 8; count++) {
        clients.cut();
        await sleep(random.between(50, 600));
      }
    },
  },
  "the network to clients is slow": {
    ...{ of: "network", reasons: [] },
    async play({ clients }, random) {
      clients.delayMs = random.between(200, 600);
      await awhile(random);
      clients.delayMs = 0;
    },
  },
  "connections of clients are half open": {
    ...{ of: "network", reasons: [] },
    async play({ clients }, random) {
      clients.hold();
      await awhile(random);
      clients.release();
    },
  },
};

/** Stops processes for a while. One that has ended meanwhile needs nothing. */
async function stopped(pids: readonly number[], whileStopped: () => Promise<unknown>): Promise<void> {
  const signal = (name: NodeJS.Signals) => {
    for (const pid of pids) {
      try {
        process.kill(pid, name);
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error;
      }
    }
  };
  signal("SIGSTOP");
  try {
    await whileStopped();
  } finally {
    signal("SIGCONT");
  }
}

/** Puts a directory back. What was stored in its place meanwhile would be hidden by it. */
function bringBack(away: string, place: string): void {
  const names = existsSync(place) ? readdirSync(place).filter((name) => !name.startsWith(".")) : [];
  if (names.length > 0) throw new Error(`files were stored where their disk is not mounted: ${names}`);
  rmSync(place, { recursive: true, force: true });
  renameSync(away, place);
}
