// Servers of two releases on one database, for the length of an upgrade that replaces one after the other.
// The releases to come are this one with further migrations.
import { execFileSync } from "node:child_process";
import { symlinkSync, writeFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { beforeAll, expect, onTestFinished, test } from "vitest";
import { ownSchema } from "../../server/platform/db/migrate.ts";
import {
  api,
  build,
  call,
  type Json,
  run,
  type Server,
  signIn,
  start,
  temporaryDirectory,
  waitUntil,
} from "../e2e/parley.ts";
import { createEmptyDatabase } from "../harness/postgres.ts";
import { keepSending, messagesSince, type Sent, send } from "./backup-load.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));
const LONG_MS = 300_000;
const ADDS = `-- compatible from: ${ownSchema()}
alter table messages add column of_the_next_release text;
create table next_release_notes (id int);
`;
const REMOVES = "alter table messages drop column of_the_next_release;\ndrop table next_release_notes;\n";

beforeAll(build);

test(
  "servers are replaced one by one beside sends and polls, and none is let in that would break another",
  async () => {
    const next = makeRelease([ADDS]);
    const afterNext = makeRelease([ADDS, REMOVES]);
    const env = { ...(await ownDatabase()), PARLEY_ENV: "development" };
    const [one, two] = [await start(["demo"], { env }), await start(["demo"], { env })];
    const key = await signIn(one);
    const sent: Sent[] = [];
    const heard = listen(two, key);
    await heard.isRegistered;
    const load = keepSending(one, key, sent);
    await waitUntil(() => sent.length >= 10, "messages before the upgrade");

    const nextOne = await start(["demo"], { env, program: next });
    const atUpgrade = sent.length;
    await waitUntil(() => sent.length >= atUpgrade + 10, "messages of the old server beside the new one");
    await one.stop();
    await load;
    const after: Sent[] = [];
    const nextLoad = keepSending(nextOne, key, after);
    await waitUntil(() => after.length >= 10, "messages of the new server");
    const all = () => [...sent, ...after].map(({ id }) => id);
    await waitUntil(() => heard.ids.length >= all().length - 1, "the old server's clients hear the new one");

    // One of the old release that was killed comes back for as long as the upgrade lasts.
    await heard.stop();
    await two.stop("SIGKILL");
    const twoAgain = await start(["demo"], { env });
    expect((await send(twoAgain, key, "of the old release")).body.result).toBe("success");

    // The release that removes what the old one needs waits for it.
    await nextOne.stop();
    await nextLoad;
    const waiting = run(["demo"], { env, program: afterNext });
    await waiting.prints(
      /A server of an older Parley \(schema \d+\) runs on this database and can't work beside the migration \d+_removes\.sql\. Stop all servers of that release, then start this one\./,
    );
    expect((await send(twoAgain, key, "as before")).body.result).toBe("success");
    await twoAgain.stop();
    const [, url = ""] = await waiting.prints(/^listening on (https?:\/\/\S+)$/m);
    const last = { url };
    expect(await call(["demo"], { env })).toMatchObject({
      code: 78,
      stderr: expect.stringContaining("(P211)"),
    });
    const found = await messagesSince(last, key, (sent[0] as Sent).id);
    const isOfLoad = ({ content }: Sent) => content.startsWith("number");
    expect(found.filter(isOfLoad)).toEqual(expect.arrayContaining([...sent, ...after]));
    expect(found.map(({ content }) => content)).toEqual(
      expect.arrayContaining(["of the old release", "as before"]),
    );
    // Each was heard once, in order, by a queue of an old server.
    expect(heard.ids).toEqual(all().slice(0, heard.ids.length));
  },
  LONG_MS,
);

/** The program with further migrations. Returns the file to run. */
function makeRelease(migrations: readonly string[]): string {
  const dir = temporaryDirectory();
  execFileSync("cp", ["-al", path.join(root, "dist"), path.join(root, "package.json"), dir]);
  symlinkSync(path.join(root, "node_modules"), path.join(dir, "node_modules"));
  for (const [index, text] of migrations.entries()) {
    const number = String(ownSchema() + 1 + index).padStart(4, "0");
    const name = `${number}_${text === ADDS ? "adds" : "removes"}.sql`;
    writeFileSync(path.join(dir, "dist/server/platform/db/migrations", name), text);
  }
  return path.join(dir, "dist/program/main.js");
}

async function ownDatabase(): Promise<{ DATABASE_URL: string; PARLEY_DATA_DIR: string }> {
  const { connection, drop } = await createEmptyDatabase();
  onTestFinished(drop);
  const { user, host, port, database } = connection;
  const url = new URL(`postgresql://${user}@localhost/${database}`);
  if (port) url.searchParams.set("port", String(port));
  if (host) url.searchParams.set("host", host);
  return { DATABASE_URL: url.href, PARLEY_DATA_DIR: path.join(temporaryDirectory(), "data") };
}

/** Polls for messages until it is stopped or the server is gone. */
function listen(server: Server, key: string) {
  const ids: number[] = [];
  let isStopped = false;
  const registered = api(server, "POST", "/register", { event_types: ["message"] }, key);
  const end = registered.then(async ({ body }) => {
    let last: number = body.last_event_id;
    while (!isStopped) {
      const position = { queue_id: body.queue_id, last_event_id: last, dont_block: true };
      const { body: polled } = await api(server, "GET", "/events", position, key);
      for (const event of polled.events as Json[]) {
        last = event.id;
        if (event.type === "message") ids.push(event.message.id);
      }
    }
  });
  return {
    ids,
    isRegistered: registered,
    async stop() {
      isStopped = true;
      await end;
    },
  };
}
