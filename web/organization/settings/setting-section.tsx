import { For, type JSX, Show } from "solid-js";
import { t } from "../../i18n/t.ts";
import { isAdministrator } from "../calls.ts";
import { SettingControl } from "./setting-control.tsx";
import { type SettingSection as Name, settingSections } from "./setting-list.ts";

/** The settings of a section, and what else belongs there below them. */
export function SettingSection(props: { name: Name; children?: JSX.Element }) {
  return (
    <>
      <ReadOnlyNote />
      <For each={settingSections[props.name]}>{(name) => <SettingControl name={name} />}</For>
      {props.children}
    </>
  );
}

/** For those who can look, but not change. */
export function ReadOnlyNote() {
  const may = isAdministrator();
  return (
    <Show when={!may()}>
      <p class="hint read-only">{t("organization.readOnly")}</p>
    </Show>
  );
}
