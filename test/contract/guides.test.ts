/**
 * The programs of docs/guides/ work: each runs as a process of its own against the demo organization. Their
 * calls and loops are those of the quick start.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import type { FastifyInstance } from "fastify";
import pino from "pino";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { presentApiKey } from "../../server/accounts/sign-in/sign-in.ts";
import { createServer, openServices } from "../../server/app.ts";
import { readConfig } from "../../server/config.ts";
import {
  javaScriptCall,
  javaScriptLoop,
  pythonLoop,
  pythonSession,
} from "../../server/integrations/api-reference/quick-start.ts";
import { createBot } from "../../server/integrations/bots/create-bot.ts";
import { users } from "../../server/people/user.ts";
import { runStateChange } from "../../server/platform/log/change.ts";
import type { Services } from "../../server/services.ts";
import { createDemo } from "../../server/website/demo/create-demo.ts";
import { createTestDatabase, type TestDatabase } from "../harness/postgres.ts";

const SITE = "http://localhost:9991";
const guides = fileURLToPath(new URL("../../docs/guides/", import.meta.url));
const standIns = fileURLToPath(new URL("../harness/python/", import.meta.url));

let database: TestDatabase;
let services: Services;
let app: FastifyInstance;
let site: string;
let folder: string;
const keys: Record<string, string> = {};

beforeAll(async () => {
  folder = mkdtempSync(path.join(tmpdir(), "parley-guides-"));
  database = await createTestDatabase();
  const config = readConfig({
    PARLEY_ENV: "development",
    PARLEY_RATE_LIMITS: "off",
    PARLEY_FILES: path.join(folder, "files"),
  });
  services = await openServices(config, pino({ level: "silent" }), database.connection);
  await createDemo(services, "localhost");
  app = await createServer(services);
  site = await app.listen({ host: "127.0.0.1", port: 0 });
  for (const email of ["ada@demo.test", "dev@demo.test"]) {
    keys[email] = (await call("POST", "/dev_fetch_api_key", { username: email })).api_key;
  }
  // As `parley bot create` makes it.
  const state = await services.organizations.primary();
  if (!state) throw new Error("There is no organization.");
  const owner = state.get(users).findManaged("ada@demo.test");
  if (!owner) throw new Error("Ada is not there.");
  const bot = await runStateChange(state, (tx) =>
    createBot(tx, services.keyring, { shortName: "hello", fullName: "Hello Bot", owner }),
  );
  keys[bot.email] = (await presentApiKey(state, services.keyring, bot)).api_key;
}, 60_000);

afterAll(async () => {
  await app?.close();
  await services?.database.close();
  await database?.drop();
  rmSync(folder, { recursive: true, force: true });
});

const languages = [
  ["js", "JavaScript"],
  ["python", "Python"],
] as const;

describe.each(languages)("in %s", (language) => {
  test("the first bot answers a direct message", { timeout: 60_000 }, async () => {
    const email = "hello-bot@localhost";
    const code = programOf("first-bot.md", language, email);
    const handle = language === "js" ? "await reply(event.message);" : 'reply(event["message"])';
    expect(code).toContain(loopOf(language, handle));
    run(code, language, email);
    const content = `Hello in ${language}`;
    // The program may not have registered yet when the first ones are sent.
    for (;;) {
      await call("POST", "/messages", { type: "direct", to: [email], content }, "dev@demo.test");
      await sleep(300);
      const query = "anchor=newest&num_before=20&num_after=0&apply_markdown=false";
      const { messages } = await call("GET", `/messages?${query}`, undefined, "dev@demo.test");
      const found: { sender_email: string; content: string }[] = messages;
      if (
        found.some((message) => message.sender_email === email && message.content === `You said: ${content}`)
      )
        break;
    }
  });

  test("the loop of the guide on events prints messages", { timeout: 60_000 }, async () => {
    const email = "dev@demo.test";
    const code = programOf("real-time.md", language, email);
    const handle =
      language === "js" ? "console.log(event.message.content);" : 'print(event["message"]["content"])';
    expect(code).toContain(loopOf(language, handle));
    const { output } = run(code, language, email);
    while (!output().includes("Follow me")) {
      await call("POST", "/messages", { type: "direct", to: [email], content: "Follow me" }, "ada@demo.test");
      await sleep(300);
    }
  });

  test.each([
    ["permissions.md", "ada@demo.test", "success\n"],
    ["moving-from-zulip.md", "dev@demo.test", /^true\n420\n$/i],
  ])("the program of %s prints what it should", async (guide, email, expected) => {
    const { child, output } = run(programOf(guide, language, email), language, email);
    const [status] = await once(child, "close");
    expect({ status, output: output() }).toEqual({ status: 0, output: expect.stringMatching(expected) });
  });
});

/** The block of a guide that is marked to be run, which begins as the quick start does. */
function programOf(guide: string, language: "js" | "python", email: string): string {
  const text = readFileSync(path.join(guides, guide), "utf8");
  const [block, ...others] = [...text.matchAll(new RegExp(`^\`\`\`${language} run\n(.*?)^\`\`\`$`, "gms"))];
  const code = block?.[1];
  if (code === undefined || others.length > 0) throw new Error(`${guide} needs one program in ${language}.`);
  const beginning = language === "js" ? javaScriptCall(SITE, email) : pythonSession(SITE, email);
  expect(code.startsWith(beginning), `${guide} begins as the quick start`).toBe(true);
  return code;
}

function loopOf(language: "js" | "python", handle: string): string {
  return language === "js" ? javaScriptLoop(handle) : pythonLoop(handle);
}

function run(
  code: string,
  language: "js" | "python",
  email: string,
): { child: ChildProcess; output: () => string } {
  const file = path.join(folder, language === "js" ? "program.mjs" : "program.py");
  writeFileSync(file, code.replace(SITE, site).replace("API_KEY", keys[email] ?? ""));
  const program = language === "js" ? process.execPath : "python3";
  const child = spawn(program, language === "js" ? [file] : ["-u", file], {
    env: { ...process.env, PYTHONPATH: standIns, PYTHONDONTWRITEBYTECODE: "1" },
  });
  onTestFinished(() => {
    child.kill();
  });
  let text = "";
  child.stdout.on("data", (data) => {
    text += data;
  });
  child.stderr.on("data", (data) => {
    text += data;
  });
  return { child, output: () => text };
}

async function call(method: string, address: string, body?: object, email?: string) {
  const response = await fetch(`${site}/api/v1${address}`, {
    method,
    headers: {
      "Content-Type": "application/json",
      ...(email ? { Authorization: `Basic ${btoa(`${email}:${keys[email]}`)}` } : {}),
    },
    ...(body ? { body: JSON.stringify(body) } : {}),
  });
  return response.json();
}
