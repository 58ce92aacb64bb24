import { listUnicodeEmoji } from "../../markdown/emoji.ts";
import { type PageRoute, publicFile } from "../platform/http/page-routes.ts";

const DAY_SECONDS = 24 * 3600;

const LOGO = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 64 64" width="64" height="64">
<rect width="64" height="64" rx="14" fill="#2f5d62"/>
<path d="M14 18h36v22H32l-9 8v-8h-9z" fill="#f4f1ea"/>
<path d="M21 26h22M21 32h14" stroke="#2f5d62" stroke-width="3" stroke-linecap="round"/>
</svg>
`;

/** The files that `/register` refers to: the picture of every organization, and the names of emoji. */
export function organizationFiles(): PageRoute[] {
  let emoji: string | undefined;
  return [
    // Browsers ask for /favicon.ico by themselves, and go by the type of the response, not by the name.
    ...["/logo.svg", "/favicon.ico"].map((path) =>
      publicFile(path, ({ reply }) =>
        reply.header("Cache-Control", `public, max-age=${DAY_SECONDS}`).type("image/svg+xml").send(LOGO),
      ),
    ),
    publicFile("/emoji.json", ({ reply }) => {
      emoji ??= JSON.stringify(emojiData());
      return reply
        .header("Cache-Control", `public, max-age=${DAY_SECONDS}`)
        .type("application/json")
        .send(emoji);
    }),
  ];
}

/** Other clients read the names. The categories are this client's: an object loses the order of its keys. */
function emojiData() {
  const all = [...listUnicodeEmoji()];
  const categories = [...new Set(all.map(({ category }) => category))];
  return {
    code_to_names: Object.fromEntries(all.map(({ code, names }) => [code, names])),
    categories: categories.map((name) => ({
      name,
      codes: all.filter(({ category }) => category === name).map(({ code }) => code),
    })),
  };
}
