import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { type MailServer, startMailServer } from "../../harness/mail-server.ts";
import { type Account, ask, demand } from "../ask.ts";
import { Gate } from "./gate.ts";

const MAIL_EVERY_MS = 2000;
const CALL_EVERY_MS = 1000;
const UPLOAD_EVERY_MS = 1000;
/** Mails and calls are tried again with pauses that grow. */
const ARRIVED_MS = 150_000;

export type Where = () => string | undefined;

/** Something that is done again and again, each time at a new number, until it is stopped. */
class Loop {
  #isRunning = true;
  readonly #running: Promise<void>;

  constructor(everyMs: number, act: (index: number) => Promise<void>) {
    this.#running = (async () => {
      for (let index = 0; this.#isRunning; index++) {
        await act(index);
        await sleep(everyMs);
      }
    })();
    this.#running.catch(() => {});
  }

  /** Throws what was wrong at any time. */
  async stop(): Promise<void> {
    this.#isRunning = false;
    await this.#running;
  }
}

/** A mail server, and people who are invited by mail: each of them gets one mail. */
export class MailNeighbour {
  readonly server: MailServer;
  readonly gate: Gate;
  /** Processes that were killed may mail twice what was under way. Set by the day. */
  mayDouble = false;
  /** The addresses of invitations that were acknowledged. */
  readonly invited: string[] = [];
  readonly #counts = new Map<string, number>();
  readonly #doubled = new Set<string>();
  #loop: Loop | undefined;

  private constructor(server: MailServer, gate: Gate) {
    this.server = server;
    this.gate = gate;
  }

  static async open(): Promise<MailNeighbour> {
    const server = await startMailServer();
    return new MailNeighbour(server, await Gate.open(() => server.port));
  }

  get settings(): Record<string, string> {
    return {
      PARLEY_SMTP_URL: `smtp://127.0.0.1:${this.gate.port}`,
      PARLEY_MAIL_FROM: "Demo chat <chat@demo.test>",
    };
  }

  get doubled(): number {
    return this.#doubled.size;
  }

