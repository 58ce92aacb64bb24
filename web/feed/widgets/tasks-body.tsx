import { createMemo, createUniqueId, For, Show } from "solid-js";
import type { Message } from "../../../client/model/messages.ts";
import type { Task, TaskList } from "../../../client/widgets/task-list.ts";
import { t } from "../../i18n/t.ts";
import { state } from "../../shared/state/state.ts";
import { createWanted } from "../../ui/wanted.ts";
import { EntryField } from "./entry-field.tsx";
import { takePart } from "./widget-action.ts";
import { WidgetTitle } from "./widget-title.tsx";

/** A list of tasks that everyone here ticks off and adds to. */
export function TasksBody(props: { message: Message; list: TaskList }) {
  const viewerId = () => state.model.viewer.id;
  const addTask = (text: string) => {
    const { task, desc } = splitTask(text);
    const key = props.list.nextIndex(viewerId());
    return takePart(props.message.id, { type: "new_task", key, task, desc, completed: false });
  };
  return (
    <section class="widget" aria-label={t("tasks.label")}>
      <WidgetTitle
        title={props.list.title}
        missing={t("tasks.noTitle")}
        label={t("tasks.title")}
        canEdit={props.message.senderId === viewerId()}
        onSave={(title) => takePart(props.message.id, { type: "new_task_list_title", title })}
      />
      <ul>
        <For each={props.list.tasks.map(({ key }) => key)}>
          {(key) => (
            <Show when={props.list.tasks.find((task) => task.key === key)}>
              {(task) => <TaskRow messageId={props.message.id} task={task()} />}
            </Show>
          )}
        </For>
      </ul>
      <EntryField
        label={t("tasks.newTask")}
        isKnown={(text) => props.list.has(splitTask(text).task)}
        known={t("tasks.isThere")}
        onAdd={addTask}
      />
    </section>
  );
}

function TaskRow(props: { messageId: number; task: Task }) {
  const id = createUniqueId();
  // Every task is another object after a change of any of them.
  const stored = createMemo(() => props.task.isDone);
  const { value: isDone, change } = createWanted(stored);
  const strike = (isOn: boolean) =>
    change(isOn, () => takePart(props.messageId, { type: "strike", key: props.task.key }));
  return (
    <li class="task" classList={{ done: isDone() }}>
      <input
        id={id}
        type="checkbox"
        checked={isDone()}
        onChange={(event) => void strike(event.currentTarget.checked)}
      />
      <label for={id}>
        <bdi>{props.task.text}</bdi>
        <Show when={props.task.description}>
          <bdi class="task-more">{props.task.description}</bdi>
        </Show>
      </label>
    </li>
  );
}

/** As the command has it: what follows a colon says more about the task. */
function splitTask(text: string): { task: string; desc: string } {
  const colon = text.indexOf(": ");
  if (colon <= 0) return { task: text, desc: "" };
  return { task: text.slice(0, colon).trim(), desc: text.slice(colon + 1).trim() };
}
