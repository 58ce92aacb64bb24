import { describe, expect, test } from "vitest";
import { faultsOf } from "./allowed-html.ts";
import { castLookups } from "./cases/cast.ts";
import { noFacts } from "./facts.ts";
import { compileLinkifier } from "./node/linkifier-re2.ts";
import { createServerRenderer } from "./node/renderer.ts";
import { createRenderer } from "./render.ts";

const server = createServerRenderer();
const html = (text: string, changes = {}): string => server.render(text, castLookups(changes)).html;
const smile = '<span aria-label="smile" class="emoji emoji-1f642" role="img" title="smile">:smile:</span>';

describe("the settings of the sender and the organization", () => {
  test("emoticons become emoji for a sender who wants it", () => {
    expect(html("hi :), bye", { translateEmoticons: true })).toBe(`<p>hi ${smile}, bye</p>`);
    expect(html("a:) ;)b", { translateEmoticons: true })).toBe("<p>a:) ;)b</p>");
  });

  test("code without a language gets the organization's default language", () => {
    expect(html("```\nx\n```", { defaultCodeLanguage: "Python" })).toContain('data-code-language="Python"');
    expect(html("```text\nx\n```", { defaultCodeLanguage: "Python" })).toContain(
      'data-code-language="Text only"',
    );
  });

  test("without previews there are only links", () => {
    expect(html("https://example.com/a.png", { inlinePreviews: false })).toBe(
      '<p><a href="https://example.com/a.png">https://example.com/a.png</a></p>',
    );
  });

  test("the fact that a message has an image does not depend on previews", () => {
    const hasImage = (text: string): boolean => {
      const shown = server.render(text, castLookups()).facts;
      const hidden = server.render(text, castLookups({ inlinePreviews: false })).facts;
      expect(hidden).toEqual(shown);
      return hidden.hasImage;
    };
    expect(hasImage("look https://example.com/a.png")).toBe(true);
    expect(hasImage("[cat](/user_uploads/2/ab/cat.jpg)")).toBe(true);
    expect(hasImage("https://example.com/a.html")).toBe(false);
    expect(hasImage("> https://example.com/a.png")).toBe(false);
  });

  test("outside media are fetched through the server's own address", () => {
    const proxied = { proxiedImageUrl: () => "/external/1", proxiedMediaUrl: () => "/external/2" };
    expect(html("https://example.com/a.png", proxied)).toContain('<img src="/external/1">');
    expect(html("https://example.com/a.mp4", proxied)).toContain(
      '<video data-video-original-url="https://example.com/a.mp4" preload="metadata" src="/external/2">',
    );
    expect(html("![a](https://example.com/a.mp3)", proxied)).toContain(
      '<audio controls data-original-url="https://example.com/a.mp3" preload="metadata" src="/external/2" title="a">',
    );
  });

  test("outside media that are not fetched for readers stay links", () => {
    const hidden = { proxiedImageUrl: () => null, proxiedMediaUrl: () => null };
    for (const url of [
      "https://e.example/a.png",
      "https://e.example/a.mp4",
      "https://youtu.be/abcdefghijk",
    ]) {
      expect(html(url, hidden)).toBe(`<p><a href="${url}">${url}</a></p>`);
      expect(server.render(url, castLookups(hidden)).facts.hasImage).toBe(true);
    }
    expect(html("![a](https://e.example/a.mp3)", hidden)).not.toContain("<audio");
  });

  test("a linked page is shown at the end, in the form that clients know", () => {
    const pages = {
      proxiedImageUrl: () => "/external_content/ab/cd",
      linkPreview: (url: string) =>
        url.endsWith("/none") ? undefined : { title: 'A "<b>&amp;', description: "C & D", imageUrl: "x" },
    };
    const shown = html("see https://e.example/a?b&c\n\nand https://e.example/none", pages);
    expect(shown).toBe(
      '<p>see <a href="https://e.example/a?b&amp;c">https://e.example/a?b&amp;c</a></p>\n' +
        '<p>and <a href="https://e.example/none">https://e.example/none</a></p>\n' +
        '<div class="message_embed"><a class="message_embed_image" href="https://e.example/a?b&amp;c" style="background-image: url(&quot;/external_content/ab/cd&quot;)"></a>' +
        '<div class="data-container"><div class="message_embed_title"><a href="https://e.example/a?b&amp;c" title="A &quot;&lt;b&gt;&amp;amp;">A &quot;&lt;b&gt;&amp;amp;</a></div>' +
        '<div class="message_embed_description">C &amp; D</div></div></div>',
    );
    expect(faultsOf(shown)).toEqual([]);
    expect(html("> https://e.example/a", pages)).not.toContain("message_embed");
  });

  test("a linked page without a picture that can be shown stays a link", () => {
    const linkPreview = () => ({ title: "A", description: null, imageUrl: "x" });
    for (const address of [null, '/a") url(b', "/a b", "/a\\29"]) {
      expect(html("https://e.example/a", { linkPreview, proxiedImageUrl: () => address })).not.toContain(
        "embed",
      );
    }
    expect(html("https://e.example/a", { linkPreview })).not.toContain("embed");
  });

  test("the organization's patterns make links in order, each in the text that earlier ones left over", () => {
    const linkifiers = [
      compileLinkifier("#(?P<id>[0-9]+)", "https://t.example/{id}"),
      compileLinkifier("[0-9]+", "https://n.example/"),
    ];
    expect(html("#1,#2 x#3 4", { linkifiers })).toBe(
      '<p><a href="https://t.example/1">#1</a>,<a href="https://t.example/2">#2</a> x#3 <a href="https://n.example/">4</a></p>',
    );
    expect(html("`#1` [#2](https://example.com)", { linkifiers })).toBe(
      '<p><code>#1</code> <a href="https://example.com">#2</a></p>',
    );
  });

  test("a text without any syntax is searched for the patterns like any other", () => {
    const linkifiers = [
      compileLinkifier("pot(?P<id>[0-9]+)", "https://p.example/{id}"),
      compileLinkifier("^lid$", "https://l.example/"),
    ];
    for (const text of [
      "pot3",
      "a pot3, a pot4",
      "soup\npot3 and\npot",
      "lid",
      "soup\nlid",
      "pots, lids",
      "pot",
    ]) {
      // Emoticons are asked for so that the text is parsed in any case.
      expect(html(text, { linkifiers }), text).toBe(html(text, { linkifiers, translateEmoticons: true }));
    }
    expect(html("soup\npot3", { linkifiers })).toBe(
      '<p>soup<br>\n<a href="https://p.example/3">pot3</a></p>',
    );
    expect(html("pots, lids", { linkifiers })).toBe("<p>pots, lids</p>");
  });

  test("make their links however slow the machine is", () => {
    const linkifiers = [compileLinkifier("#(?P<id>[0-9]+)", "https://t.example/{id}")];
    const { now } = performance;
    let time = 0;
    performance.now = () => (time += 1000);
    try {
      expect(html("#1 #2 **3** #4", { linkifiers }).match(/<a /g)).toHaveLength(3);
      expect(html("soup #1", { linkifiers })).toContain("<a ");
    } finally {
      performance.now = now;
    }
  });

  test("that would take long make links only until their work is spent", () => {
    const linkifiers = [compileLinkifier("a(.*z)?", "https://t.example/")];
    const links = html("a ".repeat(5000), { linkifiers }).match(/<a /g) ?? [];
    expect(links.length).toBeGreaterThan(2);
    expect(links.length).toBeLessThan(500);
    expect(html("a ".repeat(50), { linkifiers }).match(/<a /g)).toHaveLength(50);
  });

  test("a pattern cannot lead to a script", () => {
    const linkifiers = [compileLinkifier("go (?P<where>\\S+)", "{+where}")];
    expect(html("go javascript:alert(1)", { linkifiers })).toBe("<p>go javascript:alert(1)</p>");
  });
});

