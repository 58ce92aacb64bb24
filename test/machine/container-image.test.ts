/**
 * The image as people run it: not root, with nothing to write to but one volume and a directory in memory.
 * Debian's podman makes it and runs it, without a daemon, a registry or a network. It needs root.
 */
import { execFileSync, spawnSync } from "node:child_process";
import {
  chmodSync,
  chownSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  realpathSync,
  rmSync,
} from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { isRoot, waitUntil } from "../e2e/parley.ts";
import { debianFile, PATIENCE_MS, version } from "./packages/built.ts";

const checkout = path.resolve(import.meta.dirname, "../..");
const IMAGE = `localhost/parley:${version}`;
const USER = 9991;

let folder = "";

function podman(...words: string[]) {
  const places = ["--root", path.join(folder, "store"), "--runroot", path.join(folder, "run")];
  const line = ["podman", ...places, "--storage-driver=overlay", "--cgroup-manager=cgroupfs", ...words];
  // The runtime refuses two kinds of control groups at once, and needs none here.
  const command = 'umount /sys/fs/cgroup/unified 2> /dev/null; exec "$@"';
  const { status, stdout, stderr, error } = spawnSync(
    "unshare",
    ["--mount", "sh", "-c", command, "sh", ...line],
    {
      encoding: "utf8",
    },
  );
  if (error) throw error;
  return { status, stdout, stderr };
}

function print(...words: string[]): string {
  const { status, stdout, stderr } = podman(...words);
  if (status !== 0) throw new Error(`podman ${words.join(" ")} ended with ${status}: ${stdout}${stderr}`);
  return stdout.trim();
}

/** What an operator should give it, and what a machine without systemd and with few rights needs. */
const options = [
  ...["--read-only", "--read-only-tmpfs=false", "--tmpfs=/tmp", "--cap-drop=all"],
  "--security-opt=no-new-privileges",
  ...["--network=none", "--cgroups=disabled", "--ulimit=nofile=1024:1024", "--ulimit=nproc=4096:4096"],
];
const logsOf = (name: string) => {
  const { stdout, stderr } = podman("logs", name);
  return stdout + stderr;
};
const isReady = (name: string, times = 1) =>
  waitUntil(
    () => {
      const logs = logsOf(name);
      if (print("inspect", "--format={{.State.Running}}", name) !== "true") throw new Error(logs);
      return logs.split("listening on").length > times;
    },
    "the server in the container listens",
    PATIENCE_MS,
  );
const inside = (name: string, ...words: string[]) => podman("exec", name, ...words);

describe.runIf(isRoot)("the image", () => {
  beforeAll(() => {
    folder = mkdtempSync(path.join(realpathSync(os.tmpdir()), "parley-image-test-"));
    const [base, context] = ["base", "context"].map((name) => path.join(folder, name)) as [string, string];
    mkdirSync(base);
    mkdirSync(context);
    const tar = path.join(folder, "base.tar");
    const script = path.join(import.meta.dirname, "packages", "base-image.sh");
    execFileSync("sh", [script, base, process.execPath], {
      stdio: ["ignore", openSync(tar, "w"), "inherit"],
    });
    rmSync(base, { recursive: true });
    print("import", tar, "localhost/base:1");
    const deb = debianFile();
    linkSync(deb, path.join(context, path.basename(deb)));
    const file = path.join(checkout, "deploy", "container", "Containerfile");
    const values = { BASE: "localhost/base:1", VERSION: version };
    const words = Object.entries(values).map(([name, value]) => `--build-arg=${name}=${value}`);
    print(
      "build",
      "--isolation=chroot",
      "--layers=false",
      "--format=docker",
      ...words,
      "-f",
      file,
      "-t",
      IMAGE,
      context,
    );
  }, PATIENCE_MS);

  afterAll(() => {
    podman("rm", "--all", "--force");
    rmSync(folder, { recursive: true, force: true });
  });

  test("says what it is, and how it is asked and stopped", () => {
    const [{ Config: config, Architecture: architecture }] = JSON.parse(print("inspect", IMAGE));
    expect(config).toMatchObject({
      User: `${USER}:${USER}`,
      ExposedPorts: { "9991/tcp": {} },
      Volumes: { "/data": {} },
      StopSignal: "SIGTERM",
      Labels: { "org.opencontainers.image.version": version },
    });
    expect(architecture).toBe({ x64: "amd64", arm64: "arm64" }[process.arch as string]);
    expect(config.Env.filter((pair: string) => /SECRET|KEY|PASSWORD/.test(pair))).toEqual([]);
  });

  test("serves as an ordinary user, writes to its volume alone, and outlives a kill", {
    timeout: PATIENCE_MS,
  }, async () => {
    print("run", "--detach", "--name=one", ...options, "--volume=parley:/data", IMAGE);
    await isReady("one");
    expect(inside("one", "id", "-u").stdout.trim()).toBe(String(USER));
    for (const place of ["/x", "/usr/lib/parley/x", "/var/x", "/etc/x"]) {
      expect(inside("one", "touch", place).stderr, place).toContain("Read-only file system");
    }
    expect(inside("one", "touch", "/tmp/x").status).toBe(0);
    expect(podman("healthcheck", "run", "one")).toMatchObject({ status: 0 });
    const listed = inside("one", "parley", "organization", "list");
    expect(listed).toMatchObject({ status: 0, stderr: "" });
    expect(logsOf("one")).not.toMatch(/"level":[456]0/);
    const secret = () => inside("one", "cat", "/data/secret").stdout;
    const before = secret();
    expect(before).not.toBe("");

    // The next start finds process ids of the one before, which now are those of others.
    print("kill", "--signal=KILL", "one");
    print("wait", "one");
    print("start", "one");
    await isReady("one", 2);
    expect([secret(), podman("healthcheck", "run", "one").status]).toEqual([before, 0]);

    print("stop", "--time=90", "one");
    expect(print("inspect", "--format={{.State.ExitCode}}", "one")).toBe("0");
    expect(logsOf("one")).toMatch(/"msg":"stopped after /);
  });

  test("takes a folder of a volume that belongs to its group, as in Kubernetes", {
    timeout: PATIENCE_MS,
  }, async () => {
    const volume = path.join(folder, "volume");
    mkdirSync(volume);
    chownSync(volume, 0, USER);
    chmodSync(volume, 0o2775);
    const mount = `--volume=${volume}:/data`;
    const refused = podman("run", "--rm", ...options, mount, IMAGE);
    expect(refused.status).toBe(77);
    expect(refused.stderr).toContain("/data can be written by other users");
    print("run", "--detach", "--name=two", ...options, mount, "--env=PARLEY_DATA_DIR=/data/parley", IMAGE);
    await isReady("two");
    print("stop", "--time=90", "two");
  });

  test("does not start in development, which gives out everybody's keys", { timeout: PATIENCE_MS }, () => {
    const refused = podman("run", "--rm", ...options, "--env=PARLEY_ENV=development", IMAGE);
    expect(refused.status).toBe(78);
    expect(refused.stderr).toContain("PARLEY_DEV_OPEN");
  });
});
