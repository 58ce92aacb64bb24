import { writeFileSync } from "node:fs";
import path from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import {
  api,
  build,
  call,
  freePort,
  isRoot,
  parley,
  people,
  run,
  type Server,
  signIn,
  start,
  temporaryDirectory,
  usedDirectory,
} from "./parley.ts";

beforeAll(build);

describe("send and tail", () => {
  /** The demo, with dev's terminal open on it. */
  async function tailing() {
    const server = await start(["demo"], { env: { PARLEY_DATA_DIR: await usedDirectory("demo") } });
    const env = { PARLEY_PORT: server.port };
    const tail = run(["tail", "--as", "dev@demo.test"], { env });
    await tail.prints(/^ {2}\d\d:\d\d \S/m);
    return { server, env, tail };
  }

  test("a new message is shown at once, below the earlier ones", async () => {
    const { server, env, tail } = await tailing();
    const sent = await parley(["send", "general", "lunch", "Soup or *salad*?"], env);
    expect(sent).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^Sent message \d+ to #general › lunch\n$/),
      stderr: "",
    });
    const sentAt = performance.now();
    await tail.prints(/#general › lunch\n {2}\d\d:\d\d Ada Osei\n {4}Soup or \*salad\*\?\n/);
    // A poll that is not woken by the message ends after most of a minute.
    expect(performance.now() - sentAt).toBeLessThan(15_000);
    await server.stop();
  });

  test("a direct message may come from a pipe, and is shown with the names of its people", async () => {
    const { server, env, tail } = await tailing();
    const to = ["--as", "ben@demo.test", "--to", "dev@demo.test,elin@demo.test"];
    const direct = await parley(["send", ...to, "-"], env, "from a pipe\n");
    expect(direct).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^Sent message \d+ to dev@demo\.test, elin@demo\.test\n$/),
      stderr: "",
    });
    await tail.prints(/→ Ben Ito, Elin Berg\n {2}\d\d:\d\d Ben Ito\n {4}from a pipe\n/);
    await server.stop();
  });

  test("nothing that people write reaches the terminal as a command", async () => {
    const { server, env, tail } = await tailing();
    await parley(["send", "general", "lunch", "\x1b]0;owned\x07\x1b[2Jpoison"], env);
    await tail.prints(/poison/);
    expect(tail.stdout().replaceAll("\n", "")).not.toMatch(/\p{Cc}/u);
    await server.stop();
  });

  test("Ctrl+C ends it without a complaint", async () => {
    const { server, tail } = await tailing();
    tail.child.kill("SIGINT");
    expect(await tail.end).toEqual({ code: 0, signal: null });
    expect(tail.stderr()).toBe("");
    await server.stop();
  });

  test("tail shows one channel or topic only, also as JSON for programs", async () => {
    const server = await start(["demo"], { env: { PARLEY_DATA_DIR: await usedDirectory("demo") } });
    const env = { PARLEY_PORT: server.port };
    const tail = run(["tail", "--channel", "engineering", "--topic", "builds", "--raw"], { env });
    await tail.prints(/"subject":"builds"/);
    await parley(["send", "engineering", "slow start", "elsewhere"], env);
    await parley(["send", "engineering", "builds", "here"], env);
    await tail.prints(/"content":"here"/);
    const messages = tail
      .stdout()
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line));
    expect(messages.length).toBeGreaterThan(1);
    expect(new Set(messages.map((message) => message.subject))).toEqual(new Set(["builds"]));
    expect(messages.at(-1)).toMatchObject({ content: "here" });
    tail.child.kill("SIGTERM");
    expect((await tail.end).code).toBe(0);
    await server.stop();
  });

  test("tail waits for a server that goes away, and misses nothing", async () => {
    const env = { PARLEY_DATA_DIR: await usedDirectory("demo"), PARLEY_PORT: String(await freePort()) };
    const first = await start(["demo"], { env });
    const tail = run(["tail"], { env });
    await tail.prints(/→ /);
    await first.stop();
    await tail.prints(/^— .+ Trying again …$/m);
    const second = await start(["demo"], { env });
    await parley(["send", "general", "lunch", "Still here?"], env);
    await tail.prints(/^— The server is back\.$/m);
    await tail.prints(/Still here\?/);
    tail.child.kill("SIGINT");
    expect((await tail.end).code).toBe(0);
    await second.stop();
  });

  test("a refused message says why", async () => {
    const server = await start(["demo"], { env: { PARLEY_DATA_DIR: await usedDirectory("demo") } });
    const env = { PARLEY_PORT: server.port };
    expect(await parley(["send", "nowhere", "x", "y"], env)).toEqual({
      code: 1,
      stdout: "",
      stderr: "Channel 'nowhere' does not exist (P506)\n",
    });
    expect((await parley(["send", "general", "x"], env)).code).toBe(2);
    await server.stop();
  });

  test("act as the account that a file, the environment or the machine's own database names", async () => {
    const server = await start(["demo"], { env: { PARLEY_DATA_DIR: await usedDirectory("demo") } });
    const [email = "", key = ""] = (await signIn(server, "elin@demo.test")).split(":");
    const home = temporaryDirectory();
    const zuliprc = path.join(home, ".zuliprc");
    writeFileSync(zuliprc, `[api]\nemail=${email}\nkey=${key}\nsite=${server.url}\n`);
    const senders = await Promise.all([
      senderOf(server, await parley(["send", "--quiet", "general", "who", "a", "--zuliprc", zuliprc])),
      senderOf(
        server,
        await parley(["send", "-q", "general", "who", "b"], { HOME: home, PARLEY_PORT: server.port }),
      ),
      senderOf(
        server,
        await parley(["send", "-q", "general", "who", "c"], {
          PARLEY_SITE: server.url,
          PARLEY_EMAIL: email,
          PARLEY_API_KEY: key,
        }),
      ),
      senderOf(server, await parley(["send", "-q", "general", "who", "d"], { PARLEY_PORT: server.port })),
    ]);
    expect(senders).toEqual([email, email, email, "ada@demo.test"]);

    // An account on another server does not take the place of the server on this machine.
    writeFileSync(zuliprc, `[api]\nemail=${email}\nkey=${key}\nsite=https://chat.invalid\n`);
    const stray = await parley(["send", "-q", "general", "who", "e"], {
      HOME: home,
      PARLEY_PORT: server.port,
    });
    expect(await senderOf(server, stray)).toBe("ada@demo.test");
    await server.stop();
  });

  test("--as works on a production server for an account that may read its data", async () => {
    const dataDir = await usedDirectory("serve");
    const env = { PARLEY_DATA_DIR: dataDir, PARLEY_OWNER_PASSWORD: "knight-takes-rook" };
    await parley(
      [
        "organization",
        "create",
        "Chess Club",
        "--owner-name",
        "Grace Hill",
        "--owner-email",
        "grace@chess.test",
      ],
      env,
    );
    const server = await start(["serve"], { env });
    const sent = await parley(["send", "--as", "grace@chess.test", "general", "first", "Hello"], {
      PARLEY_DATA_DIR: dataDir,
      PARLEY_PORT: server.port,
    });
    expect(sent).toMatchObject({ code: 0, stderr: "" });
    const unnamed = await parley(["send", "general", "first", "Hello"], { PARLEY_PORT: server.port });
    expect(unnamed).toMatchObject({ code: 77, stderr: expect.stringContaining("Not signed in to http") });
    if (isRoot) {
      const [, person] = people.at(-1) as (typeof people)[number];
      const other = await call(["api-key", "grace@chess.test"], { env, person });
      expect(other.stderr).toMatch(
        /belongs to another user \(id 0\)\. Run this command as that user, or as root\. \(P201\)\n$/,
      );
    }
    await server.stop();
  });

  test("say how to start a server if none answers", async () => {
    const answer = await parley(["send", "general", "x", "y"], { PARLEY_PORT: "1" });
    expect(answer.stderr).toBe(
      "No server answers at http://127.0.0.1:1. Start one (npm start, or npm run demo), or set PARLEY_SITE to the address of another. (P510)\n",
    );
  });
});

async function senderOf(server: Server, { stdout }: { stdout: string }): Promise<string> {
  const key = await signIn(server);
  return (await api(server, "GET", `/messages/${stdout.trim()}`, {}, key)).body.message.sender_email;
}
