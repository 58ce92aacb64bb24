/** What a service manager learns from a server that it starts by deploy/systemd/notify-exec.pl. */
import { spawn } from "node:child_process";
import path from "node:path";
import readline from "node:readline";
import { beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { build, start, temporaryDirectory, usedDirectory, waitUntil } from "./parley.ts";
import { workersOf } from "./worker-processes.ts";

beforeAll(build);

const LAUNCHER = path.resolve(import.meta.dirname, "../../deploy/systemd/notify-exec.pl");

/** Node.js has no sockets of this kind. Prints a line for each datagram. */
const RECEIVER = `
use Socket;
my $address = $ARGV[0] =~ s/^@/\\0/r;
socket(my $s, AF_UNIX, SOCK_DGRAM, 0) or die $!;
bind($s, pack_sockaddr_un($address)) or die $!;
$| = 1;
print "bound\\n";
while (defined recv($s, my $text, 4096, 0)) { $text =~ s/\\n/ | /g; print "$text\\n" }
`;

/** The datagrams that come to an address. */
async function receive(address: string): Promise<string[]> {
  const child = spawn("perl", ["-e", RECEIVER, address], { stdio: ["ignore", "pipe", "inherit"] });
  onTestFinished(() => void child.kill("SIGKILL"));
  const lines: string[] = [];
  readline.createInterface({ input: child.stdout }).on("line", (line) => lines.push(line));
  await waitUntil(() => lines.length > 0, "the socket is bound");
  lines.shift();
  return lines;
}

const untilWith = (lines: readonly string[], pattern: RegExp) =>
  waitUntil(() => lines.some((line) => pattern.test(line)), `a datagram like ${pattern}`);

const isSign = (line: string) => line === "WATCHDOG=1";

describe.each([[["serve"]], [["serve", "--workers", "2"]]])(
  "parley %j, started by a service manager",
  (words) => {
    test.each([
      ["in a directory", () => path.join(temporaryDirectory(), "notify")],
      ["in the abstract namespace", () => `@parley-test-${process.pid}-${words.length}`],
    ])("tells the socket %s how it is", async (_name, makeAddress) => {
      const address = makeAddress();
      const lines = await receive(address);
      const server = await start(words, {
        launcher: ["perl", LAUNCHER],
        env: {
          PARLEY_DATA_DIR: await usedDirectory("serve"),
          NOTIFY_SOCKET: address,
          WATCHDOG_USEC: "2000000",
        },
      });
      await untilWith(lines, /^READY=1 /);
      const state = () => lines.filter((line) => !isSign(line));
      expect(state()).toEqual([
        "STATUS=Starting",
        expect.stringContaining(`READY=1 | STATUS=Serving ${server.url}`),
      ]);
      const before = lines.length;
      await waitUntil(() => lines.slice(before).filter(isSign).length >= 2, "signs of life go on");
      server.child.kill("SIGHUP");
      await untilWith(lines, /^READY=1$/);
      expect(state().slice(2)).toEqual([
        expect.stringMatching(/^RELOADING=1 \| MONOTONIC_USEC=\d+$/),
        "READY=1",
      ]);
      expect(await server.stop()).toMatchObject({ code: 0 });
      await untilWith(lines, /^STOPPING=1/);
      expect(state().slice(4)).toEqual(["STOPPING=1 | STATUS=Stopping"]);
      expect(server.stderr()).not.toContain("NOTIFY_SOCKET");
    });

    test("gives no sign of life while a process that serves stands still", async () => {
      const address = path.join(temporaryDirectory(), "notify");
      const lines = await receive(address);
      const server = await start(words, {
        launcher: ["perl", LAUNCHER],
        env: {
          PARLEY_DATA_DIR: await usedDirectory("serve"),
          NOTIFY_SOCKET: address,
          WATCHDOG_USEC: "1000000",
        },
      });
      await untilWith(lines, /^READY=1 /);
      const victim = workersOf(server)[0] ?? (server.child.pid as number);
      process.kill(victim, "SIGSTOP");
      let isStopped = true;
      onTestFinished(() => {
        if (isStopped) process.kill(victim, "SIGCONT");
      });
      let last = -1;
      await waitUntil(async () => {
        const isQuiet = lines.length === last;
        last = lines.length;
        // Longer than two signs of life are apart.
        await new Promise((resolve) => setTimeout(resolve, 1200));
        return isQuiet;
      }, "the signs of life end");
      process.kill(victim, "SIGCONT");
      isStopped = false;
      await waitUntil(() => lines.length > last, "signs of life come again");
      expect(await server.stop()).toMatchObject({ code: 0 });
    });
  },
);

test("a server that can't reach its service manager says so, and serves", async () => {
  const server = await start(["serve"], {
    env: { PARLEY_DATA_DIR: await usedDirectory("serve"), NOTIFY_SOCKET: "/nowhere" },
  });
  expect(server.stderr()).toContain("NOTIFY_SOCKET is set, but no descriptor named 'notify' was passed");
  expect((await fetch(`${server.url}/health`)).status).toBe(200);
});
