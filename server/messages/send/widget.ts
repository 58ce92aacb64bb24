import type { WidgetContent } from "../../../api/messages/widgets.ts";

/**
 * Returns the poll or task list of a text that begins with `/poll` or `/todo`. The rest of the first line is
 * its name, and each other line is an entry. undefined: an ordinary message.
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

/** A line may be written as a list item. */
function entryOf(line: string): string {
  return line.trim().replace(/^[-*]?\s*/, "");
}

/** The text after a colon describes the task. */
function taskOf(entry: string): { task: string; desc: string } {
  const colon = entry.indexOf(":");
  if (colon < 0) return { task: entry, desc: "" };
  return { task: entry.slice(0, colon).trim(), desc: entry.slice(colon + 1).trim() };
}
