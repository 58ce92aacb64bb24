/** Texts of rows: HTML that is such as the server writes, and addresses of files, which begin with an id. */
import { faultsOf, loadedAddresses } from "../../../markdown/allowed-html.ts";
import { escapeCode } from "../../../markdown/escape.ts";

/** Where an organization's files were, and where they come to lie. */
export interface Move {
  from: number;
  to: number;
  /** Whether the organization has an upload with this part of its path, such as `3f/NAME`. */
  hasUpload(part: string): boolean;
  /** Whether the organization has an emoji with a picture of this name. */
  hasEmoji(file: string): boolean;
  /** The address under which this server shows a picture of another host. null: it shows none. */
  outsidePath(url: string): string | null;
}

/**
 * What the HTML loads by itself must be of this server. A browser also takes `/\`, `/&#47;` and a slash with
 * a line break behind it for the beginning of another host's address.
 */
const OWN_ADDRESS = /^\/\w/;
const UPLOAD = /\/user_uploads\/(thumbnail\/)?(\d{1,15})\/([0-9a-f]{2}\/[A-Za-z0-9_-]{24})(?=\/)/g;
const EMOJI = /\/user_avatars\/(\d{1,15})\/emoji\/images\/((?:still\/)?)([A-Za-z0-9_.-]+)/g;
const OUTSIDE = /\/external_content\/[0-9a-f]{64}\/((?:[0-9a-f]{2})+)/g;

export function isSafeHtml(html: string): boolean {
  return faultsOf(html).length === 0 && loadedAddresses(html).every((address) => OWN_ADDRESS.test(address));
}

/** In place of HTML that no server writes: the text as it was typed. */
export function plainHtml(text: string): string {
  return `<p>${escapeCode(text).replaceAll("\n", "<br>\n")}</p>`;
}

export function movedMarkdown(text: string, { from, to, hasUpload }: Move): string {
  if (!text.includes("/user_uploads/")) return text;
  return text.replace(UPLOAD, (whole, thumbnail: string | undefined, id: string, part: string) =>
    Number(id) === from && hasUpload(part) ? `/user_uploads/${thumbnail ?? ""}${to}/${part}` : whole,
  );
}

export function movedHtml(html: string, move: Move): string {
  const { from, to, hasEmoji, outsidePath } = move;
  return movedMarkdown(html, move)
    .replace(EMOJI, (whole, id: string, still: string, file: string) =>
      Number(id) === from && hasEmoji(file) ? `/user_avatars/${to}/emoji/images/${still}${file}` : whole,
    )
    .replace(OUTSIDE, (whole, hex: string) => outsidePath(Buffer.from(hex, "hex").toString()) ?? whole);
}
