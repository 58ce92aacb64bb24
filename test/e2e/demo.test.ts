import { existsSync } from "node:fs";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { Keyring } from "../../server/platform/crypto/keyring.ts";
import { DEVELOPMENT_SECRET } from "../../server/platform/crypto/secret.ts";
import { migrate } from "../../server/platform/db/migrate.ts";
import { startEmbeddedPostgres } from "../../server/platform/postgres/launcher.ts";
import { createEmptyDatabase } from "../harness/postgres.ts";
import {
  api,
  build,
  call,
  freePort,
  type Json,
  parley,
  run,
  type Server,
  signIn,
  start,
  temporaryDirectory,
  usedDirectory,
  waitUntil,
} from "./parley.ts";

beforeAll(build);

describe("the demo organization", () => {
  test("has its people, channels, and things to read, and keeps what is added to it", async () => {
    const env = { PARLEY_DATA_DIR: temporaryDirectory() };
    const first = await start(["demo"], { env });
    await checkPeople(first);
    await checkChannels(first);
    const key = await signIn(first);
    const before = await history(first, key);
    expect(before.length).toBeGreaterThanOrEqual(25);
    const { body: sent } = await api(
      first,
      "POST",
      "/messages",
      { type: "channel", to: "general", topic: "lunch", content: "Kept?" },
      key,
    );
    await first.stop();

    const second = await start(["demo"], { env });
    expect(await signIn(second)).toBe(key);
    const after = await history(second, key);
    expect(after.map((message) => message.id)).toEqual([...before.map((message) => message.id), sent.id]);
    await second.stop();
  });

  test("prints its address, its accounts and their password", async () => {
    const server = await start(["demo"], {});
    expect(server.stdout()).toContain(server.url);
    expect(server.stdout()).toContain("demo-password");
    expect(server.stdout()).toContain("in a browser");
    expect(server.stdout()).toContain(`PARLEY_PORT=${server.port} npx parley tail`);
    for (const person of ["ada", "ben", "cleo", "dev", "elin", "gus"]) {
      const username = `${person}@demo.test`;
      expect(server.stdout()).toContain(username);
      const { body } = await api(server, "POST", "/fetch_api_key", { username, password: "demo-password" });
      expect(body).toMatchObject({ result: "success", email: username });
    }
    await server.stop();
  });

  test("takes its port and its data directory as options, and commands find it by the same", async () => {
    const dataDir = path.join(temporaryDirectory(), "kept");
    const port = String(await freePort());
    const server = await start(["demo", "--port", port, "--data-dir", dataDir], {
      env: { PARLEY_PORT: "not looked at" },
    });
    expect(server.port).toBe(port);
    expect(existsSync(path.join(dataDir, "postgres"))).toBe(true);
    const people = await parley(["user", "list", "--data-dir", dataDir]);
    expect(people).toMatchObject({ code: 0, stderr: "" });
    expect(people.stdout).toContain("elin@demo.test");
    await server.stop();
  });

  test("can be read in its web-public channel without an account", async () => {
    const server = await start(["demo"], {});
    const params = { narrow: [["channel", "town square"]], anchor: "newest", num_before: 10, num_after: 0 };
    const { body } = await api(server, "GET", "/messages", params);
    expect(body.messages.length).toBeGreaterThan(0);
    const closed = await api(server, "GET", "/messages", { ...params, narrow: [["channel", "general"]] });
    expect(closed.body.result).toBe("error");
    await server.stop();
  });

  test("is not created in the database of another organization", async () => {
    const env = { PARLEY_DATA_DIR: await usedDirectory("serve"), PARLEY_OWNER_PASSWORD: "knight-takes-rook" };
    const owner = ["--owner-name", "Grace Hill", "--owner-email", "grace@chess.test"];
    await call(["organization", "create", "Chess Club", ...owner], { env });
    expect(await call(["demo"], { env })).toEqual({
      code: 78,
      stdout: "",
      stderr:
        "The database was made in production mode, so development mode can't use it. Set PARLEY_DATA_DIR to another directory. (P109)\n",
    });
  });

  test("is made once by two servers that start at once on one database", async () => {
    const database = await createEmptyDatabase();
    const { host, port, user, database: name } = database.connection;
    const env = {
      DATABASE_URL: `postgres:///${name}?host=${encodeURIComponent(host)}&port=${port}&user=${user}`,
    };
    const servers = await Promise.all([start(["demo"], { env }), start(["demo"], { env })]);
    const [one, two] = servers as [Server, Server];
    const key = await signIn(one);
    expect(await signIn(two)).toBe(key);
    const texts = (await history(two, key)).map((message) => message.content);
    expect(new Set(texts).size).toBe(texts.length);
    await checkChannels(two);

    // A message that is sent through one server reaches the other.
    const { body: queue } = await api(two, "POST", "/register", { event_types: ["message"] }, key);
    const heard = api(
      two,
      "GET",
      "/events",
      { queue_id: queue.queue_id, last_event_id: queue.last_event_id },
      key,
    );
    const { body: sent } = await api(
      one,
      "POST",
      "/messages",
      { type: "direct", to: ["ben@demo.test"], content: "Hi" },
      key,
    );
    expect((await heard).body.events[0].message.id).toBe(sent.id);
    await Promise.all(servers.map((server) => server.stop()));
    await database.drop();
  });
});

