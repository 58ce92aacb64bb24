// Writes server/platform/db/schema.sql from the migrations. With --check, fails when the file is stale. Needs
// a build.

const built = new URL("../dist/server/platform/db/schema-check.js", import.meta.url);
const { isSchemaCurrent, writeSchema } = await import(built.href);

if (!process.argv.includes("--check")) {
  await writeSchema();
} else if (!(await isSchemaCurrent())) {
  console.error("server/platform/db/schema.sql is stale: run node tools/dump-schema.js");
  process.exitCode = 1;
}
