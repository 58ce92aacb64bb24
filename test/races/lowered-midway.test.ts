/**
 * An administrator loses the role after the server has found out who calls, and before what they asked for is
 * done. The edge has let the call in, so each change must ask for the role of now itself.
 */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Endpoint } from "../../api/endpoint.ts";
import { errors } from "../../api/errors.ts";
import { endpoints } from "../../api/index.ts";
import { roles } from "../../api/roles.ts";
import { authenticateKey } from "../../server/accounts/sign-in/authenticate.ts";
import { routesOfModules } from "../../server/modules.ts";
import { isApiError } from "../../server/platform/http/answer.ts";
import type { Call } from "../../server/platform/http/handler.ts";
import { LocalCalls } from "../../server/platform/http/local-calls.ts";
import { SampleWorld } from "../contract/sample-world.ts";
import { expectSuccess } from "../harness/answers.ts";
import { picture } from "../harness/pictures.ts";

const folder = mkdtempSync(path.join(os.tmpdir(), "parley-lowered-"));
const file = path.join(folder, "a.png");
let world: SampleWorld;
beforeAll(async () => {
  writeFileSync(file, await picture("png", 32, 32));
  world = await SampleWorld.open();
  const { harness } = world;
  await expectSuccess(harness.as("ada").patch(`/users/${harness.user("ben").id}`, { role: roles.owner }));
}, 60_000);
afterAll(async () => {
  await world.close();
  rmSync(folder, { recursive: true });
});

const refusals = [errors.mustBeAdministrator, errors.mustBeOwner, errors.insufficientPermission].map(
  ({ name }) => name,
);

const changing = endpoints.filter(
  ({ access, method }) => method !== "GET" && (access === "administrator" || access === "owner"),
) as Endpoint[];

test.each(changing.map((endpoint) => [endpoint.name, endpoint] as const))(
  "somebody who may no longer call %s at that moment has done nothing",
  async (_, endpoint) => {
    const { harness } = world;
    const { services, state } = harness;
    const ids = await world.idsFor(endpoint, "ada", { ...world.own, ...(await world.furnishPassing("ada")) });
    const parameters = endpoint.sample(ids) as Record<string, unknown>;
    const viewer = authenticateKey(state, services.keyring, harness.user("ada").apiKey, "test");
    const setRole = (role: number) =>
      expectSuccess(harness.as("ben").patch(`/users/${harness.user("ada").id}`, { role }));
    await setRole(roles.member);
    // What the edge checks is left out: the role of the viewer, which it knew before, and the proof.
    const { proof: _proof, ...entered } = endpoint;
    const files = endpoint.files ? [{ path: file, fileName: "a.png", contentType: "image/png" }] : [];
    const call = { state, viewer, address: "127.0.0.1", baseUrl: "http://demo.test", files };
    const calls = new LocalCalls(routesOfModules(services));
    const outcome = await calls
      .call({ ...entered, access: "user" } as Endpoint, parameters, call as unknown as Call<unknown>)
      .then(
        () => "done",
        (error: unknown) => (isApiError(error) ? error.declaration.name : String(error)),
      );
    await setRole(roles.owner);
    expect(refusals).toContain(outcome);
  },
);
