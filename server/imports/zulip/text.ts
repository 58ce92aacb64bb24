/**
 * Texts of Zulip are Markdown as here. What differs are ids: in mentions, in links to messages, channels and
 * people, and in addresses of uploads. They are replaced where they mean something, and never in code.
 */
import { readFence } from "../../../markdown/fences.ts";
import type { TextIds } from "../core/records.ts";

/** Fences whose content is a text like others. */
const TEXT_FENCES = new Set(["quote", "quoted", "spoiler"]);
const UPLOADS = "/user_uploads/";
const NARROW = "#narrow/";
const END_OF_ADDRESS = /[\s)\]"'<>]/;

/** `oldUrl`: the origin of the source, whose links to itself become links here. */
export function convertText(text: string, ids: TextIds, oldUrl: string | undefined): string {
  const out: string[] = [];
  let plain: string[] = [];
  const open: { marker: string; isCode: boolean }[] = [];
  const flush = () => {
    if (plain.length > 0) out.push(new Converter(plain.join("\n"), ids, oldUrl).convert());
    plain = [];
  };
  for (const line of text.split("\n")) {
    const inner = open.at(-1);
    if (inner && line.trimEnd() === inner.marker) {
      flush();
      open.pop();
      out.push(line);
      continue;
    }
    if (inner?.isCode) {
      out.push(line);
      continue;
    }
    const fence = readFence(line);
    if (!fence) {
      plain.push(line);
      continue;
    }
    flush();
    out.push(line);
    open.push({ marker: fence.marker, isCode: !TEXT_FENCES.has(fence.language) });
  }
  flush();
  return out.join("\n");
}

class Converter {
  readonly #text: string;
  readonly #ids: TextIds;
  readonly #oldUrl: string | undefined;
  #out = "";
  #done = 0;

  constructor(text: string, ids: TextIds, oldUrl: string | undefined) {
    this.#text = text;
    this.#ids = ids;
    this.#oldUrl = oldUrl;
  }

  convert(): string {
    const text = this.#text;
    for (let at = 0; at < text.length; ) {
      const next = this.#at(at);
      at = next > at ? next : at + 1;
    }
    return this.#done === 0 ? text : this.#out + text.slice(this.#done);
  }

