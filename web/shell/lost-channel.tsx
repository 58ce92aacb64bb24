import { Show } from "solid-js";
import { t } from "../i18n/t.ts";
import { go } from "../shared/routing/route.ts";
import { Icon } from "../ui/icon.tsx";

/** In the place of a channel that the viewer can't see. `name`: of one that could be seen until now. */
export function LostChannel(props: { name: string | undefined }) {
  return (
    <>
      <header class="view-header">
        <button type="button" class="square back" aria-label={t("header.back")} onClick={() => go("#")}>
          <Icon name="back" />
        </button>
        <h1>
          <bdi>{props.name ?? t("channel.unknown")}</bdi>
        </h1>
      </header>
      <div class="inbox">
        <div class="empty" role="alert">
          <p>{t(props.name === undefined ? "lost.unknown" : "lost.gone")}</p>
          <Show when={props.name !== undefined}>
            <p class="note">{t("lost.hint")}</p>
          </Show>
          <a class="button" href="#channels/available">
            {t("lost.browse")}
          </a>
        </div>
      </div>
    </>
  );
}
