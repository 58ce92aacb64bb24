/** Texts of settings that were typed and not saved. A person who is about to lose one is asked first. */
import { onCleanup } from "solid-js";
import { t } from "../../i18n/t.ts";
import { askFirst } from "../../ui/menus.tsx";
import { go, guardRoute } from "./route.ts";

const fields = new Set<() => boolean>();
/** The address to which the person has chosen to go. */
let chosen: string | undefined;

/** `isUnsaved` counts while the component that calls this is on the screen. */
export function watchUnsaved(isUnsaved: () => boolean): void {
  fields.add(isUnsaved);
  onCleanup(() => fields.delete(isUnsaved));
}

const hasUnsaved = () => [...fields].some((isUnsaved) => isUnsaved());

guardRoute((before) => {
  const wanted = location.hash;
  if (wanted === chosen || !hasUnsaved()) {
    chosen = undefined;
    return false;
  }
  // The address says again what is on the screen.
  history.replaceState(history.state, "", before);
  askFirst({
    title: t("unsaved.title"),
    text: t("unsaved.text"),
    action: t("unsaved.leave"),
    async run() {
      chosen = wanted;
      go(wanted);
      return undefined;
    },
  });
  return true;
});

addEventListener("beforeunload", (event) => hasUnsaved() && event.preventDefault());