describe("a server that is killed while it makes the demo", () => {
  test.each([1, 8, 40])("with %i accounts leaves what the next start completes", async (accounts) => {
    const database = await createEmptyDatabase();
    const { host, port, user, database: name } = database.connection;
    const url = `postgres:///${name}?host=${encodeURIComponent(host)}&port=${port}&user=${user}`;
    const killed = run(["demo"], { env: { DATABASE_URL: url } });
    const client = new pg.Client(database.connection);
    await client.connect();
    const count = async (table: string) => {
      // The server makes the tables.
      const made = await client.query("select to_regclass($1) is not null as made", [table]);
      if (!made.rows[0].made) return 0;
      return Number((await client.query(`select count(*) from ${table}`)).rows[0].count);
    };
    while ((await count("users")) < accounts && killed.child.exitCode === null) await sleep(5);
    killed.child.kill("SIGKILL");
    await killed.end;
    await client.end();

    const server = await start(["demo"], { env: { DATABASE_URL: url } });
    await checkPeople(server);
    await checkChannels(server);
    const texts = (await history(server, await signIn(server))).map((message) => message.content);
    expect(new Set(texts).size).toBe(texts.length);
    expect(texts.length).toBeGreaterThan(200);
    await server.stop();
    await database.drop();
  });
});

async function checkPeople(server: Server): Promise<void> {
  const { body } = await api(server, "GET", "/users", {}, await signIn(server));
  const people = body.members.map((user: Json) => [user.full_name, user.email, user.role, user.is_bot]);
  expect(people.slice(0, 7)).toEqual([
    ["Ada Osei", "ada@demo.test", 100, false],
    ["Ben Ito", "ben@demo.test", 200, false],
    ["Cleo Marsh", "cleo@demo.test", 300, false],
    ["Dev Rao", "dev@demo.test", 400, false],
    ["Elin Berg", "elin@demo.test", 400, false],
    ["Gus Pike", "gus@demo.test", 600, false],
    ["Echo Bot", "echo-bot@demo.test", 400, true],
  ]);
  const [ben, echo] = [1, 6].map((index) => body.members[index]);
  expect([echo.bot_type, echo.bot_owner_id]).toEqual([1, ben.user_id]);
}

