import { spawn } from "node:child_process";
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { slackFiles, slackZip } from "../../harness/slack-export.ts";
import { type Account, ask, demand, type Json, type Outcome } from "../ask.ts";
import { program } from "../server-process.ts";
import type { Installation } from "./installation.ts";

const COMMAND_MS = 120_000;

export interface Office {
  installation: Installation;
  /** An owner, and a member of the channel whose topic is moved. */
  owner: Account;
  reader: Account;
  /** An empty directory, on a disk that is never full. */
  dir: string;
}

/** What people do. It succeeds or says that it did not; when all is well again it succeeds. */
export interface Deed {
  fits?: (installation: Installation) => boolean;
  /** Begins at a new number. False: it failed, and said so in a way that people understand. */
  begin(office: Office, number: number): Promise<boolean>;
}

export const deeds: Record<string, Deed> = {
  "a backup": {
    fits: ({ kind }) => !kind.isOutside,
    begin: ({ installation, dir }) => command(installation, "backup", path.join(dir, "backup")),
  },
  "an export": {
    async begin({ installation, dir }, number) {
      const file = path.join(dir, `export-${number}-${Date.now()}.tar.gz`);
      const isDone = await command(installation, "export", "--consent", file);
      if (!isDone && existsSync(file)) throw new Error(`an export that failed left ${file}`);
      return isDone;
    },
  },
  "an import": {
    async begin({ installation, dir }, number) {
      const file = path.join(dir, "slack.zip");
      if (!existsSync(file)) writeFileSync(file, slackZip(slackFiles()));
      return command(
        installation,
        ...["import", "slack", file, "--host", `import-${number}.test`, "--max-skipped", "100"],
      );
    },
  },
  "a move of a big topic": { begin: moveTopic },
  "the deactivation of a user": { begin: deactivate },
};

/** Runs a command. Throws if it hangs, or fails with a stack or without a word. */
async function command({ env }: Installation, ...words: readonly string[]): Promise<boolean> {
  const child = spawn(process.execPath, [program, ...words], {
    cwd: "/",
    env: { PATH: process.env.PATH, HOME: "/nonexistent", PARLEY_ENV: "development", ...env },
    stdio: ["ignore", "ignore", "pipe"],
  });
  let said = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    said += text;
  });
  const late = setTimeout(() => child.kill("SIGKILL"), COMMAND_MS);
  const [code, signal] = await new Promise<[number | null, NodeJS.Signals | null]>((resolve) =>
    child.once("close", (...end) => resolve(end)),
  );
  clearTimeout(late);
  if (code === 0) return true;
  const what = `parley ${words.slice(0, 2).join(" ")} ended with ${signal ?? code}: ${said}`;
  if (signal !== null || said.trim() === "" || /^\s+at \S/m.test(said)) throw new Error(what);
  return false;
}

const topicOf = (topic: string) => [
  ["channel", "engineering"],
  ["topic", topic],
];

/** The newest of them, or those from an id on. */
async function messagesOf(
  { installation, reader }: Office,
  topic: string,
  first?: number,
): Promise<number[]> {
  const range =
    first === undefined
      ? { anchor: "newest", num_before: 5000, num_after: 0 }
      : { anchor: first, num_before: 0, num_after: 4999 };
  const params = { ...range, narrow: topicOf(topic), apply_markdown: false };
  const { messages } = await demand(installation.where(), "GET", "/messages", params, { account: reader });
  return messages.map(({ id }: Json) => id);
}

/** All messages of the topic that were there at the time are moved, or none. */
async function moveTopic(office: Office, number: number): Promise<boolean> {
  const { installation, owner } = office;
  const [before] = await attempt(() => messagesOf(office, "faults"));
  if (before === undefined) return false;
  const [first, last] = [before[0], before.at(-1)];
  if (first === undefined) return true;
  const params = {
    ...{ topic: `moved ${number}`, propagate_mode: "change_all" },
    ...{ send_notification_to_new_thread: false, send_notification_to_old_thread: false },
  };
  const outcome = await ask(installation.where(), "PATCH", `/messages/${last}`, params, { account: owner });
  const isDone = isSuccess(outcome, "the move");
  // Whole or not at all, whatever the answer was: as soon as it can be looked at.
  const moved = new Set(await whenBack(() => messagesOf(office, `moved ${number}`, first)));
  const count = before.filter((id) => moved.has(id)).length;
  if (count !== (isDone || count > 0 ? before.length : 0)) {
    throw new Error(`a move moved ${count} of ${before.length} messages`);
  }
  return isDone;
}

async function deactivate({ installation, owner }: Office, number: number): Promise<boolean> {
  const account = { account: owner };
  const email = `leaver-${number}-${Date.now()}@demo.test`;
  const person = { email, full_name: `Leaver ${number} ${Date.now()}`, password: "a long enough passphrase" };
  const made = await ask(installation.where(), "POST", "/users", person, account);
  if (!isSuccess(made, "a new account")) return false;
  const id = made.kind === "answer" ? made.body.user_id : undefined;
  const outcome = await ask(installation.where(), "DELETE", `/users/${id}`, {}, account);
  const isDone = isSuccess(outcome, "the deactivation");
  const { user } = await whenBack(() => demand(installation.where(), "GET", `/users/${id}`, {}, account));
  if (isDone && user.is_active) throw new Error(`${email} is active after an acknowledged deactivation`);
  return isDone;
}

/** False where a server was away; throws what was turned down. */
function isSuccess(outcome: Outcome, what: string): boolean {
  if (outcome.kind !== "answer" || outcome.status >= 500) return false;
  if (outcome.status === 200) return true;
  throw new Error(`${what} was turned down: ${JSON.stringify(outcome)}`);
}

async function attempt<T>(look: () => Promise<T>): Promise<[T | undefined]> {
  return [await look().catch(() => undefined)];
}

async function whenBack<T>(look: () => Promise<T>): Promise<T> {
  const deadline = Date.now() + COMMAND_MS;
  for (;;) {
    try {
      return await look();
    } catch (error) {
      if (Date.now() > deadline) throw error;
      await sleep(100);
    }
  }
}

/** Begins again until it succeeds. To be called when all is well. */
export async function doAgain(deed: Deed, office: Office, number: number): Promise<void> {
  mkdirSync(office.dir, { recursive: true });
  for (let tries = 0; !(await deed.begin(office, number)); tries++) {
    if (tries >= 3) throw new Error("it fails though all is well");
    await sleep(500);
  }
}
