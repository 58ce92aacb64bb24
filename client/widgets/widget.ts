/**
 * What an interactive message shows. Its first submessage says what it is, the others change it, in the order
 * of their ids. What a client does not understand has no effect, so that all clients come to the same result.
 */
import type { WidgetAction, WidgetContent } from "../../api/messages/widgets.ts";
import type { Submessage } from "../model/messages.ts";
import { Poll } from "./poll.ts";
import { readContent } from "./read-content.ts";
import { TaskList } from "./task-list.ts";

export interface Choices {
  readonly kind: "choices";
  readonly heading: string;
  readonly choices: readonly { shortName: string; longName: string; reply: string }[];
}

export type Widget = Poll | TaskList | Choices;

/** undefined: an ordinary message, or one of a kind that is not known. */
export function readWidget(submessages: readonly Submessage[]): Widget | undefined {
  const [first, ...others] = submessages;
  if (!first) return undefined;
  const widget = create(readContent<WidgetContent>(first.content));
  if (!widget || widget.kind === "choices") return widget;
  for (const { senderId, content } of others) {
    const action = readContent<WidgetAction>(content);
    if (action) widget.apply(senderId, action);
  }
  return widget;
}

function create(content: WidgetContent | undefined): Widget | undefined {
  switch (content?.widget_type) {
    case "poll":
      return new Poll(content.extra_data.question, content.extra_data.options);
    case "todo":
      return new TaskList(content.extra_data.task_list_title, content.extra_data.tasks);
    case "zform": {
      const { heading, choices } = content.extra_data;
      return {
        kind: "choices",
        heading,
        choices: choices.map(({ short_name, long_name, reply }) => ({
          ...{ shortName: short_name, longName: long_name, reply },
        })),
      };
    }
    default:
      return undefined;
  }
}
