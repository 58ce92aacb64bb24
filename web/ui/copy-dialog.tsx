import { t } from "../i18n/t.ts";
import { Dialog } from "./dialog.tsx";

/** A text that the browser does not let the page copy. */
export function CopyDialog(props: { text: string; onClose(): void }) {
  return (
    <Dialog label={t("copy.title")} class="form-dialog copy" onClose={() => props.onClose()}>
      <h2>{t("copy.title")}</h2>
      <p class="about">{t("copy.hint")}</p>
      <textarea
        ref={(field) => queueMicrotask(() => field.select())}
        readonly
        autofocus
        rows="3"
        dir="ltr"
        aria-label={t("copy.text")}
        value={props.text}
        onFocus={(event) => event.currentTarget.select()}
      />
    </Dialog>
  );
}
