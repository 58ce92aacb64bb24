/** What people hold of a server, each on one node: whether it goes on can be asked again and again. */
import { randomUUID } from "node:crypto";
import { expect } from "vitest";
import { keepStep } from "../../../server/accounts/providers/steps.ts";
import { sql } from "../../../server/platform/db/sql.ts";
import { mailedPath } from "../../harness/accounts.ts";
import { expectSuccess } from "../../harness/answers.ts";
import { Authenticator } from "../../harness/authenticator.ts";
import { type Harness, HOST } from "../../harness/harness.ts";
import type { HttpNode } from "../../harness/http-node.ts";
import { ownPageHeaders } from "../../harness/own-page-headers.ts";
import { RawClient } from "../../harness/raw-client.ts";
import { cookieIn } from "../../harness/sessions.ts";
import { authorizationOf } from "../../harness/uploads.ts";
import { callerAt, type Headers, loginOf, type Person } from "./person.ts";

export interface Held {
  /** Whether it goes on, as the node that holds it says. */
  goesOn(): Promise<boolean>;
  /** Uses it for what it is there for, where that can be done once. Returns whether that did anything. */
  use?(): Promise<boolean>;
  end?(): void;
}

interface Place {
  harness: Harness;
  /** The node that holds it. */
  node: HttpNode;
  person: Person;
}

export type Hold = (place: Place) => Promise<Held>;

const form = { "content-type": "application/x-www-form-urlencoded", ...ownPageHeaders };

const open = async ({ app }: HttpNode, url: string, headers: Headers = {}) =>
  (await app.inject({ method: "GET", url, headers: { host: HOST, ...headers } })).statusCode === 200;

let senders = 0;

/** Each form comes from another address, since a network has limits of its own. */
const send = ({ app }: HttpNode, url: string, fields: Record<string, string>, headers: Headers = {}) =>
  app.inject({
    method: "POST",
    url,
    headers: { host: HOST, ...form, ...headers },
    payload: new URLSearchParams(fields).toString(),
    remoteAddress: `10.0.${++senders >> 8}.${senders & 255}`,
  });

type Credential = (person: Person) => Headers;

const calls =
  (credential: Credential): Hold =>
  async ({ node, person }) => ({
    goesOn: async () => (await callerAt(node, credential(person)).get("/users/me")).status === 200,
  });

/** A poll that waits. It goes on if its client may come back, whether it was answered or not. */
const polls =
  (credential: Credential): Hold =>
  async ({ node, person }) => {
    const caller = callerAt(node, credential(person));
    const { queue_id, last_event_id } = await expectSuccess(
      caller.post("/register", { event_types: ["drafts"], fetch_event_types: [] }),
    );
    const poll = { queue_id, last_event_id };
    let isHeld = true;
    const held = caller.get("/events", poll).then(() => {
      isHeld = false;
    });
    return {
      async goesOn() {
        // A poll of the same queue would take the place of the one that is held.
        if (isHeld) return true;
        await held;
        return (await caller.get("/events", { ...poll, dont_block: true })).status === 200;
      },
      async use() {
        return (await caller.delete("/events", { queue_id })).status === 200;
      },
    };
  };

/** A queue that was there before. It goes on if a new message of the private channel comes in it. */
const messages: Hold = async ({ harness, node, person }) => {
  const caller = callerAt(node, person.key);
  const { queue_id, last_event_id } = await expectSuccess(
    caller.post("/register", { event_types: ["message"], fetch_event_types: [] }),
  );
  return {
    async goesOn() {
      const content = randomUUID();
      const message = { type: "channel", to: person.channelId, topic: "soup", content };
      const sent = await harness.as("ada").post("/messages", message);
      await node.state.catchUp();
      const { status, body } = await caller.get("/events", { queue_id, last_event_id, dont_block: true });
      return sent.status === 200 && status === 200 && JSON.stringify(body.events).includes(content);
    },
  };
};

const files =
  (credential: Credential): Hold =>
  async ({ node, person }) => ({ goesOn: () => open(node, person.fileUrl, credential(person)) });

const temporaryAddresses =
  (credential: Credential): Hold =>
  async ({ node, person }) => {
    const { url } = await expectSuccess(callerAt(node, credential(person)).get(person.fileUrl));
    return { goesOn: () => open(node, url) };
  };

const tus = { "tus-resumable": "1.0.0" };

