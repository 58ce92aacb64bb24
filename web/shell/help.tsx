import { For, Show } from "solid-js";
import { t } from "../i18n/t.ts";
import { Dialog } from "../ui/dialog.tsx";
import { singleKeysAreOn, turnSingleKeys } from "../ui/keys.ts";
import { keyText } from "../ui/modifier.ts";
import { listHelp } from "./help-keys.ts";

/** What all keys do, which of them do nothing in this view, and the switch for single keys. */
export function Help(props: { onClose(): void }) {
  return (
    <Dialog label={t("help.title")} class="help" onClose={props.onClose}>
      <h2>{t("help.title")}</h2>
      <div class="help-groups">
        <For each={listHelp()}>
          {(group) => (
            <section>
              <h3>{t(group.title)}</h3>
              <dl>
                <For each={group.keys}>
                  {(one) => (
                    <div classList={{ off: !one.isHere }}>
                      <dt>
                        <For each={one.keys}>{(key) => <kbd>{keyText(key)}</kbd>}</For>
                      </dt>
                      <dd>
                        {t(one.label)}
                        <Show when={!one.isHere}>
                          <span class="sr"> ({t("help.notHere")})</span>
                        </Show>
                      </dd>
                    </div>
                  )}
                </For>
              </dl>
            </section>
          )}
        </For>
      </div>
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
