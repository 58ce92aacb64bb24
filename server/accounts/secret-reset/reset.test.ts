import pino from "pino";
import { expect, test } from "vitest";
import { expectSuccess } from "../../../test/harness/answers.ts";
import { callerOf, createHarness, fewConnections, HOST } from "../../../test/harness/harness.ts";
import { createServer, openServices } from "../../app.ts";
import { readApiKey } from "../../people/credentials.ts";
import { Keyring } from "../../platform/crypto/keyring.ts";
import type { OrganizationState } from "../../platform/log/organization-state.ts";
import { resetSecret } from "./reset.ts";

const NEW = "the secret of after the reset";

test("event queues end, as the log has keys of bots that nobody can read", async () => {
  const harness = await createHarness({ PARLEY_SECRET: "a secret that will be lost" });
  const ada = harness.as("ada");
  const { queue_id } = await expectSuccess(ada.post("/register", { event_types: ["realm_bot"] }));
  await expectSuccess(ada.post("/bots", { full_name: "Build", short_name: "build" }));
  await harness.services.queues.stop();
  const keyring = new Keyring(NEW);
  await harness.services.database.transaction((tx) => resetSecret(tx, keyring), { lane: "background" });

  const config = { ...harness.services.config, secret: NEW };
  const log = pino({ level: "silent" });
  const services = await openServices(config, log, harness.connection, undefined, fewConnections);
  const app = await createServer(services);
  const state = (await services.organizations.byHost(HOST)) as OrganizationState;
  const { id, email } = harness.user("ada");
  const key = await readApiKey(state, keyring, id);
  const authorization = `Basic ${Buffer.from(`${email}:${key}`).toString("base64")}`;
  const after = callerOf(app, { host: HOST, authorization, "user-agent": "ParleyTest/1.0" });
  const polled = await after.get("/events", { queue_id, last_event_id: -1, dont_block: true });
  expect([polled.status, polled.body.code]).toEqual([400, "BAD_EVENT_QUEUE_ID"]);

  await services.queues.stop();
  await app.close();
  await services.database.close();
  await harness.close();
});
