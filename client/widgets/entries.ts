/** The entries of an interactive message without their state, for what has to know how high it will be. */
import type { WidgetAction, WidgetContent } from "../../api/messages/widgets.ts";
import type { Submessage } from "../model/messages.ts";
import { readContent } from "./read-content.ts";

export interface WidgetEntry {
  text: string;
  /** What a task says below its name. */
  description?: string;
}

export function entriesOf([first, ...others]: readonly Submessage[]): readonly WidgetEntry[] {
  return [
    ...firstEntries(readContent<WidgetContent>(first?.content ?? "")),
    ...others.flatMap(({ content }) => addedEntry(readContent<WidgetAction>(content))),
  ];
}

function firstEntries(content: WidgetContent | undefined): WidgetEntry[] {
  if (content?.widget_type === "poll") return content.extra_data.options.map((text) => ({ text }));
  if (content?.widget_type === "todo") return content.extra_data.tasks.map(entryOf);
  if (content?.widget_type !== "zform") return [];
  return content.extra_data.choices.map(({ long_name }) => ({ text: long_name }));
}

function addedEntry(action: WidgetAction | undefined): WidgetEntry[] {
  if (action?.type === "new_option") return [{ text: action.option }];
  return action?.type === "new_task" ? [entryOf(action)] : [];
}

function entryOf({ task, desc }: { task: string; desc: string }): WidgetEntry {
  return { text: task, description: desc };
}