  start(where: Where, inviters: readonly Account[]): void {
    this.#loop = new Loop(MAIL_EVERY_MS, async (index) => {
      const email = `guest-${index}@invited.test`;
      const account = inviters[index % inviters.length] as Account;
      const params = { invitee_emails: email, stream_ids: [] };
      const outcome = await ask(where(), "POST", "/invites", params, { account });
      if (outcome.kind !== "answer" || outcome.status >= 500) return;
      if (outcome.status === 200) this.invited.push(email);
      // An hour has a limit of invitations, which a long day reaches.
      else if (outcome.body.code !== "RATE_LIMIT_HIT" && outcome.body.code !== "OVER_QUOTA") {
        throw new Error(`the invitation of ${email} was turned down: ${JSON.stringify(outcome)}`);
      }
    });
  }

  /** Throws if a mail came twice and no process was killed. */
  async look(): Promise<void> {
    for (const { to, messageId } of await this.server.received()) {
      for (const key of [messageId ?? "", ...(to ?? []).map(({ address }) => address ?? "")]) {
        const count = (this.#counts.get(key) ?? 0) + 1;
        this.#counts.set(key, count);
        if (count > 1 && key === messageId && !this.mayDouble) throw new Error(`a mail came twice: ${key}`);
        if (count > 1 && key === messageId) this.#doubled.add(key);
      }
    }
  }

  /** Waits until everybody who was invited has a mail. */
  async finish(): Promise<void> {
    await this.#loop?.stop();
    await untilNone("mails are missing", async () => {
      await this.look();
      return this.invited.filter((email) => !this.#counts.has(email));
    });
  }

  async close(): Promise<void> {
    await this.gate.shut();
    await this.server.close();
  }
}

/** A program that an outgoing webhook bot calls: each acknowledged message to the bot reaches it. */
export class WebhookNeighbour {
  readonly gate: Gate;
  answers500 = false;
  readonly sent: string[] = [];
  readonly #server: Server;
  readonly #got = new Set<string>();
  #loop: Loop | undefined;

  private constructor(server: Server, gate: Gate, got: Set<string>) {
    this.#server = server;
    this.gate = gate;
    this.#got = got;
  }

  static async open(): Promise<WebhookNeighbour> {
    const got = new Set<string>();
    const server = createServer((request, response) => {
      let text = "";
      request.setEncoding("utf8").on("data", (chunk: string) => {
        text += chunk;
      });
      request.on("end", () => {
        if (neighbour.answers500) return void response.writeHead(500).end("no");
        got.add(JSON.parse(text).data.trim());
        response.writeHead(200, { "content-type": "application/json" }).end("{}");
      });
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const { port } = server.address() as AddressInfo;
    const neighbour = new WebhookNeighbour(server, await Gate.open(() => port), got);
    return neighbour;
  }

  /** Makes the bot, and begins to write to it. */
  async start(where: Where, owner: Account, writer: Account): Promise<void> {
    const bot = {
      full_name: "Day Bot",
      short_name: "day",
      bot_type: 3,
      payload_url: JSON.stringify(`http://127.0.0.1:${this.gate.port}/`),
    };
    const { user_id } = await demand(where(), "POST", "/bots", bot, { account: owner });
    this.#loop = new Loop(CALL_EVERY_MS, async (index) => {
      const content = `call-${index}`;
      const params = { type: "direct", to: [user_id], content };
      const outcome = await ask(where(), "POST", "/messages", params, { account: writer });
      if (outcome.kind === "answer" && outcome.status === 200) this.sent.push(content);
    });
  }

  async finish(): Promise<void> {
    await this.#loop?.stop();
    await untilNone("calls of the bot's program are missing", async () =>
      this.sent.filter((key) => !this.#got.has(key)),
    );
  }

  async close(): Promise<void> {
    await this.gate.shut();
    await new Promise((resolve) => this.#server.close(resolve));
  }
}

/** A person who uploads files: each that was acknowledged can be loaded, byte by byte. */
export class Uploads {
  readonly uploaded: { url: string; content: string }[] = [];
  #checked = 0;
  #loop: Loop | undefined;

  start(where: Where, account: Account): void {
    this.#loop = new Loop(UPLOAD_EVERY_MS, async (index) => {
      const base = where();
      if (base === undefined) return;
      const content = `file ${index} ${"x".repeat(1000 * (index % 7))}`;
      const body = new FormData();
      body.append("file", new Blob([content]), `file-${index}.txt`);
      const { authorization } = account;
      const answer = await load(`${base}/api/v1/user_uploads`, {
        method: "POST",
        headers: { authorization },
        body,
      });
      if (answer === undefined || answer.status >= 500) return;
      if (answer.status !== 200) throw new Error(`an upload was turned down: ${answer.text}`);
      this.uploaded.push({ url: JSON.parse(answer.text).url, content });
    });
  }

  /** Loads what was uploaded since the last time; everything with `all`. */
  async check(where: Where, { authorization }: Account, all = false): Promise<void> {
    const files = this.uploaded.slice(all ? 0 : this.#checked);
    for (const { url, content } of files) {
      const answer = await load(`${where()}${url}`, { headers: { authorization } });
      if (answer?.status !== 200 || answer.text !== content) {
        throw new Error(
          `${url}, which was acknowledged, is answered ${answer?.status} ${answer?.text.slice(0, 200)}`,
        );
      }
    }
    this.#checked = Math.max(this.#checked, this.uploaded.length - 1);
  }

  async stop(): Promise<void> {
    await this.#loop?.stop();
  }
}

/** Undefined when the answer did not come, or not whole. */
async function load(url: string, init: RequestInit): Promise<{ status: number; text: string } | undefined> {
  try {
    const response = await fetch(url, { ...init, signal: AbortSignal.timeout(30_000) });
    return { status: response.status, text: await response.text() };
  } catch {
    return undefined;
  }
}

async function untilNone(what: string, missing: () => Promise<readonly string[]>): Promise<void> {
  const deadline = Date.now() + ARRIVED_MS;
  for (;;) {
    const left = await missing();
    if (left.length === 0) return;
    if (Date.now() > deadline) throw new Error(`${what} after ${ARRIVED_MS} ms: ${left.slice(0, 10)}`);
    await sleep(100);
  }
}
