// Runs a child process that must not outlive this one. The child has its own process group, so that Ctrl+C at
// a terminal reaches only this process. This process stops the child when its own work is done. A small
// shell, the watcher, reads a pipe whose other end only this process holds. The kernel closes the pipe
// however this process ends, even by `kill -9`, and the watcher then stops the child. (PR_SET_PDEATHSIG is
// tied to the thread that started the child, and is Linux only.)

import { type ChildProcess, spawn } from "node:child_process";
import type { Writable } from "node:stream";
import { setTimeout as sleep } from "node:timers/promises";
import type { Identity } from "./identity.ts";

export interface End {
  code: number | null;
  signal: string | null;
}

export interface Supervised {
  /** The process itself, since the shell that starts it replaces itself with the command. */
  child: ChildProcess;
  end: Promise<End>;
  /** The last lines that the process wrote to standard error, for an error message. */
  lastLines(): string[];
}

// A subshell starts the watcher and ends at once, so that init becomes the watcher's parent. PostgreSQL
// complains about children that it did not start. A line on the pipe says that the child has ended, and that
// its id may be reused.
const script = `
(
  {
    if read -r _ <&3; then exit 0; fi
    for step in "INT 8" "QUIT 4" "KILL 0"; do
      kill -s "\${step% *}" $$ || exit 0
      seconds=\${step#* }
      while [ "$seconds" -gt 0 ]; do
        sleep 1
        kill -0 $$ || exit 0
        seconds=$((seconds - 1))
      done
    done
  } >/dev/null 2>&1 &
)
exec "$@" 3<&-
`;

const KEPT_LINES = 20;

/**
 * Starts a command as `identity`. It gets `env` and the PATH, but not the rest of our environment, which has
 * secrets.
 */
export function superviseCommand(
  identity: Identity,
  command: string[],
  env: Record<string, string>,
  onLine: (line: string) => void = () => {},
): Supervised {
  const child = spawn("/bin/sh", ["-c", script, "sh", ...identity.prefix, ...command], {
    ...identity.spawn,
    cwd: "/",
    detached: true,
    env: { PATH: process.env.PATH ?? "/usr/bin:/bin", LC_ALL: "C", TZ: "UTC", ...env },
    stdio: ["ignore", "ignore", "pipe", "pipe"],
  });
  const lines: string[] = [];
  readLines(child, (line) => {
    lines.push(line);
    if (lines.length > KEPT_LINES) lines.shift();
    onLine(line);
  });
  const pipe = child.stdio[3] as Writable;
  pipe.on("error", () => {});
  const silence = new Promise((resolve) => child.stderr?.once("close", resolve));
  const end = new Promise<End>((resolve, reject) => {
    child.once("error", reject);
    child.once("exit", async (code, signal) => {
      pipe.end("ended\n");
      // Its last lines may still be in the pipe. A child of its own can hold the pipe open, so the wait is
      // limited.
      await Promise.race([silence, sleep(200, undefined, { ref: false })]);
      resolve({ code, signal });
    });
  });
  end.catch(() => {});
  return { child, end, lastLines: () => [...lines] };
}

function readLines(child: ChildProcess, onLine: (line: string) => void): void {
  let rest = "";
  child.stderr?.setEncoding("utf8").on("data", (chunk: string) => {
    const parts = (rest + chunk).split("\n");
    rest = (parts.pop() ?? "").slice(0, 10_000);
    for (const line of parts) if (line !== "") onLine(line);
  });
}
