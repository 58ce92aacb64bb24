import { expect, test } from "vitest";
import { userCreate } from "./user-create.ts";

const create = (role: string) =>
  userCreate.run({ values: { role }, words: ["faye@demo.test", "Faye Lind"], environment: {} });

test.each(["constructor", "toString", "__proto__", "king"])("there is no role %s", async (role) => {
  await expect(create(role)).rejects.toThrow(`--role: there is no role ${role}.`);
});
