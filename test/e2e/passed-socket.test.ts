// A server on a socket that a service manager holds, as systemd does for a socket unit.
import path from "node:path";
import { beforeAll, expect, test } from "vitest";
import {
  build,
  freePort,
  type Program,
  run,
  temporaryDirectory,
  usedDirectory,
  waitUntil,
} from "./parley.ts";

beforeAll(build);

/**
 * Holds a socket, and starts the command on it. When that ends well, it says so, waits for a line, and starts
 * it again.
 */
const HOLDER = String.raw`
use strict; use Socket; use Fcntl; use POSIX ();
my ($kind, $place, $name) = splice(@ARGV, 0, 3);
my $family = $kind eq 'tcp' ? PF_INET : PF_UNIX;
socket(my $socket, $family, SOCK_STREAM, 0) or die $!;
setsockopt($socket, SOL_SOCKET, SO_REUSEADDR, 1);
bind($socket, $kind eq 'tcp' ? sockaddr_in($place, inet_aton('127.0.0.1')) : sockaddr_un($place)) or die $!;
listen($socket, 128) or die $!;
my $child;
$SIG{TERM} = sub { kill 'TERM', $child };
while (1) {
  $child = fork();
  if ($child == 0) {
    my $isThere = fileno($socket) == 3 || POSIX::dup2(fileno($socket), 3);
    open(my $kept, '>&=', 3); fcntl($kept, F_SETFD, 0);
    @ENV{qw(LISTEN_PID LISTEN_FDS LISTEN_FDNAMES)} = ($$, 1, $name);
    exec { $ARGV[0] } @ARGV;
  }
  while (waitpid($child, 0) == -1) {}
  exit(($? >> 8) || 1) if $?;
  print "ended\n"; STDOUT->flush();
  exit 0 unless defined <STDIN>;
}
`;

const holder = (kind: "tcp" | "unix", place: string) => ["perl", "-MIO::Handle", "-e", HOLDER, kind, place];

/** Resolves when it has printed the pattern so many times. */
async function printsTimes(server: Program, pattern: RegExp, times: number): Promise<void> {
  await expect.poll(() => server.stdout().match(pattern)?.length ?? 0, { timeout: 60_000 }).toBe(times);
}

test("a request that arrives while the server is restarted waits for it", async () => {
  const port = await freePort();
  const env = { PARLEY_DATA_DIR: await usedDirectory("serve"), PARLEY_PORT: String(port) };
  const launcher = [...holder("tcp", String(port)), "parley.socket"];
  const server = run(["serve"], { env, launcher });
  const health = () => fetch(`http://127.0.0.1:${port}/health`, { headers: { connection: "close" } });
  // The holder listens long before the server.
  await waitUntil(
    () =>
      health().then(
        ({ ok }) => ok,
        () => false,
      ),
    "the first request is answered",
  );
  await server.prints(new RegExp(`^listening on http://127\\.0\\.0\\.1:${port}$`, "m"));
  server.child.kill("SIGTERM");
  await printsTimes(server, /^ended$/gm, 1);
  const waiting = health();
  server.child.stdin?.write("again\n");
  expect((await waiting).status).toBe(200);
  await printsTimes(server, /^listening on/gm, 2);
  server.child.kill("SIGTERM");
  await printsTimes(server, /^ended$/gm, 2);
  server.child.stdin?.end();
  expect(await server.end).toMatchObject({ code: 0 });
});

test("a socket with another port than the settings is taken, with a warning", async () => {
  const port = await freePort();
  const env = { PARLEY_DATA_DIR: await usedDirectory("serve"), PARLEY_PORT: "9991" };
  const server = run(["serve"], { env, launcher: [...holder("tcp", String(port)), ""] });
  await server.prints(new RegExp(`^listening on http://127\\.0\\.0\\.1:${port}$`, "m"));
  expect(server.stderr()).toContain(`has port ${port}, and PARLEY_PORT is 9991`);
  server.child.kill("SIGTERM");
  await printsTimes(server, /^ended$/gm, 1);
  server.child.stdin?.end();
  expect(await server.end).toMatchObject({ code: 0 });
});

test.each([
  ["workers", ["serve", "--workers", "2"], "tcp", {}, "A server with --workers can't listen on a socket"],
  ["development mode", ["serve"], "tcp", { PARLEY_ENV: "development" }, "Development mode can't listen on"],
  ["a socket of the file system", ["serve"], "unix", {}, "is not one of TCP. Write ListenStream="],
] as const)("%s and a passed socket don't go together", async (_, words, kind, more, sentence) => {
  const place = kind === "tcp" ? String(await freePort()) : path.join(temporaryDirectory(), "socket");
  const env = { PARLEY_DATA_DIR: temporaryDirectory(), ...more };
  const server = run([...words], { env, launcher: [...holder(kind, place), "parley.socket"] });
  expect((await server.end).code).not.toBe(0);
  expect(server.stderr()).toContain(sentence);
  expect(server.stderr()).not.toMatch(/^\s+at /m);
});
