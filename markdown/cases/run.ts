/**
 * Runs a file of public input and output pairs of this flavour against the server's renderer, and says which
 * pass:
 *
 *     node dist/markdown/cases/run.js FILE [--verbose]
 *
 * The file holds `regular_tests` (name, input, expected_output) and `linkify_tests` (input, HTML with %s,
 * address). Highlighted code is compared by its wrapper, language and text, without the token classes.
 * Proxied media are compared by the original address, not by the proxy's.
 */
import { readFile } from "node:fs/promises";
import { pathToFileURL } from "node:url";
import type { Lookups } from "../lookups.ts";
import { createServerRenderer } from "../node/renderer.ts";

/** Cases that are not expected to pass, each with its reason. */
const EXCEPTIONS: Readonly<Record<string, string>> = {};

interface PublicCase {
  name: string;
  input: string;
  expected_output: string;
  translate_emoticons?: boolean;
}

interface CaseFile {
  regular_tests: PublicCase[];
  linkify_tests?: [input: string, template: string, address: string][];
}

export interface CaseResult {
  name: string;
  input: string;
  expected: string;
  actual: string;
  isPass: boolean;
}

/**
 * Renders every case of the file; the organization is taken to live at the host whose narrows the inputs link
 * to.
 */
export function runCases(file: CaseFile): CaseResult[] {
  const renderer = createServerRenderer();
  const lookups = casesLookups(file);
  const check = (name: string, input: string, expected: string, isEmoticons: boolean): CaseResult => {
    const actual = renderer.render(input, { ...lookups, translateEmoticons: isEmoticons }).html;
    return { name, input, expected, actual, isPass: comparable(actual) === comparable(expected) };
  };
  const regular = file.regular_tests.map((test) =>
    check(test.name, test.input, test.expected_output, test.translate_emoticons === true),
  );
  const linkify = (file.linkify_tests ?? []).map(([input, template, address]) =>
    check(
      `linkify: ${input}`,
      input,
      template.replace("%s", () => anchor(address)),
      false,
    ),
  );
  return [...regular, ...linkify];
}

function casesLookups(file: CaseFile): Lookups {
  const inputs = [
    ...file.regular_tests.map((test) => test.input),
    ...(file.linkify_tests ?? []).map(([input]) => input),
  ];
  const baseUrl = inputs
    .map((input) => /https?:\/\/[^/\s]+(?=\/#narrow)/.exec(input)?.[0])
    .find((url) => url !== undefined);
  return {
    userByName: () => [],
    userById: () => undefined,
    groupByName: () => undefined,
    channelByName: () => undefined,
    // The one custom emoji that every server of this API has. Its picture is the service's own.
    emojiByName: (name) =>
      name === "zulip"
        ? { id: name, url: "/static/generated/emoji/images/emoji/unicode/zulip.png" }
        : undefined,
    proxiedMediaUrl: (url) => `https://proxy.invalid/external_content/0/${Buffer.from(url).toString("hex")}`,
    baseUrl: baseUrl ?? "http://localhost",
  };
}

function anchor(address: string): string {
  if (/^https?:/.test(address)) return `<a href="${address}">${address}</a>`;
  return `<a href="${address.includes("@") ? "mailto:" : "http://"}${address}">${address}</a>`;
}

function comparable(html: string): string {
  return html
    .replace(
      /(<div class="codehilite"[^>]*><pre><span><\/span><code>)([\s\S]*?)(<\/code>)/g,
      (_, open, code: string, close) => {
        return (
          open +
          code
            .replace(/<\/?span[^>]*>/g, "")
            .replace(/&quot;/g, '"')
            .replace(/&#39;/g, "'") +
          close
        );
      },
    )
    .replace(/https?:\/\/[^/"]+\/external_content\/[0-9a-f]+\//g, "/external_content/");
}

async function main(path: string | undefined, isVerbose: boolean): Promise<number> {
  if (path === undefined) {
    console.error("usage: npm run test:cases FILE");
    return 2;
  }
  const results = runCases(JSON.parse(await readFile(path, "utf8")) as CaseFile);
  const unexpected = results.filter((result) => !result.isPass && EXCEPTIONS[result.name] === undefined);
  for (const result of results) {
    if (result.isPass && !isVerbose) continue;
    const reason = EXCEPTIONS[result.name];
    console.log(
      `${result.isPass ? "pass" : reason === undefined ? "FAIL" : "known"}  ${result.name}${reason === undefined ? "" : `: ${reason}`}`,
    );
    if (!result.isPass) {
      console.log(`      input    ${JSON.stringify(result.input)}`);
      console.log(`      expected ${JSON.stringify(result.expected)}`);
      console.log(`      actual   ${JSON.stringify(result.actual)}`);
    }
  }
  const passed = results.filter((result) => result.isPass).length;
  console.log(`${passed} of ${results.length} pass, ${unexpected.length} fail unexpectedly`);
  return unexpected.length === 0 ? 0 : 1;
}

if (process.argv[1] !== undefined && import.meta.url === pathToFileURL(process.argv[1]).href) {
  const args = process.argv.slice(2);
  process.exitCode = await main(
    args.find((arg) => !arg.startsWith("--")),
    args.includes("--verbose"),
  );
}
