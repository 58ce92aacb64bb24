/**
 * The package for Debian as an operator meets it: what is in it, and a machine on which dpkg installs it,
 * upgrades it, removes it and purges it. No systemd runs there; `packages/systemctl.sh` starts the server as
 * the unit says.
 */
import { execFileSync, spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { debianVersion } from "../../tools/debian-package.js";
import { isRoot } from "../e2e/parley.ts";
import { debianFile, PATIENCE_MS } from "./packages/built.ts";
import { ScratchMachine } from "./packages/scratch-machine.ts";

const root = path.resolve(import.meta.dirname, "../..");
const { version } = JSON.parse(readFileSync(path.join(root, "package.json"), "utf8"));
const SETTINGS = "/etc/parley/parley.env";
const DATA = "/var/lib/parley";
const NODE = "/opt/node";

let folder = "";
let file = "";

beforeAll(() => {
  folder = mkdtempSync(path.join(realpathSync(os.tmpdir()), "parley-debian-test-"));
  file = debianFile();
}, PATIENCE_MS);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const field = (name: string) =>
  execFileSync("dpkg-deb", ["--field", file, name], { encoding: "utf8" }).trim();

interface Entry {
  mode: string;
  owner: string;
  time: string;
}

function entriesIn(deb: string): Map<string, Entry> {
  const options = { encoding: "utf8", maxBuffer: 2 ** 26, env: { ...process.env, TZ: "UTC" } } as const;
  const lines = execFileSync("dpkg-deb", ["--contents", deb], options).trim().split("\n");
  return new Map(
    lines.map((line) => {
      // Names may have spaces, and links say where they lead.
      const parts = /^(\S+) (\S+) +\d+ (\S+ \S+) \.(.*?)(?: -> .*)?$/.exec(line) ?? [];
      const [, mode = "", owner = "", time = "", name = ""] = parts;
      return [name, { mode, owner, time }];
    }),
  );
}

describe("the package", () => {
  test("names what it needs, and the processors that its programs are for", () => {
    expect(field("Version")).toBe(debianVersion(version));
    expect(field("Architecture")).toBe({ x64: "amd64", arm64: "arm64" }[process.arch as string]);
    expect(field("Depends")).toContain("nodejs (>= 20.19)");
    expect(path.basename(file)).toBe(`parley_${field("Version")}_${field("Architecture")}.deb`);
  });

  test("has everything at the place where an operator looks for it", () => {
    const entries = entriesIn(file);
    const modes = Object.fromEntries([...entries].map(([name, { mode }]) => [name, mode]));
    expect(modes).toMatchObject({
      "/etc/parley/": "drwxr-x---",
      [SETTINGS]: "-rw-r-----",
      "/usr/bin/parley": "-rwxr-xr-x",
      "/usr/lib/parley/bin/parley.js": "-rw-r--r--",
      "/usr/lib/parley/deploy/systemd/notify-exec.pl": "-rw-r--r--",
      "/usr/lib/systemd/system/parley.service": "-rw-r--r--",
      "/usr/lib/sysusers.d/parley.conf": "-rw-r--r--",
      "/usr/share/bash-completion/completions/parley": "-rw-r--r--",
      "/usr/share/doc/parley/README.Debian": "-rw-r--r--",
      "/usr/share/doc/parley/changelog.Debian.gz": "-rw-r--r--",
      "/usr/share/doc/parley/changelog.gz": "-rw-r--r--",
      "/usr/share/doc/parley/copyright": "-rw-r--r--",
      "/usr/share/fish/vendor_completions.d/parley.fish": "-rw-r--r--",
      "/usr/share/man/man1/parley-backup.1.gz": "-rw-r--r--",
      "/usr/share/man/man1/parley.1.gz": "-rw-r--r--",
      "/usr/share/zsh/vendor-completions/_parley": "-rw-r--r--",
    });
    const postgres = Object.keys(modes).filter((name) => /native\/bin\/(initdb|pg_ctl|postgres)$/.test(name));
    expect(postgres.map((name) => modes[name])).toEqual(Array(3).fill("-rwxr-xr-x"));
    // Packages of a build, and of tests.
    const names = [...entries.keys()];
    expect(names.filter((name) => /node_modules\/(typescript|vite|vitest|rolldown)\/$/.test(name))).toEqual(
      [],
    );
    expect(names.filter((name) => /\/usr\/lib\/parley\/(test|server|data)\//.test(name))).toEqual([]);
  });

  test("has one time, no owner of this machine, and modes that the umask does not change", () => {
    const entries = [...entriesIn(file).values()];
    expect(entries.length).toBeGreaterThan(3000);
    expect(new Set(entries.map(({ owner }) => owner))).toEqual(new Set(["root/root"]));
    expect(new Set(entries.map((entry) => entry.time))).toEqual(new Set(["2026-11-01 12:00"]));
    const modes = ["drwxr-xr-x", "drwxr-x---", "-rwxr-xr-x", "-rw-r--r--", "-rw-r-----", "lrwxrwxrwx"];
    expect(entries.filter(({ mode }) => !modes.includes(mode))).toEqual([]);
  });

  test("has a checksum of each file but the settings", () => {
    const sums = execFileSync("dpkg-deb", ["--info", file, "md5sums"], {
      encoding: "utf8",
      maxBuffer: 2 ** 26,
    });
    const names = sums
      .trim()
      .split("\n")
      .map((line) => line.replace(/^[0-9a-f]{32} {2}/, "/"));
    const files = [...entriesIn(file)].filter(
      ([name, { mode }]) => mode.startsWith("-") && name !== SETTINGS,
    );
    expect(names.sort()).toEqual(files.map(([name]) => name).sort());
  });

  test("overwrites no settings", () => {
    const conffiles = execFileSync("dpkg-deb", ["--info", file, "conffiles"], { encoding: "utf8" });
    expect(conffiles).toBe(`${SETTINGS}\n`);
  });

  test("has no fault that lintian knows, besides those of its program", { timeout: PATIENCE_MS }, () => {
    const own = path.join(folder, "own");
    mkdirSync(own);
    execFileSync("dpkg-deb", ["--control", file, path.join(own, "DEBIAN")]);
    rmSync(path.join(own, "DEBIAN", "md5sums"));
    const left = "--exclude=./usr/lib/parley/*";
    execFileSync("sh", ["-c", 'dpkg-deb --fsys-tarfile "$1" | tar -x -C "$2" "$3"', "sh", file, own, left]);
    const small = pack(own, "parley-own.deb", "gzip");
    const { status, stdout, stderr, error } = spawnSync("lintian", ["--allow-root", small], {
      encoding: "utf8",
    });
    if (error) throw error;
    expect({ status, text: stdout + stderr }).toEqual({ status: 0, text: "" });
  });
});

/** A folder as a package. */
function pack(from: string, name: string, compression = "none"): string {
  const made = path.join(folder, name);
  execFileSync("dpkg-deb", ["--root-owner-group", `-Z${compression}`, "--build", from, made]);
  rmSync(from, { recursive: true });
  return made;
}

/** The same program under a later version: the package's archive with other words for dpkg. */
function nextVersion(): string {
  const control = path.join(folder, "control");
  execFileSync("dpkg-deb", ["--control", file, control]);
  const words = path.join(control, "control");
  writeFileSync(words, readFileSync(words, "utf8").replace(/^Version: .*$/m, "Version: 99.0.0-1"));
  const tar = execFileSync("tar", ["-c", "--owner=0", "--group=0", "-C", control, "."], {
    maxBuffer: 2 ** 26,
  });
  const made = path.join(folder, "parley-next.deb");
  const data = membersOf(readFileSync(file)).get("data.tar") as Buffer;
  const members: [string, Buffer][] = [
    ["debian-binary", Buffer.from("2.0\n")],
    ["control.tar", tar],
    ["data.tar", data],
  ];
  writeFileSync(
    made,
    Buffer.concat([Buffer.from(AR), ...members.flatMap(([name, bytes]) => member(name, bytes))]),
  );
  return made;
}

/** A package is an archive in the form of ar(5): a line, and members with headers of 60 bytes. */
const AR = "!<arch>\n";
const HEADER = 60;

function membersOf(archive: Buffer): Map<string, Buffer> {
  const members = new Map<string, Buffer>();
  for (let at = AR.length; at < archive.length; ) {
    const header = archive.toString("latin1", at, at + HEADER);
    const size = Number(header.slice(48, 58));
    members.set(header.slice(0, 16).trim(), archive.subarray(at + HEADER, at + HEADER + size));
    at += HEADER + size + (size % 2);
  }
  return members;
}

function member(name: string, bytes: Buffer): Buffer[] {
  const fields = [name.padEnd(16), "0".padEnd(12), "0".padEnd(6), "0".padEnd(6), "100644".padEnd(8)];
  const header = `${fields.join("")}${String(bytes.length).padEnd(10)}\`\n`;
  return [Buffer.from(header), bytes, Buffer.alloc(bytes.length % 2, "\n")];
}

/** Node.js is on the machine, though not by a package. This one says that it is there. */
function nodePackage(): string {
  const tree = path.join(folder, "node");
  mkdirSync(path.join(tree, "DEBIAN"), { recursive: true });
  const control = `Package: nodejs
Version: ${process.versions.node}
Architecture: all
Maintainer: Tests <tests@packages.invalid>
Description: says that Node.js is there
`;
  writeFileSync(path.join(tree, "DEBIAN", "control"), control);
  return pack(tree, "nodejs.deb");
}

describe.runIf(isRoot)("on a machine", () => {
  let machine: ScratchMachine;
  let next = "";
  let node = "";

  beforeAll(async () => {
    [next, node] = [nextVersion(), nodePackage()];
    machine = await ScratchMachine.start();
    const command = path.join(import.meta.dirname, "packages", "systemctl.sh");
    machine.print("install", "-m", "755", command, "/usr/local/sbin/systemctl");
    machine.print("mkdir", "-p", "/run/systemd/system");
    // A package of Node.js that is there makes room, and the program stays.
    machine.print("cp", process.execPath, NODE);
    machine.run(["dpkg", "--force-depends", "--purge", "nodejs"]);
    machine.print("ln", "-sf", NODE, "/usr/bin/node");
  }, PATIENCE_MS);
  afterAll(() => machine?.stop());

  const dpkg = (...words: string[]) => machine.run(["dpkg", "--force-unsafe-io", ...words]);
  const asked = () => machine.run(["cat", "/run/systemctl.log"]).stdout;
  const modeOf = (place: string) => machine.print("stat", "--format=%a %U:%G", place).trim();
  const exists = (place: string) => machine.run(["test", "-e", place]).status === 0;
  const health = () => {
    const question =
      'fetch("http://127.0.0.1:9991/health").then((a) => a.text()).then(console.log, () => {})';
    return machine.run([NODE, "--eval", question]).stdout.trim();
  };
  const secret = () => machine.print("sha256sum", `${DATA}/secret`);

  test("it is installed, started, upgraded, removed and purged", { timeout: PATIENCE_MS }, () => {
    // Without a Node.js that is new enough it says what it needs.
    const refused = dpkg("--install", file);
    expect(refused.status).not.toBe(0);
    expect(refused.stderr).toContain("parley depends on nodejs (>= 20.19)");

    expect(dpkg("--install", node)).toMatchObject({ status: 0 });
    const installed = dpkg("--configure", "--pending");
    expect(installed).toMatchObject({ status: 0 });
    expect(installed.stdout).toContain("systemctl enable --now parley");
    expect(machine.print("getent", "passwd", "parley")).toMatch(/:\/var\/lib\/parley:\/usr\/sbin\/nologin$/m);
    expect([modeOf("/etc/parley"), modeOf(SETTINGS)]).toEqual(["750 root:parley", "640 root:parley"]);
    expect(asked()).toBe("daemon-reload\n");
    expect(exists(DATA)).toBe(false);

    // The settings name a host as an example, and people of this machine can't read them.
    machine.print("sed", "-i", "s,chat.example.com,chat.example.test,", SETTINGS);
    machine.print("systemctl", "start", "parley.service");
    expect(health()).toBe('{"status":"ok"}');
    expect(modeOf(DATA)).toBe("700 parley:parley");
    expect(machine.print("parley", "--version")).toContain(version);
    expect(machine.run(["parley", "organization", "list"])).toMatchObject({ status: 0, stderr: "" });
    const stranger = machine.run(["setpriv", "--reuid=65534", "--clear-groups", "parley", "doctor"]);
    expect(stranger).toEqual({
      status: 1,
      stdout: "",
      stderr: expect.stringContaining("sudo parley doctor"),
    });
    const key = secret();

    // What runs is started again, with the settings and the data of before.
    expect(dpkg("--install", next)).toMatchObject({ status: 0, stderr: "" });
    const order = ["is-active", "stop", "daemon-reload", "start"];
    expect(
      asked()
        .trim()
        .split("\n")
        .slice(-4)
        .map((line) => line.split(" ")[0]),
    ).toEqual(order);
    expect(health()).toBe('{"status":"ok"}');
    expect(secret()).toBe(key);
    expect(machine.print("cat", SETTINGS)).toContain("chat.example.test");
    expect([modeOf("/etc/parley"), modeOf(SETTINGS)]).toEqual(["750 root:parley", "640 root:parley"]);

    // What the operator has stopped stays so.
    machine.print("systemctl", "stop", "parley.service");
    expect(dpkg("--install", next)).toMatchObject({ status: 0, stderr: "" });
    expect(health()).toBe("");

    // A server that can't start leaves a package that is installed, and a sentence.
    machine.print("systemctl", "start", "parley.service");
    machine.print("sh", "-c", `echo PARLEY_PORT=nowhere >> ${SETTINGS}`);
    const failed = dpkg("--install", next);
    expect(failed).toMatchObject({ status: 0, stderr: expect.stringContaining("journalctl -u parley") });
    machine.print("sed", "-i", "/PARLEY_PORT/d", SETTINGS);
    machine.print("systemctl", "start", "parley.service");

    expect(dpkg("--remove", "parley")).toMatchObject({ status: 0 });
    expect(health()).toBe("");
    expect(["/usr/lib/parley", "/usr/bin/parley"].filter(exists)).toEqual([]);
    expect([secret(), machine.print("cat", SETTINGS)]).toEqual([
      key,
      expect.stringContaining("example.test"),
    ]);

    machine.print("sh", "-c", "echo key > /etc/parley/operator-key");
    const purged = dpkg("--purge", "parley");
    expect(purged).toMatchObject({ status: 0 });
    expect(purged.stdout).toContain(`parley: ${DATA} is kept.`);
    expect(purged.stdout).toContain("parley: /etc/parley is kept.");
    expect([exists(SETTINGS), exists("/etc/parley/operator-key"), secret()]).toEqual([false, true, key]);
    expect(modeOf(DATA)).toBe("700 parley:parley");
  });
});