async function beginUpload({ app }: HttpNode, credential: Headers): Promise<string> {
  const headers = { ...credential, ...tus, "upload-length": "100000" };
  const { statusCode, headers: answered } = await app.inject({ method: "POST", url: "/api/v1/tus", headers });
  expect(statusCode).toBe(201);
  return String(answered.location);
}

const waitingUploads =
  (credential: Credential): Hold =>
  async ({ node, person }) => {
    const headers = credential(person);
    const url = await beginUpload(node, headers);
    return {
      goesOn: async () =>
        (await node.app.inject({ method: "HEAD", url, headers: { ...headers, ...tus } })).statusCode === 200,
    };
  };

/** A request of which more bytes are to come. It goes on as long as it has no response. */
const arrivingUploads =
  (credential: Credential): Hold =>
  async ({ node, person }) => {
    const headers = {
      ...credential(person),
      ...tus,
      "upload-offset": "0",
      "content-type": "application/offset+octet-stream",
      "content-length": "100000",
    };
    const url = await beginUpload(node, credential(person));
    const head = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
    const client = new RawClient(node.port).send(
      `PATCH ${url} HTTP/1.1\r\n${head.join("")}\r\n${"a".repeat(1000)}`,
    );
    const isWriting = async () => {
      const [row] = await node.services.database.query<{ writer: string | null }>(
        sql`select writer from partial_uploads where id = ${url.slice(url.lastIndexOf("/") + 1)}`,
      );
      return row?.writer != null;
    };
    await expect.poll(isWriting).toBe(true);
    return {
      goesOn: async () => client.received === "" && !client.isClosed,
      end: () => client.socket.destroy(),
    };
  };

/** Bytes of a form with a file, of which more are to come. */
const arrivingForms =
  (credential: Credential): Hold =>
  async ({ node, person }) => {
    const headers = {
      ...credential(person),
      "content-type": "multipart/form-data; boundary=soup",
      "content-length": "100000",
    };
    const head = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
    const part = '--soup\r\nContent-Disposition: form-data; name="f"; filename="soup.txt"\r\n\r\n';
    const client = new RawClient(node.port).send(
      `POST /api/v1/user_uploads HTTP/1.1\r\n${head.join("")}\r\n${part}${"a".repeat(1000)}`,
    );
    return {
      goesOn: async () => client.received === "" && !client.isClosed,
      end: () => client.socket.destroy(),
    };
  };

const assistant: Hold = async ({ node, person }) => ({
  async goesOn() {
    const { statusCode } = await node.app.inject({
      method: "POST",
      url: "/mcp",
      headers: {
        host: HOST,
        authorization: `Bearer ${person.apiKey}`,
        "content-type": "application/json",
        accept: "application/json, text/event-stream",
      },
      payload: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/list", params: {} }),
    });
    return statusCode === 200;
  },
});

const linkForPassword: Hold = async ({ harness, node, person }) => {
  await send(node, "/reset", { email: person.email });
  const path = await mailedPath(harness, person.email);
  expect(path).toContain("/reset/");
  return {
    goesOn: () => open(node, path),
    use: async () => (await send(node, path, { password: "nine slow teapots" })).statusCode === 200,
  };
};

const linkForAddress: Hold = async ({ harness, node, person }) => {
  const email = `new-${person.email}`;
  await expectSuccess(callerAt(node, person.elsewhere).patch("/settings", { email }));
  const path = await mailedPath(harness, email);
  return {
    goesOn: () => open(node, path),
    use: async () => (await send(node, path, {})).statusCode === 200,
  };
};

const invitation: Hold = async ({ node, person }) => {
  const { invite_link } = await expectSuccess(callerAt(node, person.key).post("/invites/multiuse", {}));
  const path = new URL(invite_link).pathname;
  return { goesOn: () => open(node, path) };
};

const waitingSignIn: Hold = async ({ node, person }) => {
  const answer = await send(node, "/login", loginOf(person.email));
  const cookie = cookieIn(answer.headers["set-cookie"]);
  const code = person.recoveryCodes.pop() as string;
  return {
    goesOn: () => open(node, "/login/second-step", { cookie }),
    use: async () => {
      const { headers } = await send(node, "/login/second-step", { code }, { cookie });
      return /parley-session=[^;]/.test(String(headers["set-cookie"]));
    },
  };
};

export const passkeyPlace = { origin: `http://${HOST}`, rpId: HOST };

