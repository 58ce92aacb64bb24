import { expect, test } from "vitest";
import { readConfig } from "../../server/config.ts";
import { banner } from "./banner.ts";

test("a start says that servers on one database need a storage for files that they share", () => {
  const note = "other servers on this database can't see the files here: set PARLEY_FILES";
  const lines = (environment: NodeJS.ProcessEnv) => banner(readConfig(environment)).join("\n");
  const shared = { DATABASE_URL: "postgres://parley@db/parley" };
  expect(lines({})).not.toContain(note);
  expect(lines(shared)).toContain(note);
  expect(lines({ ...shared, PARLEY_FILES: "/mnt/shared" })).not.toContain(note);
  const keys = { AWS_ACCESS_KEY_ID: "a", AWS_SECRET_ACCESS_KEY: "b", AWS_REGION: "eu-central-1" };
  const s3 = lines({ ...shared, ...keys, PARLEY_FILES: "s3://files/chat" });
  expect(s3).not.toContain(note);
  expect(s3).toContain("files     s3://files/chat at Amazon in eu-central-1");
});
