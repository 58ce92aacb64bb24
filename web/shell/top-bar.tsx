import { t } from "../i18n/t.ts";
import { SearchPlace } from "../search/search-place.tsx";
import { homeHash } from "../shared/routing/views.ts";
import { state } from "../shared/state/state.ts";
import { Icon } from "../ui/icon.tsx";
import { live } from "../ui/live.ts";
import { keyText } from "../ui/modifier.ts";
import { MainMenu } from "./main-menu.tsx";

export function TopBar(props: { onHelp(): void; onSwitcher(): void }) {
  const name = live(["organization", "generation"], () => state.model.organization.name);
  return (
    <header class="top-bar">
      <a class="organization" href={homeHash()}>
        <img src="/logo.svg" alt="" width="22" height="22" />
        <span dir="auto">{name()}</span>
      </a>
      <SearchPlace />
      <button
        type="button"
        class="square wide-only"
        aria-label={t("header.switcher")}
        title={keyText("Mod+K")}
        onClick={() => props.onSwitcher()}
      >
        <Icon name="jump" />
      </button>
      <MainMenu onHelp={() => props.onHelp()} />
    </header>
  );
}