/** It goes on as long as its browser is signed in, which alone may end it. */
const begunPasskey: Hold = async ({ node, person }) => {
  const browser = callerAt(node, person.elsewhere);
  const { options } = await expectSuccess(browser.post("/passkeys/registration_options"));
  const credential = new Authenticator().create({ ...passkeyPlace, challenge: options.challenge });
  return {
    goesOn: async () => (await browser.get("/users/me")).status === 200,
    use: async () => (await browser.post("/passkeys", { credential, name: "Phone" })).status === 200,
  };
};

const desktopCode: Hold = async ({ node, person }) => {
  const { state, services } = node;
  const [identity] = await services.database.query<{
    issuer: string;
    subject: string;
    providerId: string;
  }>(sql`
    update external_identities set second_step_at = now() where id = ${person.identityId}
    returning issuer, subject, provider_id as "providerId"`);
  if (!identity) throw new Error("there is no identity");
  const step = { kind: "desktop", userId: person.id, identity, next: "/" } as const;
  const token = await keepStep(state, services.keyring, step);
  const path = `/accounts/login/subdomain/${token}`;
  return {
    goesOn: () => open(node, path),
    async use() {
      const { headers } = await send(node, path, {});
      return /parley-session=[^;]/.test(String(headers["set-cookie"]));
    },
  };
};

const exportLink: Hold = async ({ node, person }) => {
  const { exports } = await expectSuccess(callerAt(node, person.key).get("/export/realm"));
  const { export_url } = exports.find((each: { export_url: string }) => each.export_url !== null);
  return { goesOn: () => open(node, new URL(export_url).pathname) };
};

const exportLinkOfSession: Hold = async ({ node, person }) => {
  const browser = callerAt(node, person.elsewhere);
  const { exports } = await expectSuccess(browser.get("/export/realm"));
  const { id } = exports.find(({ pending }: { pending: boolean }) => !pending);
  const { export_url } = await expectSuccess(browser.post(`/export/realm/${id}/link`));
  return { goesOn: () => open(node, new URL(export_url).pathname) };
};

const anothersKey: Hold = async ({ harness, node }) => {
  const headers = { host: HOST, authorization: authorizationOf(harness, "dev") };
  return { goesOn: async () => (await callerAt(node, headers).get("/users/me")).status === 200 };
};

const elsewhere: Credential = (person) => person.elsewhere;
const key: Credential = (person) => person.key;
const ofBot: Credential = (person) => person.bot.key;

/** In the order in which they are begun. */
export const holds = {
  "the browser that asks": calls((person) => person.here),
  "another browser": calls(elsewhere),
  "a program": calls(key),
  "a poll of another browser": polls(elsewhere),
  "a poll of a program": polls(key),
  "messages of the private channel": messages,
  "a file, in another browser": files(elsewhere),
  "a file, in a program": files(key),
  "a temporary address, from another browser": temporaryAddresses(elsewhere),
  "a temporary address, from a program": temporaryAddresses(key),
  "an upload that waits, of another browser": waitingUploads(elsewhere),
  "an upload that waits, of a program": waitingUploads(key),
  "an upload that arrives, of another browser": arrivingUploads(elsewhere),
  "an upload that arrives, of a program": arrivingUploads(key),
  "a form that arrives, of another browser": arrivingForms(elsewhere),
  "a form that arrives, of a program": arrivingForms(key),
  "an assistant": assistant,
  "a bot": calls(ofBot),
  "a poll of a bot": polls(ofBot),
  "an upload that arrives, of a bot": arrivingUploads(ofBot),
  "a link for another password": linkForPassword,
  "a link for another address": linkForAddress,
  "a sign-in that waits for a second step": waitingSignIn,
  "a code of the desktop app": desktopCode,
  "a begun registration of a passkey": begunPasskey,
  "an invitation link": invitation,
  "a link to an export": exportLink,
  "another browser's link to an export": exportLinkOfSession,
  "another person's program": anothersKey,
} satisfies Record<string, Hold>;

export type HeldName = keyof typeof holds;

/** A measurement of one thing that something has ended. */
export interface EndedAfter {
  cause: string;
  held: HeldName;
  /** From the answer to the change to the first refusal; null for what still went on after seconds. */
  ms: number | null;
}

/** Begins all of them. */
export async function holdAll(place: Place): Promise<Map<HeldName, Held>> {
  const held = new Map<HeldName, Held>();
  for (const [name, hold] of Object.entries(holds) as [HeldName, Hold][]) held.set(name, await hold(place));
  return held;
}
