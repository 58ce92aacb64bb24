import path from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { api, build, parley, start, temporaryDirectory, usedDirectory, waitUntil } from "./parley.ts";

beforeAll(build);

describe("organization create", () => {
  test("without a terminal names the required options, and starts nothing", async () => {
    const dataDir = path.join(temporaryDirectory(), "data");
    const answer = await parley(["organization", "create", "Chess Club"], { PARLEY_DATA_DIR: dataDir });
    expect(answer).toEqual({
      code: 2,
      stdout: "",
      stderr:
        "The organization needs an owner. Give --owner-name, --owner-email, PARLEY_OWNER_PASSWORD: there is no terminal at which to ask.\nRun parley organization create --help for more.\n",
    });
  });

  test("refuses a bad password, and creates nothing", async () => {
    const env = { PARLEY_DATA_DIR: await usedDirectory("serve"), PARLEY_OWNER_PASSWORD: "pw" };
    const words = [
      "organization",
      "create",
      "Chess Club",
      "--owner-name",
      "Grace",
      "--owner-email",
      "grace@chess.test",
    ];
    expect(await parley(words, env)).toMatchObject({
      code: 65,
      stderr: expect.stringMatching(/^PARLEY_OWNER_PASSWORD: A password must have/),
    });
    expect((await parley(["api-key", "grace@chess.test"], env)).stderr).toBe(
      "There is no organization yet. Create one with parley organization create NAME. (P501)\n",
    );
  });
});

describe("organization deactivate", () => {
  test.each([
    ["while the server runs", true],
    ["while no server runs", false],
  ])("stops all use of an organization until it is reactivated, %s", async (_name, isRunning) => {
    const env = { PARLEY_DATA_DIR: await usedDirectory("demo") };
    const host = "localhost";
    let server = isRunning ? await start(["demo"], { env }) : undefined;
    const unasked = await parley(["organization", "deactivate", "--host", host], env);
    expect(unasked).toMatchObject({ code: 2, stderr: expect.stringMatching(/^Give --yes: /) });
    expect(await parley(["organization", "deactivate", "--yes"], env)).toMatchObject({ code: 2 });

    const done = await parley(["organization", "deactivate", "--host", host, "--yes"], env);
    expect(done).toMatchObject({ code: 0, stdout: expect.stringMatching(/^Deactivated /), stderr: "" });
    const again = await parley(["organization", "deactivate", "--host", host, "--yes"], env);
    expect(again.stdout).toMatch(/ was deactivated before\.$/m);
    expect((await parley(["organization", "list"], env)).stdout).toMatch(/^\S+ +deactivated +\S/);

    server ??= await start(["demo"], { env });
    const running = server;
    const ask = () => api(running, "POST", "/dev_fetch_api_key", { username: "ada@demo.test" });
    await waitUntil(async () => (await ask()).status !== 200, "the server learns of it");
    const signedOut = await ask();
    expect([signedOut.status, signedOut.body.code]).toEqual([401, "REALM_DEACTIVATED"]);
    const back = await parley(["organization", "reactivate", "--host", host], env);
    expect(back).toMatchObject({ code: 0, stdout: expect.stringMatching(/^Reactivated /), stderr: "" });
    await waitUntil(async () => (await ask()).status === 200, "the server lets people in again");
    expect((await parley(["organization", "list"], env)).stdout).toMatch(/^\S+ +active +\S/);
    await server.stop();
  });
});
