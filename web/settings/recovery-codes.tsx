import { For } from "solid-js";
import { t } from "../i18n/t.ts";
import { copyText } from "../ui/copy.ts";

/** Shown once. They are to be kept elsewhere. */
export function RecoveryCodes(props: { codes: readonly string[]; onClose(): void }) {
  const copy = () => copyText(props.codes.join("\n"), t("content.copied"));
  return (
    <div class="note-box" role="status">
      <p>{t("own.security.keepCodes")}</p>
      <ul class="recovery-codes" aria-label={t("own.security.codes")}>
        <For each={props.codes}>
          {(code) => (
            <li>
              <code>{code}</code>
            </li>
          )}
        </For>
      </ul>
      <p class="buttons">
        <button type="button" class="button" onClick={() => void copy()}>
          {t("own.security.copyCodes")}
        </button>
        <button type="button" class="button primary" onClick={() => props.onClose()}>
          {t("own.security.keptCodes")}
        </button>
      </p>
    </div>
  );
}
