import { t } from "../../i18n/t.ts";
import { reveal } from "./muted-runs.ts";

/** In the place of messages of muted people. */
export function MutedNote(props: { ids: readonly number[] }) {
  return (
    <p class="muted-note">
      {t("muted.count", { count: props.ids.length })}
      <button type="button" class="quiet" onClick={() => reveal(props.ids)}>
        {t("muted.show")}
      </button>
    </p>
  );
}
