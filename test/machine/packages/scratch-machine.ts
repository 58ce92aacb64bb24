/**
 * A machine to try packages on: the root directory of this one, where everything that is written is kept in
 * memory. Its processes, mounts and network are its own. All of it goes when its first process ends. It needs
 * root, and the programs of util-linux and iproute2.
 */
import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { createInterface } from "node:readline";

const ROOT = "/mnt/root";

const setUp = `set -e
mount -t tmpfs tmpfs /mnt
mkdir /mnt/upper /mnt/work ${ROOT}
mount -t overlay overlay -o lowerdir=/,upperdir=/mnt/upper,workdir=/mnt/work ${ROOT}
mount -t proc proc ${ROOT}/proc
mount --rbind /dev ${ROOT}/dev
mount -t tmpfs tmpfs ${ROOT}/run
ip link set lo up
echo ready
# As the first process, it collects those that end.
while :; do sleep 3600 & wait $!; done`;

export interface Result {
  status: number | null;
  stdout: string;
  stderr: string;
}

export class ScratchMachine {
  private readonly holder: ChildProcess;
  private readonly first: string;

  private constructor(holder: ChildProcess, first: string) {
    this.holder = holder;
    this.first = first;
  }

  static async start(): Promise<ScratchMachine> {
    const words = ["--mount", "--pid", "--net", "--fork", "--kill-child", "sh", "-c", setUp];
    const holder = spawn("unshare", words, { stdio: ["ignore", "pipe", "pipe"] });
    let problem = "";
    holder.on("error", (error) => {
      problem = error.message;
    });
    holder.stderr?.setEncoding("utf8").on("data", (text: string) => {
      problem += text;
    });
    for await (const line of createInterface({ input: holder.stdout as NodeJS.ReadableStream })) {
      if (line === "ready") break;
    }
    const [first = ""] = childrenOf(holder.pid);
    if (first === "") throw new Error(`A scratch machine needs root and namespaces: ${problem}`);
    return new ScratchMachine(holder, first);
  }

  /** Runs a command as root in it, to its end. */
  run(words: readonly string[], env: Record<string, string> = {}): Result {
    return this.enter([`--root=/proc/${this.first}/root${ROOT}`, "--wdns=/", ...words], env);
  }

  /** Standard output of a command that must end well. */
  print(...words: string[]): string {
    const { status, stdout, stderr } = this.run(words);
    if (status !== 0) throw new Error(`${words.join(" ")} ended with ${status}: ${stdout}${stderr}`);
    return stdout;
  }

  stop(): void {
    this.holder.kill("SIGKILL");
  }

  private enter(words: readonly string[], env: Record<string, string>): Result {
    const line = [`--target=${this.first}`, "--mount", "--pid", "--net", ...words];
    const { status, stdout, stderr, error } = spawnSync("nsenter", line, {
      encoding: "utf8",
      maxBuffer: 2 ** 26,
      env: {
        PATH: "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin",
        HOME: "/root",
        LC_ALL: "C.UTF-8",
        DEBIAN_FRONTEND: "noninteractive",
        ...env,
      },
    });
    if (error) throw error;
    return { status, stdout, stderr };
  }
}

function childrenOf(pid: number | undefined): string[] {
  try {
    return readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8").trim().split(" ");
  } catch {
    return [];
  }
}
