/**
 * References in a text whose ids are not known while it is read: to people, channels, messages and files.
 * They stand between noncharacters, which texts of an archive lose, until `resolveReferences` replaces them.
 */
import type { TextIds } from "../core/records.ts";
import { escaped } from "./escaped.ts";

const REFERENCE = /\ufdd0([pcmf]):([^:\ufdd0\ufdd1]*):([^\ufdd0\ufdd1]*)\ufdd1/g;

/** Between the name of a file and its address at Slack, in a label. */
const BETWEEN = " \ufdef ";

export function fileReference(id: string, name: string, address: string): string {
  return reference("f", id, `${name}${BETWEEN}${address}`);
}

/** `id`: with one colon at most, and no slash. */
export function reference(kind: "p" | "c" | "m" | "f", id: string, label: string): string {
  return `\ufdd0${kind}:${id.replace(":", "/")}:${label}\ufdd1`;
}

/** `nameOf`: what a mention of a channel shows, in place of what the text says. */
export function resolveReferences(
  text: string,
  ids: TextIds,
  nameOf: (channelId: string) => string | undefined = () => undefined,
): string {
  if (!text.includes("\ufdd0")) return text;
  return text
    .replace(REFERENCE, (_, kind: string, written: string, label: string) => {
      const id = written.replace("/", ":");
      return resolve(kind, id, kind === "c" ? (nameOf(id) ?? label) : label, ids);
    })
    .replace(/[\ufdd0\ufdd1]/g, "");
}

function resolve(kind: string, id: string, label: string, ids: TextIds): string {
  switch (kind) {
    case "p": {
      const person = ids.person(id);
      if (person) return `@_**${person.name}|${person.id}**`;
      ids.lost("mentions of people who are not in the archive became names");
      return `@${escaped(label || id)}`;
    }
    case "c": {
      const channel = ids.channel(id);
      const name = escaped(label || id);
      if (channel === undefined) return `#${name}`;
      return `[#${name.replace(/[[\]\n]/g, " ")}](#narrow/channel/${channel})`;
    }
    case "m": {
      const [channelId = ""] = id.split(":");
      const [channel, message] = [ids.channel(channelId), ids.message(id)];
      if (channel === undefined || message === undefined) {
        ids.lost("links to messages that are not in the archive stay as they were");
        return label;
      }
      return `#narrow/channel/${channel}/near/${message}`;
    }
    default: {
      const path = ids.upload(id);
      const [name = "", address = ""] = label.split(BETWEEN);
      if (path !== undefined) return `[${name}](/user_uploads/${path})`;
      return address === "" ? name : `[${name}](${address})`;
    }
  }
}