describe("without the server-only renderers", () => {
  const browser = createRenderer();

  test("code and maths are plain, everything else is the same", () => {
    const render = (text: string): string => browser.render(text, castLookups()).html;
    expect(render("```js\nlet a = '<b>'\n```")).toBe(
      '<div class="codehilite" data-code-language="JavaScript"><pre><span></span><code>let a = \'&lt;b&gt;\'\n</code></pre></div>',
    );
    expect(render("so $$x<1$$")).toBe("<p>so $$x&lt;1$$</p>");
    expect(render("```math\nx<1\ny\n```")).toBe("<p>x&lt;1<br>\ny</p>");
    const rest = "**a** @**Ada Osei** #**general>lunch**\n\n* b :smile:\n\n> c\n\nhttps://example.com/a.png";
    expect(render(rest)).toBe(html(rest));
  });
});

describe("a text that costs too much", () => {
  test("is shown as plain paragraphs, and notifies nobody", () => {
    const costly = createRenderer({ math: () => "x".repeat(400_000) });
    const { html: shown, facts } = costly.render(
      "/me **a** @**Ada Osei** $$1$$ <b>\n$$2$$\n\n\n$$3$$",
      castLookups(),
    );
    expect(shown).toBe("<p>/me **a** @**Ada Osei** $$1$$ &lt;b&gt;<br>\n$$2$$</p>\n<p>$$3$$</p>");
    expect(facts).toEqual({ ...noFacts(), isMeMessage: true });
  });

  test("formulas beyond the limit are shown as typed", () => {
    const shown = html("```math\nx\n```\n".repeat(101));
    expect(shown.match(/class="katex-display"/g)).toHaveLength(100);
    expect(shown.match(/<span class="tex-error">x<\/span>/g)).toHaveLength(1);
  });

  test("code beyond the limit is shown as it is, in the same wrapper", () => {
    const block = `\`\`\`python\n${"def f(): pass\n".repeat(150)}\`\`\`\n`;
    const [, ...blocks] = html(block.repeat(4)).split('<div class="codehilite"');
    expect(blocks.map((each) => each.includes('<span class="k">def</span>'))).toEqual([
      true,
      true,
      false,
      false,
    ]);
    for (const each of blocks) expect(each).toContain('data-code-language="Python"');
  });
});

test("half of a surrogate pair is shown as the replacement character, in an address too", () => {
  expect(html("a *\ud800*")).toBe("<p>a <em>\ufffd</em></p>");
  expect(html("https://example.com/\udc00.png")).toContain('<div class="message_inline_image">');
});
