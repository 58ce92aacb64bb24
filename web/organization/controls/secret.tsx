import { createSignal } from "solid-js";
import { t } from "../../i18n/t.ts";
import { copyText } from "../../ui/copy.ts";

/** A text to be copied: a link, a key. */
export function Secret(props: { label: string; value: string }) {
  const [isCopied, setCopied] = createSignal(false);
  const copy = async () => {
    setCopied(await copyText(props.value, t("organization.copied")));
  };
  return (
    <p class="secret-field">
      <input
        type="text"
        readonly
        dir="ltr"
        value={props.value}
        aria-label={props.label}
        onFocus={(event) => event.currentTarget.select()}
      />
      <button type="button" class="button" onClick={() => void copy()}>
        {t(isCopied() ? "organization.copied" : "organization.copy")}
      </button>
    </p>
  );
}