async function checkChannels(server: Server): Promise<void> {
  const types = ["subscription", "realm_user", "default_streams", "channel_folders", "realm"];
  const of = async (email: string) => {
    const params = { fetch_event_types: types, include_subscribers: true };
    return (await api(server, "POST", "/register", params, await signIn(server, email))).body;
  };
  const [ada, gus] = await Promise.all([of("ada@demo.test"), of("gus@demo.test")]);
  // Those whom one can sign in as, and their bot. The others are background.
  const cast = ada.realm_users.slice(0, 7);
  const nameOf = new Map(cast.map((user: Json) => [user.user_id, user.full_name.split(" ")[0]]));
  const folderOf = new Map(ada.channel_folders.map((folder: Json) => [folder.id, folder.name]));
  const channels = ada.subscriptions.map((channel: Json) => ({
    name: channel.name,
    members: channel.subscribers.flatMap((id: number) => nameOf.get(id) ?? []).sort(),
    is: [channel.invite_only && "private", channel.is_web_public && "web-public"].filter(Boolean).join(),
    folder: folderOf.get(channel.folder_id) ?? null,
  }));
  const allButTheGuest = ["Ada", "Ben", "Cleo", "Dev", "Echo", "Elin"];
  const named = ["design", "engineering", "general", "leads", "town square"];
  const first = channels.filter(({ name }: Json) => named.includes(name));
  expect(first.sort((a: Json, b: Json) => a.name.localeCompare(b.name))).toEqual([
    { name: "design", members: ["Ada", "Cleo", "Dev", "Elin", "Gus"], is: "", folder: "Product" },
    { name: "engineering", members: ["Ada", "Ben", "Dev", "Echo", "Elin"], is: "", folder: "Product" },
    { name: "general", members: allButTheGuest, is: "", folder: null },
    { name: "leads", members: ["Ada", "Ben", "Cleo"], is: "private", folder: null },
    { name: "town square", members: allButTheGuest, is: "web-public", folder: null },
  ]);
  const general = ada.subscriptions.find((channel: Json) => channel.name === "general");
  expect(ada.realm_default_streams.map((entry: Json) => entry.stream_id ?? entry)).toEqual([
    general.stream_id,
  ]);
  expect(gus.subscriptions.map((channel: Json) => channel.name).sort()).toEqual(["design", "support"]);
  expect(ada.realm_name).toBe("Demo");
  expect(ada.realm_enable_spectator_access).toBe(true);
}

async function history(server: Server, key: string): Promise<Json[]> {
  const params = { anchor: "newest", num_before: 1000, num_after: 0, apply_markdown: false };
  return (await api(server, "GET", "/messages", params, key)).body.messages;
}

test("a command beside the first start of a demo waits until the mode is known", async () => {
  const dataDir = path.join(temporaryDirectory(), "data");
  // What a demo does first. Its second step, which stores the mode, comes when the command has looked.
  const postgres = await startEmbeddedPostgres({ dataDir, isServer: true });
  onTestFinished(() => postgres.stop());
  await migrate(postgres.connection);
  const client = new pg.Client(postgres.connection);
  await client.connect();
  onTestFinished(() => client.end());
  const looks = new Set<string>();
  const countLooks = async () => {
    const { rows } = await client.query<{ at: string }>(
      `select query_start::text as at from pg_stat_activity
        where datname = current_database() and pid <> pg_backend_pid() and query like '%secret_check%'`,
    );
    for (const { at } of rows) looks.add(at);
    return looks.size;
  };
  const command = run(["user", "list"], { env: { PARLEY_DATA_DIR: dataDir } });
  await waitUntil(
    async () => command.child.exitCode !== null || (await countLooks()) >= 4,
    "it has looked four times, or has ended",
    60_000,
  );
  expect(existsSync(path.join(dataDir, "secret"))).toBe(false);
  const { check } = new Keyring(DEVELOPMENT_SECRET);
  await client.query("insert into secret_check (value) values ($1)", [check]);
  await command.end;
  expect(command.stderr()).toContain("organization");
  expect(existsSync(path.join(dataDir, "secret"))).toBe(false);
});
