import { expect, test } from "vitest";
import { checkSources } from "../test/harness/checked-sources.ts";

/** What the check says of a checkout with these texts, each a file of its own in a folder. */
function problemsIn(folder: string, texts: readonly string[]): string[] {
  const files = texts.map((text, index) => [`${folder}/${index}.ts`, text]);
  const { problems, status } = checkSources(Object.fromEntries(files));
  expect(status).toBe(problems.length === 0 ? 0 : 1);
  return problems;
}

const registrations = [
  'pages.get("/example", serve);',
  'pages.post<{ Params: { code: string } }>("/example/:code", serve);',
  `app.get(\`\${FOLDER}:token\`, serve);`,
  "pages.route<{ Params: { name: string } }>({ method, url, handler });",
];

test("an address is registered where HTTP is, and declared everywhere else", () => {
  const advice = "declare an address by page() or publicFile(), and list it in the module's parts.ts";
  const problems = problemsIn("server/website/example", registrations);
  expect(problems.map((problem) => problem.includes(advice))).toEqual(registrations.map(() => true));
  const given = ['import type { FastifyInstance } from "fastify";'];
  expect(problemsIn("server/website/example", given)).toEqual([
    expect.stringContaining("only server/platform/http/ registers addresses"),
  ]);
  expect(problemsIn("server/platform/http", [...registrations, ...given])).toEqual([]);
});

test("a page does nothing by hand that its declaration does", () => {
  const byHand = [
    "if (!isFromOwnPage(request.headers, origin)) throw new ApiError(errors.foreignOrigin);",
    "const hosts = new Hosts(config.publicUrl);",
    "const viewer = await findRequester(services, place, request);",
  ];
  const advice = "the declaration of a page finds its host and its session, and checks the origin";
  const problems = problemsIn("server/website/example", byHand);
  expect(problems.map((problem) => problem.includes(advice))).toEqual(byHand.map(() => true));
});

test("a form says whose requests it takes", () => {
  const declared = (more: string) =>
    `page(\n  { method: "POST", path: "/example", organization: "active", session: "none"${more} },\n  serve,\n);`;
  expect(problemsIn("server/website/example", [declared("")])).toEqual([
    'server/website/example/0.ts: POST /example does not say whose requests it takes: give it the origin "own page", unless it must be sent from elsewhere.',
  ]);
  const right = [
    declared(', origin: "own page"'),
    declared(', origin: { anyone: "it is a toy" }'),
    'page({ method: "GET", path: "/example", organization: "any", session: "none" }, serve);',
    'const name = names.get("example");',
  ];
  expect(problemsIn("server/website/example", right)).toEqual([]);
});
