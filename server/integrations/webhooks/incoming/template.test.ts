/** What a template says counts, and what its values say never completes it (F13). */
import { expect, test } from "vitest";
import { castLookups } from "../../../../markdown/cases/cast.ts";
import { createServerRenderer } from "../../../../markdown/node/renderer.ts";
import { Random } from "../../../../test/harness/random.ts";
import { finalContent } from "./receive.ts";
import { fillTemplate } from "./template.ts";

const OWN = 7;
const renderer = createServerRenderer();
/** The name that templates have, and those that values alone can make. */
const named = (name: string) => (name === "Own" ? OWN : /ll|backend|topic/.test(name) ? 101 : undefined);
const lookups = castLookups({
  userByName: (name) => {
    const id = named(name);
    return id === undefined ? [] : [{ id, fullName: name, isActive: true }];
  },
  userById: () => ({ id: 101, fullName: "Own", isActive: true }),
  groupByName: (name) => (named(name) === 101 ? { id: 9, name, isSystem: false } : undefined),
  inlinePreviews: false,
});

function mentionsIn(template: string, payload: unknown) {
  const { html, facts } = renderer.render(finalContent(fillTemplate(template, payload)), lookups);
  const { mentionedUserIds, mentionedGroupIds, mentionsChannelWildcard, mentionsTopicWildcard } = facts;
  const silent = [...html.matchAll(/data-user-id="([^"]*)"/g)].map(([, id]) => id);
  const links = [...html.matchAll(/href="([^"]*)"/g)].map(([, address = ""]) => address);
  return {
    ids: [...new Set([...mentionedUserIds, ...silent.map(Number)])],
    isWide: mentionedGroupIds.length > 0 || mentionsChannelWildcard || mentionsTopicWildcard,
    hasGroup: html.includes("group-mention") || html.includes("topic-mention"),
    others: links.filter((address) => !/^https?:\/\//.test(address)),
  };
}

const nothing = { ids: [], isWide: false, hasGroup: false, others: [] };

test.each([
  ["@**a{{x}}**", { x: "ll" }],
  ["@{{c}}**{{x}}**", { x: "all" }],
  ["@{{c}}_**{{x}}**", { x: "all" }],
  ["{{at}}**all**", { at: "@" }],
  ["@**|{{id}}**", { id: 101 }],
  ["@**Own|{{id}}**", { id: 101 }],
  ["@*{{x}}*", { x: "backend" }],
  ["@{{c}}*backend*", { c: "" }],
  ["@**all{{c}}**", { c: "" }],
  ["@**top{{x}}**", { x: "ic" }],
  ["[{{a}}]({{u}})", { a: "{{b}} @**all**", b: "`", u: "https://a.example" }],
  ["` {{x}}", { x: "`@**all**`" }],
  ["[x]{{c}}({{u}})", { c: "", u: "mailto:x@y.example" }],
  ["[x](mail{{u}})", { u: "to:x@y.example" }],
])("in %j a value completes nothing", (template, payload) => {
  expect(mentionsIn(template, payload)).toEqual(nothing);
});

test("a mention that the template alone has counts, beside any value", () => {
  for (const x of ["", "@", "**", "soup", "@**all**", "`"])
    expect(mentionsIn("Look, @**Own**: {{x}}", { x })).toEqual({ ...nothing, ids: [OWN] });
  expect(mentionsIn("[{{x}}](https://a.example/{{x}}) @*backend*", { x: "soup" }).isWide).toBe(true);
});

// Several short walks, because a long one reaches the limit of a test on a machine that is busy.
test.each([13, 14, 15, 16, 17, 18, 19, 20, 21, 22])(
  "no template of walk %d lets values mention somebody, or link elsewhere than to pages",
  (seed) => {
    const random = new Random(seed);
    const parts = [
      "@",
      "**",
      "*",
      "_",
      "|",
      "`",
      "[",
      "](",
      ")",
      " ",
      "a",
      "Own",
      "@**Own**",
      "\n",
      "<",
      "mail",
      "~~",
    ];
    const texts = [
      "",
      "@",
      "*",
      "**",
      "|101",
      "ll",
      "all",
      "@**all**",
      "`",
      "``",
      "{{b}}",
      "](",
      "to:x@y.example",
      "_",
    ];
    for (let n = 0; n < 2000; n++) {
      const length = 1 + random.upTo(9);
      const template = Array.from({ length }, () =>
        random.next() < 0.45 ? `{{${random.pick(["a", "b", "c"])}}}` : random.pick(parts),
      ).join("");
      const value = () => Array.from({ length: random.upTo(4) }, () => random.pick(texts)).join("");
      const payload = { a: value(), b: value(), c: value() };
      const found = mentionsIn(template, payload);
      const what = JSON.stringify({ template, payload });
      expect(
        found.ids.filter((id) => id !== OWN),
        what,
      ).toEqual([]);
      expect([found.isWide, found.hasGroup], what).toEqual([false, false]);
      // The parts of a template can make an address of their own, such as "[a](@)".
      expect(
        found.others.filter((address) => address.includes("y.example")),
        what,
      ).toEqual([]);
    }
  },
);

test.each(["](", "a@a", "@*a", "#**a", "bitcoin:", "a@a\n"])(
  "a template of %j that is twice as long is passed twice as far, and no further",
  (text) => {
    const passed = (length: number) =>
      charactersPassed(() => fillTemplate(`${text.repeat(length / text.length)}{{a}}`, { a: "b" }));
    const [short, long] = [passed(24_000), passed(48_000)];
    expect(short).toBeGreaterThan(24_000);
    expect(long / short).toBeLessThan(2.1);
  },
);

/** Over how many characters expressions go, again and again where several begin in one place. */
function charactersPassed(work: () => unknown): number {
  const { exec } = RegExp.prototype;
  let passed = 0;
  RegExp.prototype.exec = function (text) {
    const from = this.global || this.sticky ? this.lastIndex : 0;
    const found = exec.call(this, text);
    // A sticky one that is not there looks no further.
    const missed = this.sticky ? from : text.length;
    passed += (found ? found.index + found[0].length : missed) - from + 1;
    return found;
  };
  try {
    work();
  } finally {
    RegExp.prototype.exec = exec;
  }
  return passed;
}
