/** What became of a change, beside its field. */
import { type JSX, Show } from "solid-js";
import { t } from "../i18n/t.ts";
import { Icon } from "./icon.tsx";
import type { Saving } from "./saving.tsx";

/** Beside what was saved. It takes its place without moving anything. */
export function SavedMark(props: { saving: Saving }) {
  return (
    <span class="saved-mark" role="status">
      <Show when={props.saving.state() === "saved"}>
        <Icon name="check" />
        {t("settings.saved")}
      </Show>
    </span>
  );
}

export function Marked(props: { saving: Saving; children: JSX.Element }) {
  return (
    <div class="marked">
      {props.children}
      <SavedMark saving={props.saving} />
    </div>
  );
}
