import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { faultsOf } from "../allowed-html.ts";
import type { MessageFacts } from "../facts.ts";
import { noFacts } from "../facts.ts";
import { createServerRenderer } from "../node/renderer.ts";
import { castLookups } from "./cast.ts";
import { runCases } from "./run.ts";

interface Case {
  name: string;
  input: string;
  html: string;
  /** The facts that differ from those of a plain message. */
  facts?: Partial<MessageFacts>;
}

const folder = new URL("./", import.meta.url);
const renderer = createServerRenderer();

for (const file of readdirSync(folder).filter((name) => name.endsWith(".json"))) {
  describe(file.replace(".json", ""), () => {
    const cases = JSON.parse(readFileSync(new URL(file, folder), "utf8")) as Case[];
    for (const { name, input, html, facts } of cases) {
      test(name, () => {
        const rendered = renderer.render(input, castLookups());
        expect(rendered.html).toBe(html);
        expect(rendered.facts).toEqual({ ...noFacts(), ...facts });
        expect(faultsOf(rendered.html)).toEqual([]);
      });
    }
  });
}

describe("the runner of public cases", () => {
  const file = (expected: string) => ({
    regular_tests: [{ name: "one", input: "```js\nlet a\n```", expected_output: expected }],
  });

  test("compares the text, language and wrapper of highlighted code, not its classes", () => {
    const head = '<div class="codehilite" data-code-language="JavaScript"><pre><span></span><code>';
    const tail = "</code></pre></div>";
    expect(
      runCases(file(`${head}<span class="kd">let</span> <span class="nx">a</span>\n${tail}`))[0]?.isPass,
    ).toBe(true);
    expect(runCases(file(`${head}let b\n${tail}`))[0]?.isPass).toBe(false);
    expect(runCases(file(`${head.replace("JavaScript", "Java")}let a\n${tail}`))[0]?.isPass).toBe(false);
  });

  test("takes the organization's address from the links to narrows", () => {
    const input = "http://team.invalid/#narrow/is/starred";
    const results = runCases({
      regular_tests: [],
      linkify_tests: [
        [input, `<p><a href="#narrow/is/starred">${input}</a></p>`, ""],
        ["see a.example.com", "<p>see %s</p>", "a.example.com"],
        ["see a.example.com", "<p>see %s</p>", "b.example.com"],
      ],
    });
    expect(results.map((result) => result.isPass)).toEqual([true, true, false]);
  });
});
