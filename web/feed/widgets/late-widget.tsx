import { For, Show } from "solid-js";
import type { Message, Submessage } from "../../../client/model/messages.ts";
import { entriesOf } from "../../../client/widgets/entries.ts";
import { latePart } from "../../i18n/lazy-part.ts";
import { whenBack } from "../../shared/state/when-back.ts";

const widgets = latePart(() => import("./widget-body.tsx"));

export const loadWidgets = widgets.need;

/** An interactive message. Before the part that draws it is there, it has the space that it will take. */
export function LateWidget(props: { message: Message; submessages: readonly Submessage[] }) {
  void widgets.need();
  whenBack(() => void widgets.need());
  return (
    <Show when={widgets.part()} fallback={<WidgetSpace submessages={props.submessages} />}>
      {(part) => part().WidgetBody(props)}
    </Show>
  );
}

/** Its texts are there, but not on the screen: long ones take more lines. */
function WidgetSpace(props: { submessages: readonly Submessage[] }) {
  return (
    <div class="widget widget-space" aria-busy="true">
      <p class="widget-title" />
      <ul>
        <For each={entriesOf(props.submessages)}>
          {({ text, description }) => (
            <li class="task">
              <span class="vote" />
              <span class="task-text">
                <bdi>{text}</bdi>
                <Show when={description}>
                  <bdi class="task-more">{description}</bdi>
                </Show>
              </span>
            </li>
          )}
        </For>
      </ul>
      <div class="entry">
        <input disabled />
      </div>
    </div>
  );
}
