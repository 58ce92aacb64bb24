/** Runs commands one after the other in a state of the installation, and says how each ended. */
import { existsSync, readdirSync } from "node:fs";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { expect } from "vitest";
import { type Options, type Person, type Program, run } from "./parley.ts";

export interface State {
  dataDir: string;
  env?: Record<string, string>;
  person?: Person;
  cwd: string;
}

/** `0`, `66 P205`, or `runs` for what goes on until it is stopped. */
export type Outcome = string;

/** What may begin an installation. */
const BEGINS = ["serve", "demo", "organization create"];
const GOES_ON = ["serve", "demo", "tail"];
/** Their findings are their results, on standard output. */
const LOOKS = ["doctor", "config", "mail test"];
/** It says how much it did as well. */
const PARTLY = ["mail discard"];
const MAX_MS = 60_000;

export async function outcomeOf(name: string, words: string[], state: State): Promise<Outcome> {
  const { dataDir, env, person = {}, cwd } = state;
  const hadData = existsSync(path.join(dataDir, "postgres"));
  const options: Options = {
    env: {
      PARLEY_DATA_DIR: dataDir,
      PARLEY_ENV: "development",
      PARLEY_OWNER_PASSWORD: "knight-takes-rook",
      ...env,
    },
    person,
    cwd,
  };
  const program = run([...name.split(" "), ...words], options);
  program.child.stdin?.end();
  const goesOn = GOES_ON.includes(name) && (await isUp(name, program));
  if (goesOn) program.child.kill("SIGTERM");
  const end = await Promise.race([program.end, sleep(MAX_MS, undefined, { ref: false })]);
  expect(end, `${name} does not end by itself`).toBeDefined();
  const text = { stdout: program.stdout(), stderr: program.stderr() };
  const seen = `${name} in ${dataDir}: ${JSON.stringify({ ...end, ...text })}`;
  expect(`${text.stdout}${text.stderr}`, seen).not.toMatch(/^\s+at .*[:(]/m);
  if (!BEGINS.includes(name)) expect(existsSync(path.join(dataDir, "postgres")), seen).toBe(hadData);
  expect(readdirSync(cwd), seen).toEqual([]);
  if (goesOn) return "runs";
  const source = LOOKS.includes(name) ? text.stdout.replace(/^[✓!].*$/gm, "") : text.stderr;
  const [fault] = /\bP\d{3}(?=\)$)/m.exec(source) ?? [];
  if (end?.code !== 0 && !LOOKS.includes(name)) {
    if (!PARTLY.includes(name)) expect(text.stdout, seen).toBe("");
    // One line, which is the sentence; some commands show their progress before.
    expect(
      text.stderr.split("\n").filter((line) => /\(P\d{3}\)$/.test(line)),
      seen,
    ).toHaveLength(1);
    expect(text.stderr, seen).toMatch(/(^|\n)[A-Z'].*\. \(P\d{3}\)\n$/);
  }
  return fault === undefined ? `${end?.code}` : `${end?.code} ${fault}`;
}

/** Whether it is at work, or waits for a database; false when it has ended before. */
async function isUp(name: string, program: Program): Promise<boolean> {
  const hasPrinted = name === "tail" ? /\S/ : /^listening on /m;
  const isReady = (async () => {
    while (program.child.exitCode === null) {
      if (hasPrinted.test(program.stdout())) return true;
      await sleep(20);
    }
    return false;
  })();
  const waits = (async () => {
    while (program.child.exitCode === null) {
      if (/ Parley waits for it for another /.test(program.stderr())) return true;
      await sleep(20);
    }
    return isReady;
  })();
  return Promise.race([isReady, waits]);
}
