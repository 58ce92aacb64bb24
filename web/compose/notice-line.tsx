import { Show } from "solid-js";
import { t } from "../i18n/t.ts";

/** What became of a message that is sent later. */
export interface Notice {
  text: string;
  isProblem?: boolean;
}

export function NoticeLine(props: { notice: Notice }) {
  return (
    <Show
      when={!props.notice.isProblem}
      fallback={
        <p class="notes problem" role="alert">
          {props.notice.text}
        </p>
      }
    >
      <p class="notes" role="status">
        {props.notice.text} <a href="#scheduled">{t("schedule.list")}</a>
      </p>
    </Show>
  );
}
