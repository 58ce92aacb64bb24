import { isRow, type Row, textOf } from "../archive/row.ts";
import type { Report } from "../core/report.ts";
import { convertAttachments } from "../texts/attachments.ts";
import { convertMarkdown } from "./markdown.ts";
import type { MattermostParts } from "./messages.ts";
import { channelIdOf, type Post } from "./records.ts";
import { markdownWriter, type References } from "./writers.ts";

/** Ten messages of the longest here. */
const MAX_TEXT = 100_000;
const PERMALINK = /^https?:\/\/[^/]+\/(?:[^/]+\/)?[a-z0-9_-]+\/pl\/[a-z0-9]{26}(?:[?#].*)?$/;

/** Markdown, with references to be resolved. */
export function textOfPost({ row, to }: Post, parts: MattermostParts, report: Report): string {
  const team = "channelId" in to ? to.channelId.slice(0, to.channelId.indexOf(":")) : undefined;
  const writer = markdownWriter(referencesOf(parts, team, report));
  const given = textOf(row, "message") ?? "";
  if (given.length > MAX_TEXT) report.lose("messages of more than 100,000 characters were cut");
  const convert = (text: string) => convertMarkdown(text.slice(0, MAX_TEXT), writer);
  const props: Row = isRow(row.props) ? row.props : {};
  const link = (address: string, label: string) => writer.link(address, label || address);
  const attachments = convertAttachments(props.attachments, { convert, link });
  const own = given === "" ? "" : convert(given);
  const text = [own, ...attachments, ...parts.files.linksOf(row, report)]
    .filter((part) => part !== "")
    .join("\n")
    .slice(0, 2 * MAX_TEXT);
  return row.type === "me" ? `/me ${text}` : text;
}

function referencesOf(parts: MattermostParts, team: string | undefined, report: Report): References {
  const { people, channels, emoji, oldUrl } = parts;
  return {
    isPerson: (name) => people.has(name),
    channelOf: (name) => channels.find(name, team),
    isCustomEmoji: (name) => emoji.has(name),
    channelAt(address) {
      if (PERMALINK.test(address))
        report.lose("links to messages stay as they were, since exports have no ids of messages", address);
      if (oldUrl === undefined || !address.startsWith(`${oldUrl}/`)) return undefined;
      const [, inTeam = "", name = ""] =
        /^\/([^/]+)\/channels\/([^/?#]+)$/.exec(address.slice(oldUrl.length)) ?? [];
      const id = channelIdOf(inTeam, name);
      return channels.has(id) ? { id, name } : undefined;
    },
    lost: (reason, example) => report.lose(reason, example),
  };
}
