// Writes server/db/schema.sql from the migrations, or with --check fails when it is stale. Needs a build.

import { isSchemaCurrent, writeSchema } from "../dist/server/db/schema-check.js";

if (!process.argv.includes("--check")) {
  await writeSchema();
} else if (!(await isSchemaCurrent())) {
  console.error("server/db/schema.sql is stale: run node tools/dump-schema.js");
  process.exitCode = 1;
}
