import { t } from "../i18n/t.ts";
import { announce } from "../ui/announce.ts";
import { Icon } from "../ui/icon.tsx";

/** A key to copy. */
export function Secret(props: { label: string; value: string }) {
  async function copy(): Promise<void> {
    await navigator.clipboard.writeText(props.value);
    announce(t("content.copied"));
  }
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
