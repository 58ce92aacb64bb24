import { beforeAll, expect, test, vi } from "vitest";
import { api, build, call, start, temporaryDirectory } from "./e2e/parley.ts";

// A first start makes a database.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });
beforeAll(build);

test("the program starts on an empty directory, delivers a message and stops", async () => {
  const env = { PARLEY_DATA_DIR: temporaryDirectory(), PARLEY_OWNER_PASSWORD: "knight-takes-rook" };
  const email = "grace@chess.test";
  const made = await call(
    ["organization", "create", "Chess Club", "--owner-email", email, "--owner-name", "Grace Hill"],
    { env },
  );
  expect(made).toMatchObject({ code: 0 });

  const server = await start(["serve"], { env });
  const credentials = { username: email, password: env.PARLEY_OWNER_PASSWORD };
  const { body: signedIn } = await api(server, "POST", "/fetch_api_key", credentials);
  const key = `${email}:${signedIn.api_key}`;
  const { body: me } = await api(server, "GET", "/users/me", {}, key);
  const { body: queue } = await api(server, "POST", "/register", { event_types: ["message"] }, key);

  const position = { queue_id: queue.queue_id, last_event_id: queue.last_event_id };
  const waiting = api(server, "GET", "/events", position, key);
  const message = { type: "direct", to: [me.user_id], content: "e4" };
  const { body: sent } = await api(server, "POST", "/messages", message, key);
  const { body: heard } = await waiting;
  expect(heard.events).toMatchObject([{ type: "message", message: { id: sent.id, content: "e4" } }]);

  expect(await server.stop()).toMatchObject({ code: 0 });
});
