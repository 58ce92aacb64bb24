import { Show } from "solid-js";
import { t } from "../i18n/t.ts";
import { Icon } from "../ui/icon.tsx";
import { heldFiles } from "./drop-files.ts";

/** Over the conversation while files are held over it. */
export function DropHint() {
  return (
    <Show when={heldFiles() === "here"}>
      <div class="drop-hint">
        <p>
          <Icon name="attach" /> {t("compose.dropHere")}
        </p>
      </div>
    </Show>
  );
}
