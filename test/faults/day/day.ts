import { readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { temporaryDirectory } from "../../e2e/parley.ts";
import { findProcesses } from "../../harness/checkout.ts";
import { Random } from "../../harness/random.ts";
import { type Account, demand } from "../ask.ts";
import { type Round, runPlan } from "../run.ts";
import {
  type DayFault,
  databaseFaults,
  diskFaults,
  filesFaults,
  neighbourFaults,
  serverFaults,
} from "./day-faults.ts";
import { DayReport } from "./day-report.ts";
import { Installation, type Kind } from "./installation.ts";
import { type Deed, deeds, doAgain, type Office } from "./meanwhile.ts";
import { Uploads } from "./neighbours.ts";
import { outsideFaults } from "./outside-faults.ts";
import { type Expected, Watch } from "./watch.ts";

const BACK_MS = 60_000;
const ORPHAN_MS = 15_000;
/** A server may grow by this much in a day of minutes: its caches fill. */
const GROWTH_KIB = 300 * 1024;

export const dayFaults: Record<string, DayFault> = {
  ...serverFaults,
  ...databaseFaults,
  ...diskFaults,
  ...filesFaults,
  ...neighbourFaults,
  ...outsideFaults,
};

export interface DayPlan {
  kind: Kind;
  seed: number;
  /** For how long rounds begin, in milliseconds since the installation was there. */
  lastsMs: number;
  /** Only this fault, once. */
  only?: string | undefined;
  say: (line: string) => void;
}

/** What one round breaks: a fault, or two at once, or one while another is recovered from. */
interface Trouble {
  faults: [string, DayFault][];
  /** The second one comes in the recovery of the first. */
  isLate: boolean;
  deed: [string, Deed] | undefined;
  deedEnd?: Promise<boolean>;
}

/** A game day of one installation. Throws at the first promise that is not kept. */
export async function runDay({ kind, seed, lastsMs, only, say }: DayPlan): Promise<DayReport> {
  const installation = await Installation.start(kind);
  const report = new DayReport();
  try {
    await new Day(installation, seed, Date.now() + lastsMs, only, report, say).run();
  } catch (error) {
    say(`what the server has logged last:\n${installation.log.last.join("\n")}`);
    throw error;
  } finally {
    await installation.stop();
  }
  installation.log.check();
  report.errors = installation.log.stacks;
  await noOrphans(installation);
  return report;
}

class Day {
  readonly #installation: Installation;
  readonly #seed: number;
  readonly #until: number;
  readonly #only: string | undefined;
  readonly #report: DayReport;
  readonly #say: (line: string) => void;
  readonly #watch: Watch;
  readonly #uploads = new Uploads();
  readonly #deck: string[] = [];
  readonly #memory = new Map<number, number>();
  #trouble: Trouble | undefined;
  #kills = false;

  constructor(
    installation: Installation,
    seed: number,
    until: number,
    only: string | undefined,
    report: DayReport,
    say: (line: string) => void,
  ) {
    this.#installation = installation;
    this.#seed = seed;
    this.#until = until;
    this.#only = only;
    this.#report = report;
    this.#say = say;
    this.#watch = new Watch(installation.node);
  }

  async run(): Promise<void> {
    const { where, mail, webhook } = this.#installation;
    const [ada, ben] = [await signIn(where, "ada"), await signIn(where, "ben")];
    const walt = await this.#newcomer(ada, "walt");
    const office = { installation: this.#installation, owner: ada, reader: ben, dir: temporaryDirectory() };
    mail.start(where, [ada, ben]);
    await webhook.start(where, ben, walt);
    this.#uploads.start(where, walt);
    await this.#watch.readySince(0, BACK_MS);
    try {
      const load = await runPlan({
        cluster: this.#installation.cluster(),
        seed: this.#seed,
        before: [200, 1000],
        next: (round, random) => this.#next(round, random),
        play: (_name, random) => this.#play(office, random),
        settled: (round) => this.#settled(office, round),
        mayEnd: ({ log }) => this.#mayEnd(log),
      });
      this.#report.load = load;
      await this.#uploads.stop();
      await this.#uploads.check(where, walt, true);
      await webhook.finish();
      await mail.finish();
      this.#report.around = `${mail.invited.length} mails (${mail.doubled} came twice), ${webhook.sent.length} calls of a webhook, ${this.#uploads.uploaded.length} files`;
    } finally {
      await this.#watch.stop();
      await this.#uploads.stop().catch(() => {});
    }
  }

  /** A new fault each time, as from a deck of cards; in every third round with another one. */
  #next(round: number, random: Random): string | undefined {
    if (this.#only !== undefined) {
      const fault = dayFaults[this.#only];
      if (fault === undefined) throw new Error(`there is no fault '${this.#only}'`);
      if (round > 0) return undefined;
      this.#trouble = { faults: [[this.#only, fault]], isLate: false, deed: undefined };
      return this.#only;
    }
    if (Date.now() >= this.#until) return undefined;
    const first = this.#draw(random);
    const faults = [first];
    const isPair = round % 3 === 2;
    if (isPair) {
      const others = this.#possible().filter(([, { of }]) => of !== first[1].of);
      faults.push(random.pick(others));
    }
    const isLate = isPair && random.next() < 0.5;
    const possible = Object.entries(deeds).filter(([, { fits }]) => fits?.(this.#installation) ?? true);
    const deed = random.next() < 0.5 ? random.pick(possible) : undefined;
    this.#trouble = { faults, isLate, deed };
    const names = faults.map(([name]) => name).join(isLate ? ", then " : ", with ");
    return deed === undefined ? names : `${names} (during ${deed[0]})`;
  }

  #possible(): [string, DayFault][] {
    return Object.entries(dayFaults).filter(([, { fits }]) => fits?.(this.#installation) ?? true);
  }

  #draw(random: Random): [string, DayFault] {
    if (this.#deck.length === 0) this.#deck.push(...random.shuffle(this.#possible().map(([name]) => name)));
    const name = this.#deck.pop() as string;
    return [name, dayFaults[name] as DayFault];
  }

  async #play(office: Office, random: Random): Promise<void> {
    const trouble = this.#trouble as Trouble;
    const { faults, isLate, deed } = trouble;
    this.#say(
      `${new Date().toISOString()} ${faults.map(([name]) => name).join(isLate ? ", then " : ", with ")}`,
    );
    if (faults.some(([, { kills, ends }]) => kills || ends)) this.#kills = true;
    this.#installation.mail.mayDouble = this.#kills;
    if (deed) {
      trouble.deedEnd = deed[1].begin(office, this.#report.rounds.length);
      trouble.deedEnd.catch(() => {});
      await sleep(random.between(0, 800));
    }
    const own = faults.map(() => new Random(random.upTo(2 ** 31)));
    const play = (index: number) => faults[index]?.[1].play(this.#installation, own[index] as Random);
    if (isLate) {
      await play(0);
      await sleep(random.between(0, 1500));
      await play(1);
    } else {
      await Promise.all(faults.map((_, index) => play(index)));
    }
  }

  /** Everything that has to be well after a round, besides sends and queues. */
  async #settled(office: Office, round: Round): Promise<void> {
    const { faults, deed, deedEnd } = this.#trouble as Trouble;
    const readyAt = await this.#watch.readySince(round.wholeAt, BACK_MS - (round.wholeAt - round.overAt));
    const isDone = await deedEnd;
    // Those of before are right, and those of now.
    await sleep(500);
    const isTogether = faults.length > 1;
    const expected = faults.map(([, fault]) => fault);
    this.#watch.judge(
      expected.reduce<Expected>(
        (all, each) => ({
          reasons: [...all.reasons, ...each.reasons],
          mustSay: isTogether ? undefined : each.mustSay,
          mayNotAnswer: (all.mayNotAnswer ?? false) || (each.mayNotAnswer ?? false),
          ends: (all.ends ?? false) || (each.ends ?? false) || each.mayEnd !== undefined,
        }),
        { reasons: [] },
      ),
    );
    if (deed && isDone === false) await doAgain(deed[1], office, this.#report.rounds.length);
    this.#installation.log.check();
    await this.#installation.mail.look();
    const { where } = this.#installation;
    await this.#uploads.check(where, await signIn(where, "walt"));
    const memoryKiB = this.#checkMemory();
    const { fault, at, overAt, silentMs } = round;
    this.#report.rounds.push({
      fault,
      lastedMs: overAt - at,
      silentMs,
      wholeMs: Math.max(round.wholeAt, readyAt) - overAt,
      memoryKiB,
      deedFailed: isDone === false,
    });
    this.#say(`  ${this.#report.lastLine()}`);
  }

  #mayEnd(log: string): boolean {
    const allowed = this.#trouble?.faults.map(([, { mayEnd }]) => mayEnd);
    const last = lastWords(log);
    return (
      (this.#installation.kind.isOutside && last.startsWith("The database ")) ||
      (allowed?.some((pattern) => pattern?.test(last)) ?? false)
    );
  }

  /** The memory of the server's process, in KiB. It may not grow without an end. */
  #checkMemory(): number {
    const { pid } = this.#installation.node;
    if (pid === undefined) return 0;
    const status = readFileSync(`/proc/${pid}/status`, "utf8");
    const now = Number(/^VmRSS:\s*(\d+)/m.exec(status)?.[1] ?? 0);
    const first = this.#memory.get(pid) ?? now;
    this.#memory.set(pid, first);
    if (now > first + GROWTH_KIB) throw new Error(`the server grew from ${first} to ${now} KiB`);
    return now;
  }

  async #newcomer(owner: Account, name: string): Promise<Account> {
    const { where } = this.#installation;
    const person = { email: `${name}@demo.test`, full_name: name, password: "a long enough passphrase" };
    await demand(where(), "POST", "/users", person, { account: owner });
    return signIn(where, name);
  }
}

/**
 * What a process said about its end: its last sentence, or its last fatal line. Others may come after that,
 * of work that was under way.
 */
function lastWords(log: string): string {
  const lines = log.trimEnd().split("\n");
  return lines.findLast((line) => !line.endsWith("}") || line.includes('"level":60')) ?? "";
}

async function signIn(where: () => string | undefined, name: string): Promise<Account> {
  const email = `${name}@demo.test`;
  const { api_key, user_id } = await demand(where(), "POST", "/dev_fetch_api_key", { username: email });
  const authorization = `Basic ${Buffer.from(`${email}:${api_key}`).toString("base64")}`;
  return { email, userId: user_id, authorization };
}

/** No process of the installation is left. */
async function noOrphans({ dataDir, outside }: Installation): Promise<void> {
  const deadline = Date.now() + ORPHAN_MS;
  const dirs = [dataDir, ...(outside ? [outside.dataDir] : [])];
  for (;;) {
    const left = dirs.flatMap((dir) => findProcesses(dir));
    if (left.length === 0) return;
    if (Date.now() > deadline) throw new Error(`processes are left: ${JSON.stringify(left)}`);
    await sleep(50);
  }
}
