import { describe, expect, test } from "vitest";
import { mailHtml, textOfMailHtml } from "./mail-html.ts";

describe("the HTML of a message in a mail", () => {
  test.each([
    ['<p><span class="user-mention" data-user-id="1">@Ada</span></p>', "<p>@Ada</p>"],
    ['<p><img alt=":bear:" class="emoji" src="/x.png" title="bear"></p>', "<p>:bear:</p>"],
    ['<p><span class="emoji emoji-1f642" role="img">:smile:</span></p>', "<p>🙂</p>"],
    ['<p><a href="/#narrow/id/1">x</a></p>', '<p><a href="https://a.test/#narrow/id/1">x</a></p>'],
    ['<p><a href="//evil.test">x</a></p>', "<p>x</p>"],
    ['<p><a href="javascript:x">x</a></p>', "<p>x</p>"],
    [
      '<p>a</p><div class="message_inline_image"><a href="https://b.test"><img src="x"></a></div>',
      "<p>a</p>",
    ],
    ['<p>a<span class="katex"><math><mi>x</mi><annotation>x^2</annotation></math></span></p>', "<p>ax^2</p>"],
    [
      '<div class="spoiler-content"><p>x<span class="katex"><math><annotation>y</annotation></math></span></p></div>',
      "<p>(hidden: open the conversation to see it)</p>",
    ],
    ["<p>a &lt;b&gt;</p><script>x</script>", "<p>a &lt;b&gt;</p>"],
    ['<p onclick="x">a</p></p></div>', "<p>a</p>"],
    ["<p><b>a", "<p>a</p>"],
  ])("%s is %s", (rendered, shown) => {
    expect(mailHtml(rendered, "https://a.test").text).toBe(shown);
  });

  test("becomes text with one line for each block", () => {
    const page = mailHtml("<p>a &lt;b&gt;<br>c</p><ul><li>d</li></ul>", "https://a.test");
    expect(textOfMailHtml(page)).toBe("a <b>\nc\n* d");
  });
});
