import type { WidgetContent } from "../../../../api/widgets.ts";

/**
 * What a text that begins with `/poll` or `/todo` makes of its message: the rest of the first line is the name, each other
 * line an entry. undefined: an ordinary message.
 */
export function widgetOf(text: string): WidgetContent | undefined {
  if (!text.startsWith("/")) return undefined;
  const command = /^\/(poll|todo)(?=\s|$)/.exec(text);
  if (!command) return undefined;
  const [name = "", ...rest] = text.slice(command[0].length).split(/\r\n|\r|\n/);
  const entries = rest.map(entryOf).filter((entry) => entry !== "");
  return command[1] === "poll"
    ? { widget_type: "poll", extra_data: { question: name.trim(), options: entries } }
    : { widget_type: "todo", extra_data: { task_list_title: name.trim(), tasks: entries.map(taskOf) } };
}

/** A line may be written as that of a list. */
function entryOf(line: string): string {
  return line.trim().replace(/^[-*]?\s*/, "");
}

/** What follows a colon says more of the task. */
function taskOf(entry: string): { task: string; desc: string } {
  const colon = entry.indexOf(":");
  if (colon < 0) return { task: entry, desc: "" };
  return { task: entry.slice(0, colon).trim(), desc: entry.slice(colon + 1).trim() };
}
