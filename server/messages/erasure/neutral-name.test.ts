import { expect, test } from "vitest";
import { withNeutralName } from "./neutral-name.ts";

const person = { id: 7, name: "Deleted user 7" };
const mention = (name: string, id: number | string = 7, silent = "") =>
  `<span class="user-mention${silent}" data-user-id="${id}">${silent ? "" : "@"}${name}</span>`;
const after = (content: string, html: string) => withNeutralName({ content, html }, person);

test("a mention gets the neutral name, with the ID, whatever its name and case were", () => {
  expect(after("Hi @**ben ito**", `<p>Hi ${mention("Ben Ito")}</p>`)).toEqual({
    content: "Hi @**Deleted user 7|7**",
    html: `<p>Hi ${mention("Deleted user 7")}</p>`,
  });
  expect(after("@_**Older Name|7** said", `<p>${mention("Older Name", 7, " silent")} said</p>`)).toEqual({
    content: "@_**Deleted user 7|7** said",
    html: `<p>${mention("Deleted user 7", 7, " silent")} said</p>`,
  });
});

test("other people, other IDs and everyone keep theirs, also with a name in common", () => {
  const text = {
    content: "@**Ada|17**, @**Ben Ito|70** and @**all**",
    html: `<p>${mention("Ada", 17)}, ${mention("Ben Ito", 70)} and ${mention("all", "*")}</p>`,
  };
  expect(after(text.content, text.html)).toEqual(text);
});

test("a name with characters of HTML and of patterns is found", () => {
  expect(after("@**A&B (c.*)**!", `<p>${mention("A&amp;B (c.*)")}!</p>`).content).toBe(
    "@**Deleted user 7|7**!",
  );
});

test("a mention that stands in code is replaced where the text has a mention too", () => {
  const html = `<p><code>@**Ben Ito**</code> ${mention("Ben Ito")}</p>`;
  expect(after("`@**Ben Ito**` @**Ben Ito**", html).html).toBe(
    `<p><code>@**Deleted user 7|7**</code> ${mention("Deleted user 7")}</p>`,
  );
});

test("the name in other words stays", () => {
  const html = `<p>Ben Ito and ${mention("Ben Ito")}</p>`;
  expect(after("Ben Ito and @**Ben Ito**", html)).toEqual({
    content: "Ben Ito and @**Deleted user 7|7**",
    html: `<p>Ben Ito and ${mention("Deleted user 7")}</p>`,
  });
});
