import type { Lookups } from "../lookups.ts";
import { compileLinkifier } from "../node/linkifier-re2.ts";
import { castLookups } from "./cast.ts";

/** A message's greatest length. */
const LENGTH = 10_000;

/** The processor time that any message may take, on the machine of a small organization. */
export const BUDGET_MS = 100;

const full = (unit: string): string => unit.repeat(Math.ceil(LENGTH / unit.length)).slice(0, LENGTH);
/** As much code as is highlighted in a message. */
const CODE_LENGTH = 4900;
const fence = (language: string, body: string): string =>
  `\`\`\`${language}\n${full(body).slice(0, CODE_LENGTH)}\n\`\`\``;
const lines = (count: number, line: (i: number) => string): string =>
  Array.from({ length: count }, (_, i) => line(i)).join("\n");

/** Messages made to slow a renderer down, by the text that they repeat. */
export const hostileTexts: Readonly<Record<string, string>> = {
  "quote marks": full(">"),
  "quote marks with spaces": full("> "),
  "empty quoted lines": full(">\n"),
  "quoted lists": full("> * "),
  "open brackets": full("["),
  "links that never close": full("[a]("),
  "links that never close a title": full('[a](b "'),
  "links with an angle": full("[a](<"),
  "nested links": `${"[".repeat(3000)}a${"](b)".repeat(1700)}`,
  "mention openers": full("@**"),
  mentions: full("@**Ada Osei** "),
  "channel openers": full("#**"),
  "topic links": full("#**general>a** "),
  "dollar pairs": full("$$ "),
  "short formulas": full("$$x$$ "),
  "different formulas": lines(600, (i) => `$$x_{${i}}^2$$`),
  "escaped dollars": full("$$a\\$"),
  "one backtick": full("`"),
  "ever longer runs of backticks": lines(139, (i) => "`".repeat(i + 1)),
  "backtick runs in turn": full("` `` ``` ```` "),
  "escaped backticks": full("\\`"),
  stars: full("*"),
  "star pairs": full("**a "),
  "stars in turn": full("*a**b***c"),
  tildes: full("~~a~ "),
  emoji: full(":smile:"),
  colons: full(":a"),
  "emoji characters": full("😀"),
  "joined emoji": full("\u200d😀"),
  "half flags": full("🇩"),
  emoticons: full(":) "),
  pipes: full("|"),
  "rules between pipes": full("|\n---\n"),
  "rules after what is nearly a table": full("|\n|-|\nx\n---\n"),
  "a wide table": `${"|a".repeat(2400)}\n${"|-".repeat(2400)}`,
  "a long table": `a|b\n-|-\n${full("|\n").slice(0, 9900)}`,
  "a square table": `${"|".repeat(96)}\n|${"-|".repeat(95)}\n${full("|\n").slice(0, 9600)}`,
  "a table of backticks": `a|b|c|d\n-|-|-|-\n${full("`|").slice(0, 9900)}`,
  "nested spoilers": full("```spoiler a\n"),
  "many spoilers": full("```spoiler\nx\n```\n"),
  "nested fenced quotes": full("```quote\n"),
  "many fences": full("```\n"),
  "a long fence line": `\`\`\`${full("a")}é`,
  "many formula blocks": full("```math\nx\n```\n"),
  "many languages": lines(330, (i) => `\`\`\`x${i}\na\n\`\`\``),
  items: full("* a\n"),
  "loose items": full("1. a\n\n"),
  "deep items": lines(98, (i) => `${"  ".repeat(i)}* a`),
  "items in one line": full("- + * "),
  "numbers in one line": full("1. "),
  headings: full("# a\n"),
  "a heading of marks": `# ${"#".repeat(9990)}x`,
  rules: full("---\n"),
  "broken rules": full("_ "),
  spaces: `${" ".repeat(9999)}x`,
  "lines of a space": full(" \n"),
  newlines: full("\n"),
  tabs: full("\t"),
  "indented code": full("    a\n\n"),
  schemes: full("http://"),
  "addresses in parentheses": full(",http://a/("),
  hosts: full("a.com,"),
  labels: full("a."),
  "mail addresses": full("a@b."),
  parentheses: full("(((("),
  images: lines(400, (i) => `http://a.example/${i}.png`),
  references: full("&amp"),
  times: full("<time:1 "),
  "short times": full("<time:5 jun>"),
  "lone surrogates": full("\ud800"),
  "control characters": full("\0\x02\x03"),
  "one word": full("a"),
  "all of it": full("**a** *b* ~~c~~ `d` :smile: http://e.fg/h @**Ada Osei** #**general** "),
  "all of it in blocks": full("**a** *b*\n`d` :smile:\n\n* x\n* y\n\n> z\n\n"),
  "a link with a gap": `[x](<a>${" ".repeat(9900)}!`,
  "links with gaps": full(`[x](<a>${" ".repeat(400)}`),
  "nested links to nowhere": `${"[a](javascript:".repeat(600)}${")".repeat(600)}`,
  script: fence("js", "({[<`${/*"),
  "lines of C#": fence("c#", `${"a".repeat(195)}\n`),
  markup: fence("html", "<a "),
  prompts: fence("console", "$ ${"),
  "nested fractions": `$$${"\\frac{".repeat(240)}$$`,
  "nested roots": `$$${"\\sqrt{".repeat(200)}${"}".repeat(200)}$$`,
  primes: `$$${"x'".repeat(700)}$$`,
  "a long sum": `\`\`\`math\n${"x^2+".repeat(370)}x\n\`\`\``,
  "macros that grow":
    "$$\\def\\a{\\b\\b\\b\\b\\b\\b}\\def\\b{\\c\\c\\c\\c\\c\\c}\\def\\c{\\d\\d\\d\\d}\\def\\d{yyyyyyyyyyyyyyyyyyyy}\\a\\a\\a\\a$$",
};

/** Code made to slow the grammars down, by the text that it repeats. Each is as long as is highlighted. */
export const hostileCode: Readonly<Record<string, string>> = Object.fromEntries(
  [
    ...["A", "(", "<", "/*", "${", "#", "a.", "a-b.", "a(", "<a>", "a::", "a b<c> ", "a<b>, ", "A*", "[a"],
    ...["public A ", "template<", "function ", "if(", 'r"', "é"],
  ].map((unit) => [`lines of ${unit}`, codeOf(unit)]),
);

/** Lines of code, nearly as long as may be, that repeat a text. */
function codeOf(unit: string): string {
  const line = unit.repeat(Math.ceil(195 / unit.length)).slice(0, 195);
  return `${line}\n`.repeat(Math.ceil(CODE_LENGTH / line.length)).slice(0, CODE_LENGTH);
}

/** The slowest options: everything that can be looked up is requested. */
export function hostileLookups(): Lookups {
  return castLookups({
    translateEmoticons: true,
    linkifiers: [
      compileLinkifier("#(?P<id>[0-9]+)", "https://t.example/{id}"),
      compileLinkifier("(?P<word>(a|aa|a*)*)b", "https://t.example/{word}"),
    ],
  });
}
