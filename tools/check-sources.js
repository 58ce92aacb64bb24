// Prints each place that breaks a rule of the sources, and fails if there is one. The rules are in the files
// imported here, one for each subject. A root in the first argument takes the place of this checkout.
import { fileURLToPath } from "node:url";
import { clientProblems } from "./client-rules.js";
import { hotPathProblems } from "./hot-path.js";
import { pageProblems } from "./page-rules.js";
import { placeProblems } from "./place-rules.js";
import { sharedServerProblems } from "./shared-server.js";
import { readSources } from "./source-files.js";
import { typeProblems } from "./type-rules.js";
import { wholeServicesProblems } from "./whole-services.js";

const { sources, tests } = readSources(process.argv[2] ?? fileURLToPath(new URL("..", import.meta.url)));
const problems = [
  ...placeProblems(sources),
  ...pageProblems(sources),
  ...typeProblems(sources, tests),
  ...wholeServicesProblems(sources),
  ...clientProblems(sources),
  ...hotPathProblems(sources),
  ...sharedServerProblems(tests),
];
for (const problem of problems) console.error(problem);
process.exitCode = problems.length > 0 ? 1 : 0;
