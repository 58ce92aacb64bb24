/** What the main menu offers. It is fetched when the menu is first opened. */
import { userSettings } from "../../api/people/user-settings.ts";
import { updateSettings } from "../../api/people/users.ts";
import { t } from "../i18n/t.ts";
import { laterTimes } from "../shared/later/later-times.ts";
import { beQuietUntil, quietUntil } from "../shared/notices/quiet.ts";
import { isPhone } from "../shared/page/screen.ts";
import { signOut } from "../shared/page/sign-out.ts";
import { inviteLink, mayInvite } from "../shared/people/invite.ts";
import { openStatus } from "../shared/people/open-status.tsx";
import { chooseTheme } from "../shared/preferences/choose-theme.ts";
import { type Theme, theme } from "../shared/preferences/theme.ts";
import { go } from "../shared/routing/route.ts";
import { state } from "../shared/state/state.ts";
import { nameOf } from "../shared/text/names.ts";
import { shortTime } from "../shared/text/times.ts";
import type { IconName } from "../ui/icon.tsx";
import type { MenuItem } from "../ui/menu.tsx";
import { openMenu } from "../ui/menus.tsx";
import { reportFailure } from "../ui/notice.ts";

const themes: readonly { theme: Theme; icon: IconName }[] = [
  { theme: "light", icon: "sun" },
  { theme: "dark", icon: "moon" },
  { theme: "system", icon: "system" },
];

export function mainItems(openHelp: () => void): MenuItem[] {
  const { viewer, userStatuses, settings } = state.model;
  const isVisible = settings.get(userSettings.presenceEnabled);
  const hasStatus = userStatuses.of(viewer.id) !== undefined;
  const place = (icon: IconName, label: string, hash: string): MenuItem => ({
    ...{ icon, label },
    run: () => go(hash),
  });
  const keyboard: MenuItem = {
    ...{ icon: "keyboard", label: t("header.help"), shortcut: "?", startsGroup: true, run: openHelp },
  };
  return [
    place("user", nameOf(viewer.id), `#user/${viewer.id}`),
    {
      ...{ icon: "smile", label: t(hasStatus ? "menu.editStatus" : "menu.setStatus") },
      run: openStatus,
    },
    {
      ...{ icon: isVisible ? "eyeOff" : "eye", label: t(isVisible ? "menu.invisible" : "menu.visible") },
      run: () => void setVisible(!isVisible),
    },
    quietItem(),
    ...themes.map(
      (one, at): MenuItem => ({
        ...{ icon: one.icon, label: t(`command.${one.theme}`), isChosen: theme() === one.theme },
        ...{ startsGroup: at === 0, run: () => void chooseTheme(one.theme) },
      }),
    ),
    { ...place("settings", t("menu.settings"), "#settings"), startsGroup: true },
    ...(mayInvite() ? [place("send", t("invite.people"), inviteLink)] : []),
    place("building", t("menu.organization"), "#organization"),
    place("hash", t("menu.channels"), "#channels"),
    place("group", t("menu.groups"), "#groups"),
    // A phone has no keyboard for them.
    ...(isPhone() ? [] : [keyboard]),
    {
      icon: "help",
      label: t("menu.help"),
      startsGroup: isPhone(),
      run: () => void window.open("/help", "_blank", "noopener"),
    },
    { icon: "signOut", label: t("menu.signOut"), startsGroup: true, run: () => void signOut() },
  ];
}

/** It says until when, and ends it. Else a menu in the same place has the times. */
function quietItem(): MenuItem {
  const until = quietUntil();
  if (until) {
    const time = shortTime(until.getTime());
    return { icon: "bell", label: t("quiet.end", { time }), run: () => beQuietUntil(undefined) };
  }
  const times = laterTimes().map(
    ({ label, at }): MenuItem => ({
      ...{ icon: "clock", label: `${t(label)} (${shortTime(at.getTime())})` },
      run: () => beQuietUntil(at),
    }),
  );
  const openTimes = () => {
    const anchor = document.getElementById("main-menu");
    if (anchor) openMenu(t("quiet.title"), anchor, times);
  };
  return { icon: "bellOff", label: t("quiet.start"), run: openTimes };
}

async function setVisible(isVisible: boolean): Promise<void> {
  const parameters = { presence_enabled: isVisible };
  await reportFailure(() => state.track(() => state.connection.call(updateSettings, parameters)));
}
