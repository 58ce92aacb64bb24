import { createEffect, createSignal, Match, onCleanup, Switch } from "solid-js";
import { t } from "../i18n/t.ts";
import { allowNotices, declineNotices, isAsking } from "../shared/notices/notice-question.ts";
import { isOutdated } from "../shared/page/outdated.ts";
import { state } from "../shared/state/state.ts";
import { Icon } from "../ui/icon.tsx";
import { live } from "../ui/live.ts";
import { closeNotice, notice, said } from "../ui/notice.ts";

/** A short interruption that ends by itself is not reported. */
const PATIENCE_MS = 3000;

/** What the banner says. It comes after the first paint, since most people never see it. */
export function BannerLines() {
  const kind = live("connection", () => state.connectionState.kind);
  const [isLong, setLong] = createSignal(false);
  createEffect(() => {
    setLong(false);
    if (kind() !== "waiting") return;
    const timer = setTimeout(() => setLong(true), PATIENCE_MS);
    onCleanup(() => clearTimeout(timer));
  });
  return (
    <Switch>
      <Match when={kind() === "waiting" && isLong()}>
        <p class="banner">
          <Icon name="offline" /> {t(navigator.onLine ? "banner.waiting" : "banner.offline")}
        </p>
      </Match>
      <Match when={notice() !== undefined}>
        <p class="banner" role="alert">
          <Icon name="failed" /> {notice()}
          <button type="button" class="quiet" onClick={closeNotice}>
            {t("help.close")}
          </button>
        </p>
      </Match>
      <Match when={said() !== undefined}>
        <p class="banner done">
          <Icon name="check" /> {said()}
        </p>
      </Match>
      <Match when={kind() === "ended"}>
        <p class="banner">
          <Icon name="offline" /> {t("banner.ended")}
          <button type="button" class="quiet" onClick={() => location.reload()}>
            {t("banner.reload")}
          </button>
        </p>
      </Match>
      <Match when={isOutdated()}>
        <p class="banner">
          <Icon name="reload" /> {t("banner.newVersion")}
          <button type="button" class="quiet" onClick={() => location.reload()}>
            {t("banner.reload")}
          </button>
        </p>
      </Match>
      <Match when={isAsking()}>
        <p class="banner">
          <Icon name="bell" /> {t("banner.notices")}
          <button type="button" class="quiet" onClick={() => void allowNotices()}>
            {t("banner.noticesOn")}
          </button>
          <button type="button" class="quiet" onClick={declineNotices}>
            {t("banner.noticesOff")}
          </button>
        </p>
      </Match>
    </Switch>
  );
}
