import { t } from "../i18n/t.ts";
import { copyText } from "../ui/copy.ts";
import { Icon } from "../ui/icon.tsx";

/** A key to copy. */
export function Secret(props: { label: string; value: string }) {
  const copy = () => copyText(props.value, t("content.copied"));
  return (
    <div class="secret">
      <p>{props.label}</p>
      <code>{props.value}</code>
      <button
        type="button"
        class="square"
        aria-label={t("own.copy", { name: props.label })}
        title={t("own.copy", { name: props.label })}
        onClick={() => void copy()}
      >
        <Icon name="copy" />
      </button>
    </div>
  );
}
