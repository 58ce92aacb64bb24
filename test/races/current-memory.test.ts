/**
 * Two servers on one database, of which the second never follows the log by itself: as in the moment before
 * it is notified. What was changed through the first must hold at the second at once.
 */
import type { FastifyInstance } from "fastify";
import pino from "pino";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { roles } from "../../api/roles.ts";
import { createServer, openServices } from "../../server/app.ts";
import { createUser, deactivateUser, giveApiKey } from "../../server/people/actions.ts";
import { changeState } from "../../server/people/viewer/change.ts";
import type { Services } from "../../server/services.ts";
import { expectSuccess, refusal } from "../harness/answers.ts";
import {
  type Caller,
  type CastName,
  callerOf,
  createHarness,
  type Harness,
  serverConnections,
} from "../harness/harness.ts";

let harness: Harness;
let services: Services;
let app: FastifyInstance;
let count = 0;

beforeAll(async () => {
  harness = await createHarness({}, serverConnections);
  const { config, database } = harness.services;
  services = await openServices(config, pino({ level: "silent" }), database.connection);
  app = await createServer(services);
  // Loads the organization, so that its memory is older than what the tests change.
  await expectSuccess(elsewhere("ada").get("/users/me"));
});

afterAll(async () => {
  await services.queues.stop();
  await app.close();
  await services.database.close();
  await harness.close();
});

/** Calls of the second server. */
function elsewhere(name: CastName): Caller {
  const { email, apiKey } = harness.user(name);
  const authorization = `Basic ${Buffer.from(`${email}:${apiKey}`).toString("base64")}`;
  return callerOf(app, { host: "demo.test", authorization, "user-agent": "ParleyTest/1.0" });
}

const message = (to: unknown, content = "At once?") => ({ type: "channel", to, topic: "lunch", content });
const newName = () => `channel ${++count}`;

describe("through another server, at once,", () => {
  test("a channel that was just made takes a message, by its name and by its id", async () => {
    const byName = newName();
    await harness.channel(byName, ["ada", "dev"]);
    await expectSuccess(elsewhere("dev").post("/messages", message(byName)));
    const byId = await harness.channel(newName(), ["ada", "dev"], { isPrivate: true });
    await expectSuccess(elsewhere("dev").post("/messages", message(byId.id)));
  });

  test("a channel that was just made is in the list of channels", async () => {
    const { id } = await harness.channel(newName(), ["ada"]);
    const { streams } = await expectSuccess(elsewhere("dev").get("/streams"));
    expect(streams.map((each: { stream_id: number }) => each.stream_id)).toContain(id);
  });

  test("somebody who was just subscribed reads the history", async () => {
    const name = newName();
    const { id } = await harness.channel(name, ["ada"], { isPrivate: true });
    const sent = await expectSuccess(harness.as("ada").post("/messages", message(id, "For members")));
    const path = `/messages/${sent.id}`;
    expect(await refusal(elsewhere("dev").get(path))).toContain("Invalid message");
    const principals = [harness.user("dev").id];
    const subscription = { subscriptions: [{ name }], principals };
    await expectSuccess(harness.as("ada").post("/users/me/subscriptions", subscription));
    const later = await expectSuccess(harness.as("ada").post("/messages", message(id, "For dev too")));
    const { raw_content } = await expectSuccess(elsewhere("dev").get(`/messages/${later.id}`));
    expect(raw_content).toBe("For dev too");
  });

  test("somebody who was just unsubscribed reads nothing more, and sends nothing more", async () => {
    const name = newName();
    const { id } = await harness.channel(name, ["ada", "dev"], { isPrivate: true });
    await expectSuccess(elsewhere("dev").post("/messages", message(id)));
    const removal = { subscriptions: [name], principals: [harness.user("dev").id] };
    await expectSuccess(harness.as("ada").delete("/users/me/subscriptions", removal));
    const sent = await expectSuccess(harness.as("ada").post("/messages", message(id, "Without dev")));
    expect(await refusal(elsewhere("dev").get(`/messages/${sent.id}`))).toContain("Invalid message");
    const narrow = [{ operator: "channel", operand: id }];
    const page = { anchor: "newest", num_before: 10, num_after: 0, narrow };
    const read = await elsewhere("dev").get("/messages", page);
    expect(JSON.stringify(read.body)).not.toContain("Without dev");
    expect((await elsewhere("dev").post("/messages", message(id))).status).toBe(400);
  });

  test("a new account signs in", async () => {
    const { viewer } = harness.user("ada");
    const email = `new${++count}@demo.test`;
    const { keyring } = harness.services;
    const account = { email, fullName: "New Person", role: roles.member, passwordHash: null };
    const user = await changeState(viewer, (tx) => createUser(tx, keyring, account));
    const apiKey = await changeState(viewer, (tx) => giveApiKey(tx, keyring, user.id));
    const authorization = `Basic ${Buffer.from(`${email}:${apiKey}`).toString("base64")}`;
    const caller = callerOf(app, { host: "demo.test", authorization, "user-agent": "ParleyTest/1.0" });
    expect((await expectSuccess(caller.get("/users/me"))).email).toBe(email);
  });

  test("a deactivated account is refused", async () => {
    await expectSuccess(elsewhere("elin").get("/users/me"));
    await changeState(harness.user("ada").viewer, (tx) => deactivateUser(tx, harness.user("elin").user));
    const calls = [
      elsewhere("elin").get("/users/me"),
      elsewhere("elin").post("/register", { event_types: ["message"] }),
      elsewhere("elin").get("/messages", { anchor: "newest", num_before: 1, num_after: 0 }),
      elsewhere("elin").post("/messages", message("general")),
    ];
    for (const { status } of await Promise.all(calls)) expect(status).toBe(401);
  });

  test("somebody who was just added signs in by the form", async () => {
    const person = { email: "nora@demo.test", full_name: "Nora Quist", password: "correct horse battery" };
    await expectSuccess(harness.as("ada").post("/users", person));
    const answer = await app.inject({
      method: "POST",
      url: "/login",
      headers: {
        host: "demo.test",
        origin: "http://demo.test",
        "content-type": "application/x-www-form-urlencoded",
      },
      payload: new URLSearchParams({ username: person.email, password: person.password }).toString(),
    });
    expect([answer.statusCode, answer.headers.location]).toEqual([303, "/"]);
  });
});
