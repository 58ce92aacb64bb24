import { Show } from "solid-js";
import type { whyNotPost } from "../../client/permissions.ts";
import { t } from "../i18n/t.ts";
import { chosen, composeTo } from "../shared/compose/compose-target.ts";
import { Icon } from "../ui/icon.tsx";

/** In the place of the message box, where the viewer can't write. */
export function Forbidden(props: { why: ReturnType<typeof whyNotPost> }) {
  return (
    <>
      <Icon name="lock" />
      <Show when={props.why}>{(why) => <span>{t(`forbidden.${why()}`)}</span>}</Show>
      <Show when={chosen() !== undefined}>
        <button type="button" class="quiet" onClick={() => composeTo(undefined)}>
          {t("help.close")}
        </button>
      </Show>
    </>
  );
}
