/** The unit for systemd: what systemd itself says of it, and a server that is started as it says. */
import { spawnSync } from "node:child_process";
import { copyFileSync, existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { build, isRoot, run, temporaryDirectory } from "../e2e/parley.ts";

const checkout = path.resolve(import.meta.dirname, "../..");
const folder = path.join(checkout, "deploy", "systemd");
/** Where docs/deploy.md installs the package. */
const INSTALLED = "/opt/parley/lib/node_modules/parley";
/** Tenths of the number that systemd prints. Up to 4.9 it says "OK". */
const MOST_EXPOSED = 20;

const unit = readFileSync(path.join(folder, "parley.service"), "utf8").replaceAll(INSTALLED, checkout);

/** The values of a key, in their order. */
const valuesOf = (key: string) =>
  [...unit.matchAll(new RegExp(`^${key}=(.*)$`, "gm"))].map(([, value]) => value as string);

function unitFile(): string {
  const file = path.join(temporaryDirectory(), "parley.service");
  writeFileSync(file, unit);
  return file;
}

function systemd(program: string, ...words: string[]) {
  const { status, stdout, stderr, error } = spawnSync(program, words, { encoding: "utf8" });
  if (error) throw error;
  return { status, text: stdout + stderr };
}

describe("systemd", () => {
  test("finds nothing wrong in the unit", () => {
    expect(systemd("systemd-analyze", "verify", "--man=no", unitFile())).toEqual({ status: 0, text: "" });
  });

  test("finds nothing wrong in the socket, which belongs to the unit", () => {
    const file = unitFile();
    const socket = path.join(path.dirname(file), "parley.socket");
    copyFileSync(path.join(folder, "parley.socket"), socket);
    expect(systemd("systemd-analyze", "verify", "--man=no", file, socket)).toEqual({ status: 0, text: "" });
    const settings = settingsOf(path.join(folder, "parley.env"));
    const [, address] = /^ListenStream=(.*)$/m.exec(readFileSync(socket, "utf8")) ?? [];
    expect(address).toBe(`${settings.PARLEY_HOST ?? "127.0.0.1"}:${settings.PARLEY_PORT ?? "9991"}`);
  });

  test("calls its exposure OK", () => {
    const words = ["security", "--offline=true", "--no-pager", `--threshold=${MOST_EXPOSED}`, unitFile()];
    const { status, text } = systemd("systemd-analyze", ...words);
    expect(text).toMatch(/Overall exposure level for parley.service: \d\.\d OK/);
    expect(status).toBe(0);
  });

  test("would make the user of the unit", () => {
    const { status, text } = systemd(
      "systemd-sysusers",
      "--dry-run",
      path.join(folder, "parley.sysusers.conf"),
    );
    expect(status).toBe(0);
    expect(text).not.toContain("ignoring");
    expect(valuesOf("User")).toEqual(["parley"]);
    expect(readFileSync(path.join(folder, "parley.sysusers.conf"), "utf8")).toMatch(/^u parley /m);
  });
});

describe("a server that is started as the unit says", () => {
  beforeAll(build);

  test("keeps to the directories that systemd makes for it", async () => {
    const person = isRoot ? { uid: 65_534, gid: 65_534 } : {};
    const state = temporaryDirectory(person);
    const runtime = temporaryDirectory(person);
    const place = (text: string) => text.replace("/var/lib/parley", state).replace("/run/parley", runtime);
    const environment = valuesOf("Environment").flatMap((text) => place(text).split(" "));
    const [command = ""] = valuesOf("ExecStart");
    const words = command.split(" ");
    const program = words.indexOf(path.join(checkout, "bin", "parley.js"));
    // The test's own Node.js, and its flags, take the place of the unit's.
    expect(words.slice(program - 2, program)).toEqual(["node", "--max-semi-space-size=64"]);
    const server = run(words.slice(program + 1), {
      launcher: words.slice(0, program - 2),
      person,
      cwd: state,
      env: {
        ...settingsOf(path.join(folder, "parley.env")),
        ...Object.fromEntries(environment.map((text) => text.split(/=(.*)/s).slice(0, 2))),
        HOME: state,
        RUNTIME_DIRECTORY: runtime,
        STATE_DIRECTORY: state,
      },
    });
    await server.prints(/^listening on (http:\/\/\S+)$/m);
    expect(readdirSync(state)).toContain("postgres");
    const [socket = ""] = readdirSync(runtime).filter((name) => name.startsWith("parley-"));
    expect(existsSync(path.join(runtime, socket, "pg", ".s.PGSQL.5432"))).toBe(true);
    expect(runAsOperator(state, ["organization", "list"])).toMatchObject({ status: 0, stderr: "" });
    expect(readdirSync(state)).not.toContain("made");
    server.child.kill("SIGTERM");
    expect(await server.end).toMatchObject({ code: 0 });
    expect(server.stderr()).not.toContain('"level":40');
  });
});

/** By the command that docs/deploy.md installs, which has no directory of the unit in its environment. */
function runAsOperator(state: string, words: string[]) {
  const dir = temporaryDirectory();
  const settings = path.join(dir, "parley.env");
  const command = path.join(dir, "parley");
  // Nothing of a value is run.
  const sender = `PARLEY_MAIL_FROM="$(touch ${state}/made) <chat@example.com>"`;
  const example = readFileSync(path.join(folder, "parley.env"), "utf8");
  writeFileSync(settings, `${example}\nPARLEY_SMTP_URL=smtp://127.0.0.1:1\n${sender}\nPARLEY_LOG='error'\n`);
  const text = readFileSync(path.join(folder, "parley.sh"), "utf8")
    .replace("/opt/parley/bin/parley", path.join(checkout, "bin", "parley.js"))
    .replace("/etc/parley/parley.env", settings)
    .replaceAll("/var/lib/parley", state)
    .replace("--reuid parley --regid parley --init-groups", "--reuid 65534 --regid 65534 --clear-groups");
  writeFileSync(command, text);
  return spawnSync("sh", [command, ...words], {
    cwd: state,
    encoding: "utf8",
    env: { PATH: process.env.PATH },
  });
}

/** As systemd reads a file of settings. */
function settingsOf(file: string): Record<string, string> {
  const lines = readFileSync(file, "utf8").split("\n");
  const set = lines.filter((line) => /^[A-Z_]+=/.test(line));
  return Object.fromEntries(set.map((line) => line.split(/=(.*)/s).slice(0, 2) as [string, string]));
}
