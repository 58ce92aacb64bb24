import { t } from "../../i18n/t.ts";
import { belowQuestion, type Saving } from "../../ui/saving.tsx";

/** In the corner of a setting, where it moves nothing. The problem is beside the field. */
export function SavedNote(props: { saving: Saving }) {
  const isAsked = belowQuestion();
  const words = () => {
    const state = props.saving.state();
    return state === "idle" || isAsked() ? "" : t(state === "saved" ? "settings.saved" : "settings.saving");
  };
  return (
    <span class="saved-note" role="status">
      {words()}
    </span>
  );
}
