import { createMemo, Match, Switch } from "solid-js";
import type { Message, Submessage } from "../../../client/model/messages.ts";
import { Poll } from "../../../client/widgets/poll.ts";
import { TaskList } from "../../../client/widgets/task-list.ts";
import { readWidget } from "../../../client/widgets/widget.ts";
import { RenderedContent } from "../../ui/rendered-content.tsx";
import { ChoicesBody } from "./choices-body.tsx";
import { PollBody } from "./poll-body.tsx";
import { TasksBody } from "./tasks-body.tsx";

/** What an interactive message shows in the place of its text. */
export function WidgetBody(props: { message: Message; submessages: readonly Submessage[] }) {
  const widget = createMemo(() => readWidget(props.submessages));
  const poll = () => {
    const shown = widget();
    return shown instanceof Poll ? shown : undefined;
  };
  const tasks = () => {
    const shown = widget();
    return shown instanceof TaskList ? shown : undefined;
  };
  const choices = () => {
    const shown = widget();
    return shown?.kind === "choices" ? shown : undefined;
  };
  return (
    <Switch fallback={<RenderedContent html={props.message.content} />}>
      <Match when={poll()}>{(shown) => <PollBody message={props.message} poll={shown()} />}</Match>
      <Match when={tasks()}>{(shown) => <TasksBody message={props.message} list={shown()} />}</Match>
      <Match when={choices()}>{(shown) => <ChoicesBody message={props.message} form={shown()} />}</Match>
    </Switch>
  );
}
