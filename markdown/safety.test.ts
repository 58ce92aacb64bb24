import { describe, expect, test } from "vitest";
import { faultsOf, loadedAddresses } from "./allowed-html.ts";
import { castLookups } from "./cases/cast.ts";
import { Random } from "./cases/random.ts";
import { compileLinkifier } from "./node/linkifier-re2.ts";
import { createServerRenderer } from "./node/renderer.ts";

const renderer = createServerRenderer();

const ATTACKS = [
  "<script>alert(1)</script>",
  "<img src=x onerror=alert(1)>",
  "[a](javascript:alert(1))",
  "[a](  javascript:alert(1))",
  "[a](<javascript:alert(1)>)",
  "[a](java\nscript:alert(1))",
  "[a](&#106;avascript:alert(1))",
  "[a](/javascript:alert(1))",
  "[a](/&#106;avascript:alert(1))",
  "[a](/javascript&colon;alert(1))",
  "[a](https://chat.example.com/javascript:alert(1))",
  "[a](https://chat.example.com/javascript&colon;alert(1))",
  "[a](https://chat.example.com/&#x6A;avascript:alert(1))",
  "https://chat.example.com/javascript&colon;alert(1)",
  "[a](data:text/html;base64,PHNjcmlwdD4=)",
  "[a](vbscript:x)",
  '[a](http://x"onmouseover="alert(1))',
  "[a](http://x 'a\" onmouseover=\"alert(1)')",
  '[a](http://x "t" onclick="alert(1)")',
  "[<script>](http://x)",
  'http://x.com/"onmouseover=alert(1)',
  "http://x.com/<script>",
  "![a.mp3](javascript:alert(1)//a.mp3)",
  '![<b>.mp3](/user_uploads/1/a".mp3)',
  '[a](/user_uploads/1/"><script>.png)',
  'https://x.com/a.png?"><script>alert(1)</script>',
  "https://x.com/<img>.png",
  "`<script>`",
  "```<script>\n<script>alert(1)</script>\n```",
  '```" onclick="x\n</code></pre><script>\n```',
  "```js\n</script><script>alert('x')\n```",
  "```spoiler <img src=x onerror=y>\n<svg onload=z>\n```",
  "$$\\href{javascript:alert(1)}{x}$$",
  "$$\\htmlStyle{position:fixed}{x} \\htmlClass{a}{x} \\htmlId{a}{x} \\htmlData{a=b}{x}$$",
  "$$\\includegraphics[height=1em]{javascript:x}$$",
  "$$\\url{javascript:alert(1)}$$",
  "$$\\text{<script>}$$",
  "$$\\color{red;background:url(x)}x$$",
  "$$\\rule{99999em}{99999em}$$",
  "$$\\kern{-1000em}x$$",
  "$$\\raisebox{-1000em}{x} \\rule[-1000em]{1em}{1em} \\hspace{-1000em} \\mkern{-18000mu}$$",
  "[a #**general** b](http://x)",
  "[a https://x.com b](http://x)",
  "<time:<script>alert(1)</script>>",
  '<time:" onclick="x>',
  "@**<script>** @*<script>* #**<script>** #**general><script>**",
  '#**general>" onmouseover="x**',
  ':<script>: :" onclick=x:',
  '| <script> | b |\n|:-" onclick=x|-|\n',
  "> <script>\n> [a](javascript:x)",
  "1<script>. a\n1. <script>",
  "# <script>",
  "\x02b0\x03 \x020\x03 `a` \x021\x03",
  "&lt;script&gt; &#60;script&#62; &#x3c;script>",
];

describe("what a message may contain", () => {
  test.each(ATTACKS)("%j gives no script, handler, foreign address or style", (text) => {
    expect(faultsOf(renderer.render(text, castLookups()).html)).toEqual([]);
    expect(faultsOf(renderer.render(text, castLookups({ baseUrl: "" })).html)).toEqual([]);
  });

  test("the check itself detects a script, a handler, a bad address, a foreign style and an unclosed tag", () => {
    const bad = [
      "<script>x</script>",
      '<p onclick="x">a</p>',
      '<a href="javascript:x">a</a>',
      '<span style="position:fixed;background:url(x);">a</span>',
      "<p><em>a</p></em>",
      "<p>a",
      "<p>a < b</p>",
      "<p>\x02</p>",
      '<a href="/" style="background-image: url(&quot;https://e.example/a.png&quot;)">a</a>',
      '<video src="/a" poster="https://e.example/a.png"></video>',
    ];
    for (const html of bad) expect(faultsOf(html), html).not.toEqual([]);
  });

  test("15,000 mixtures of all syntax pass the check, nest properly and lose no marker", () => {
    const random = new Random(7);
    const pieces = [
      ...ATTACKS,
      "**",
      "*",
      "***",
      "~~",
      "`",
      "``",
      "\n",
      "\n\n",
      "\n* ",
      "\n  * ",
      "\n1. ",
      "\n> ",
      "\n>> ",
      "\n```quote\n",
      "\n```\n",
      "\n~~~\n",
      "\n```spoiler x\n",
      "\n```math\nx\n",
      "\n    ",
      "\n# ",
      "\n---\n",
      "|",
      "\n|-|-|\n",
      "@**Ada Osei**",
      "@*support*",
      "#**general>lunch**",
      ":smile:",
      "😀",
      "$$x$$",
      "<time:2024-01-01>",
      "[",
      "](",
      ")",
      "(",
      "https://example.com/a.png",
      "x.com",
      "a",
      " ",
      "T-12",
      "&",
      "<",
      ">",
      "\\",
      "\t",
      "/user_uploads/1/a.png",
    ];
    const lookups = castLookups({
      translateEmoticons: true,
      // As the server has them: nothing is loaded from another host.
      proxiedImageUrl: (url) => `/external_content/ab/${Buffer.from(url).toString("hex")}`,
      proxiedMediaUrl: () => null,
      linkPreview: (url) => ({ title: `<script>${url}"`, description: url, imageUrl: `javascript:${url}` }),
      linkifiers: [compileLinkifier("T-(?P<id>\\d+)", 'https://t.example/"{id}')],
    });
    for (let i = 0; i < 15_000; i++) {
      const text = Array.from({ length: 1 + random.below(14) }, () => random.pick(pieces)).join("");
      const { html } = renderer.render(text, lookups);
      const faults = faultsOf(html);
      if (faults.length > 0) expect(faults, JSON.stringify(text)).toEqual([]);
      const foreign = loadedAddresses(html).filter((address) => !/^\/(?!\/)/.test(address));
      if (foreign.length > 0) expect(foreign, JSON.stringify(text)).toEqual([]);
    }
  }, 60_000);
});
