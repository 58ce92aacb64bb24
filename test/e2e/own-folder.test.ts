import { readdirSync } from "node:fs";
import { beforeAll, expect, test } from "vitest";
import { build, call, temporaryDirectory } from "./parley.ts";

beforeAll(build);

test("nothing begins an installation in a folder that nobody has chosen", async () => {
  const cwd = temporaryDirectory();
  const owner = ["--owner-name", "Ann Lee", "--owner-email", "ann@chess.test"];
  const env = { PARLEY_OWNER_PASSWORD: "knight-takes-rook" };
  for (const [words, code] of [
    [["serve"], 78],
    [["serve", "--workers", "2"], 78],
    [["organization", "create", "Chess", ...owner], 78],
    [["user", "list"], 66],
    [["audit-log"], 66],
  ] as const) {
    expect(await call([...words], { cwd, env })).toEqual({
      code,
      stdout: "",
      stderr: expect.stringMatching(
        /^There is no (Parley )?data in \S+\/data\. Set PARLEY_DATA_DIR to .* \(P\d{3}\)\n$/,
      ),
    });
  }
  expect((await call(["doctor"], { cwd })).stdout).toContain(`✗ There is no data in ${cwd}/data.`);
  expect(readdirSync(cwd)).toEqual([]);
});
