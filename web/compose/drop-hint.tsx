import { Show } from "solid-js";
import { t } from "../i18n/t.ts";
import { Icon } from "../ui/icon.tsx";
import { hasFilesOver } from "./drop-files.ts";

/** Over the conversation while files are held over it. */
export function DropHint() {
  return (
    <Show when={hasFilesOver()}>
      <div class="drop-hint">
        <p>
          <Icon name="attach" /> {t("compose.dropHere")}
        </p>
      </div>
    </Show>
  );
}
