import { For } from "solid-js";
import { t } from "../i18n/t.ts";
import { Dialog } from "../ui/dialog.tsx";
import { listBindings, singleKeysAreOn, turnSingleKeys } from "../ui/keys.ts";
import { keyText } from "../ui/modifier.ts";

/** What the keys do here and now, and the switch for single keys. */
export function Help(props: { onClose(): void }) {
  return (
    <Dialog label={t("help.title")} class="help" onClose={props.onClose}>
      <h2>{t("help.title")}</h2>
      <dl>
        <For each={listBindings()}>
          {(binding) => (
            <div>
              <dt>
                <For each={binding.keys}>{(key) => <kbd>{keyText(key)}</kbd>}</For>
              </dt>
              <dd>{t(binding.label)}</dd>
            </div>
          )}
        </For>
      </dl>
      <label class="switch">
        <input
          type="checkbox"
          checked={singleKeysAreOn()}
          onChange={(event) => turnSingleKeys(event.currentTarget.checked)}
        />
        {t("help.singleKeys")}
      </label>
    </Dialog>
  );
}
