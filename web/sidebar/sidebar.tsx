import { t } from "../i18n/t.ts";
import { Channels } from "./channels.tsx";
import { DirectMessages } from "./direct-messages.tsx";
import { Views } from "./views.tsx";

export function Sidebar() {
  return (
    <nav class="sidebar" aria-label={t("app.views")}>
      <Views />
      <DirectMessages />
      <Channels />
    </nav>
  );
}
