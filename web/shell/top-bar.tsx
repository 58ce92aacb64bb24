import { state } from "../app/state.ts";
import { setTheme, type Theme, theme } from "../app/theme.ts";
import { t } from "../i18n/t.ts";
import { Icon } from "../ui/icon.tsx";
import { live } from "../ui/live.ts";

const next: Readonly<Record<Theme, Theme>> = { system: "light", light: "dark", dark: "system" };
const icons = { light: "sun", dark: "moon", system: "system" } as const;

export function TopBar(props: { onHelp(): void; onSwitcher(): void }) {
  const name = live(["organization", "generation"], () => state.model.organization.name);
  return (
    <header class="top-bar">
      <a class="organization" href="#inbox">
        <img src="/logo.svg" alt="" width="22" height="22" />
        <span dir="auto">{name()}</span>
      </a>
      <button type="button" class="jump" aria-label={t("header.switcher")} onClick={() => props.onSwitcher()}>
        <Icon name="search" />
        <span>{t("header.switcher")}</span>
        <kbd>Ctrl K</kbd>
      </button>
      <button
        type="button"
        class="square"
        aria-label={t("header.theme", { name: t(`theme.${theme()}`) })}
        onClick={() => setTheme(next[theme()])}
      >
        <Icon name={icons[theme()]} />
      </button>
      <button
        type="button"
        class="square wide-only"
        aria-label={t("header.help")}
        onClick={() => props.onHelp()}
      >
        <Icon name="keyboard" />
      </button>
    </header>
  );
}
