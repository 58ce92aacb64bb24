import { isRow, type Row, textOf } from "../archive/row.ts";
import { escaped } from "./escaped.ts";

export function rowsOf(value: unknown): Row[] {
  return Array.isArray(value) ? value.filter(isRow) : [];
}

/** The attachments of a bot's message, in the form that Slack made usual. `convert`: a text of the source. */
export function convertAttachments(
  attachments: unknown,
  { convert, link }: { convert(text: string): string; link(address: string, label: string): string },
): string[] {
  return rowsOf(attachments)
    .flatMap((attachment) => {
      const of = (field: string) => textOf(attachment, field) ?? "";
      const title = of("title_link") ? link(of("title_link"), of("title")) : convert(of("title"));
      const fields = rowsOf(attachment.fields).map(
        (field) => `**${escaped(textOf(field, "title") ?? "")}** ${convert(textOf(field, "value") ?? "")}`,
      );
      const own = [convert(of("pretext")), title, convert(of("text")), ...fields].filter(Boolean);
      return own.length > 0 ? own : [convert(of("fallback"))];
    })
    .filter((part) => part !== "");
}