  /** Where to go on; the same place for an ordinary character. */
  #at(at: number): number {
    switch (this.#text[at]) {
      case "`":
        return this.#skipCode(at);
      case "@":
        return this.#mention(at);
      case "#":
        return this.#text.startsWith("#**", at) ? this.#topicLink(at) : this.#narrow(at);
      case "/":
        return this.#upload(at);
      default:
        return at;
    }
  }

  #replace(from: number, to: number, by: string): number {
    this.#out += this.#text.slice(this.#done, from) + by;
    this.#done = to;
    return to;
  }

  #skipCode(at: number): number {
    const text = this.#text;
    let end = at;
    while (text[end] === "`") end++;
    const run = end - at;
    for (let close = text.indexOf("`", end); close >= 0; close = text.indexOf("`", close)) {
      const start = close;
      while (text[close] === "`") close++;
      if (close - start === run) return close;
    }
    return end;
  }

  /** `@**Name|12**`, silent or not. */
  #mention(at: number): number {
    const text = this.#text;
    const open = text[at + 1] === "_" ? at + 2 : at + 1;
    if (!text.startsWith("**", open)) return at;
    const end = text.indexOf("**", open + 2);
    if (end < 0) return at;
    const match = /^([^*\n]*)\|(\d{1,15})$/.exec(text.slice(open + 2, end));
    if (!match) return end + 2;
    const [, name = "", id = ""] = match;
    const person = this.#ids.person(id);
    if (!person) {
      this.#ids.lost("mentions of people who are not in the archive became names");
      return this.#replace(open + 2, end, name) + 2;
    }
    return this.#replace(open + 2, end, `${person.name}|${person.id}`) + 2;
  }

  /** `#**channel>topic@1234**` names a message; others have no ids. */
  #topicLink(at: number): number {
    const end = this.#text.indexOf("**", at + 3);
    if (end < 0) return at;
    const match = /@(\d{1,15})$/.exec(this.#text.slice(at + 3, end));
    if (!match || !this.#text.slice(at, end).includes(">")) return end + 2;
    const id = this.#message(match[1] as string);
    return this.#replace(end - match[0].length, end, id === undefined ? "" : `@${id}`) + 2;
  }

  /** `#narrow/channel/31-general/topic/plan/near/1234`, as a link of this organization. */
  #narrow(at: number): number {
    if (!this.#text.startsWith(NARROW, at)) return at;
    const start = this.#ownStart(at);
    if (start === undefined) return at;
    const end = this.#endOfAddress(at);
    const parts = this.#text.slice(at + NARROW.length, end).split("/");
    const converted: string[] = [];
    for (let index = 0; index + 1 < parts.length; index += 2) {
      const [operator = "", operand = ""] = [parts[index], parts[index + 1]];
      const value = this.#operand(operator.replace(/^-/, ""), operand);
      if (value !== undefined) converted.push(operator, value);
    }
    return this.#replace(start, end, NARROW + converted.join("/"));
  }

  /** undefined: the term is left out. */
  #operand(operator: string, operand: string): string | undefined {
    const slug = /^(\d{1,15})(-.*)?$/.exec(operand);
    switch (operator) {
      case "near":
      case "id":
      case "with": {
        const id = slug && this.#message(slug[1] as string);
        return id === undefined || id === null ? undefined : String(id);
      }
      case "channel":
      case "stream": {
        const id = slug && this.#ids.channel(slug[1] as string);
        return id ? `${id}${slug?.[2] ?? ""}` : operand;
      }
      case "sender": {
        const person = slug && this.#ids.person(slug[1] as string);
        return person ? `${person.id}${slug?.[2] ?? ""}` : operand;
      }
      case "dm":
      case "pm-with":
      case "group-pm-with":
      case "dm-including": {
        const list = /^(\d{1,15}(?:,\d{1,15})*)(-.*)?$/.exec(operand);
        const people = list?.[1]?.split(",").map((id) => this.#ids.person(id)?.id);
        return people?.every((id) => id !== undefined) ? `${people.join()}${list?.[2] ?? ""}` : operand;
      }
      default:
        return operand;
    }
  }

  #message(id: string): number | undefined {
    const found = this.#ids.message(Number(id));
    if (found === undefined)
      this.#ids.lost("links to messages that are not in the archive lead to their topic");
    return found;
  }

  /** `/user_uploads/2/ab/token/name.png`, also as a small picture or with the origin. */
  #upload(at: number): number {
    const text = this.#text;
    if (!text.startsWith(UPLOADS, at)) return at;
    const end = this.#endOfAddress(at);
    const id = text
      .slice(at + UPLOADS.length, end)
      .replace(/^(?:download|thumbnail)\//, "")
      .replace(/[?#].*$/, "");
    const path = this.#ids.upload(id);
    if (path === undefined) {
      if (this.#ownStart(at) !== undefined)
        this.#ids.lost("links to files that are not in the archive lead nowhere");
      return end;
    }
    // Nobody else has a path with this secret in it, whatever the origin.
    return this.#replace(this.#startOfAddress(at), end, UPLOADS + path);
  }

  #endOfAddress(at: number): number {
    const rest = this.#text.slice(at);
    const length = rest.search(END_OF_ADDRESS);
    return length < 0 ? this.#text.length : at + length;
  }

  #startOfAddress(at: number): number {
    const before = /https?:\/\/[^\s()\]"'<>]*$/.exec(this.#text.slice(Math.max(this.#done, at - 300), at));
    return before ? at - before[0].length : at;
  }

  /** Where an address of the source's own organization begins; undefined for one of others. */
  #ownStart(at: number): number | undefined {
    const start = this.#startOfAddress(at);
    if (start === at) return this.#text[at - 1] === "/" && at - 1 >= this.#done ? at - 1 : at;
    const origin = this.#text.slice(start, at).replace(/\/$/, "");
    return this.#oldUrl !== undefined && origin === this.#oldUrl ? start : undefined;
  }
}
