import { userSettings } from "../../api/people/user-settings.ts";
import { languages } from "../i18n/language-names.ts";
import { t, useLanguage } from "../i18n/t.ts";
import { chooseTheme } from "../shared/preferences/choose-theme.ts";
import { densityOf, lineHeights } from "../shared/preferences/look.ts";
import { readPolicies } from "../shared/preferences/preferences.ts";
import { type Theme, theme } from "../shared/preferences/theme.ts";
import { Select } from "../ui/fields.tsx";
import { keyText } from "../ui/modifier.ts";
import { Marked } from "../ui/saved-mark.tsx";
import { createOwnSetting, OwnChoice, OwnToggle } from "./own-setting.tsx";

const fontSizes = [12, 13, 14, 15, 16, 17, 18, 19, 20] as const;

/** How this client looks, and what it does by itself. */
export function Preferences() {
  return (
    <>
      <Look />
      <Use />
      <Writing />
      <Sidebar />
    </>
  );
}

function Look() {
  return (
    <>
      <h3>{t("own.look")}</h3>
      <Language />
      <ThemeChoice />
      <Density />
      <OwnChoice
        setting={userSettings.webFontSizePx}
        label={t("own.look.fontSize")}
        choices={fontSizes.map((size) => [
          size,
          size === userSettings.webFontSizePx.default ? t("own.look.usualSize", { size }) : `${size}`,
        ])}
      />
      <OwnToggle setting={userSettings.highContrastMode} label={t("own.look.contrast")} />
      <OwnToggle setting={userSettings.fluidLayoutWidth} label={t("own.look.fullWidth")} />
      <OwnChoice
        setting={userSettings.webAnimateImagePreviews}
        label={t("own.look.animation")}
        choices={[
          ["always", t("own.look.animate.always")],
          ["on_hover", t("own.look.animate.hover")],
          ["never", t("own.look.animate.never")],
        ]}
      />
      <Clock />
    </>
  );
}

function Use() {
  return (
    <>
      <h3>{t("own.use")}</h3>
      <OwnChoice
        setting={userSettings.webHomeView}
        label={t("own.use.home")}
        choices={[
          ["inbox", t("view.inbox")],
          ["recent_topics", t("view.recent")],
          ["all_messages", t("view.feed")],
        ]}
      />
      <OwnChoice
        setting={userSettings.webChannelDefaultView}
        label={t("own.use.channel")}
        choices={[
          [1, t("own.use.channel.newest")],
          [2, t("own.use.channel.messages")],
          [3, t("own.use.channel.topics")],
          [4, t("view.inbox")],
        ]}
      />
      <OwnToggle setting={userSettings.webEscapeNavigatesToHomeView} label={t("own.use.escape")} />
      <OwnChoice
        setting={userSettings.webMarkReadOnScrollPolicy}
        label={t("own.use.read")}
        hint={t("own.use.readHint")}
        choices={[
          [readPolicies.always, t("own.use.read.always")],
          [readPolicies.conversations, t("own.use.read.conversations")],
          [readPolicies.never, t("own.use.read.never")],
        ]}
      />
    </>
  );
}

function Writing() {
  return (
    <>
      <h3>{t("own.write")}</h3>
      <OwnToggle
        setting={userSettings.enterSends}
        label={t("own.write.enter")}
        hint={t("own.write.enterHint", { newLine: keyText("Shift+Enter"), send: keyText("Mod+Enter") })}
      />
      <OwnToggle setting={userSettings.translateEmoticons} label={t("own.write.emoticons")} />
      <OwnToggle setting={userSettings.enableDraftsSynchronization} label={t("own.write.drafts")} />
    </>
  );
}

function Sidebar() {
  return (
    <>
      <h3>{t("own.sidebar")}</h3>
      <OwnToggle setting={userSettings.webLeftSidebarShowChannelFolders} label={t("own.sidebar.folders")} />
      <OwnChoice
        setting={userSettings.demoteInactiveStreams}
        label={t("own.sidebar.demote")}
        choices={[
          [1, t("own.sidebar.demote.many")],
          [2, t("own.sidebar.demote.always")],
          [3, t("own.sidebar.demote.never")],
        ]}
      />
      <OwnChoice
        setting={userSettings.webStreamUnreadsCountDisplayPolicy}
        label={t("own.sidebar.unread")}
        choices={[
          [1, t("own.sidebar.unread.all")],
          [2, t("own.sidebar.unread.unmuted")],
          [3, t("own.sidebar.unread.none")],
        ]}
      />
      <OwnToggle setting={userSettings.starredMessageCounts} label={t("own.sidebar.starred")} />
      <OwnChoice
        setting={userSettings.userListStyle}
        label={t("own.sidebar.people")}
        choices={[
          [1, t("own.sidebar.people.compact")],
          [2, t("own.sidebar.people.status")],
          [3, t("own.sidebar.people.picture")],
        ]}
      />
    </>
  );
}

/** Languages are named in themselves. */
function Language() {
  return (
    <OwnChoice
      setting={userSettings.defaultLanguage}
      label={t("own.look.language")}
      choices={languages.map(({ code, name }) => [code, name])}
      show={(code) => useLanguage(code)}
    />
  );
}

const themes: readonly Theme[] = ["system", "light", "dark"];

function ThemeChoice() {
  return (
    <div class="marked">
      <Select
        label={t("own.look.theme")}
        value={theme()}
        options={themes.map((one) => ({ value: one, label: t(`own.look.theme.${one}`) }))}
        onChange={(one) => void chooseTheme(one)}
      />
    </div>
  );
}

/** A line height of another client counts as the nearest density. */
function Density() {
  const own = createOwnSetting<number>(userSettings.webLineHeightPercent);
  return (
    <Marked saving={own.saving}>
      <Select
        label={t("own.look.density")}
        problem={own.saving.problem()}
        value={densityOf(own.value())}
        options={(["compact", "usual", "comfortable"] as const).map((density) => ({
          value: density,
          label: t(`own.look.density.${density}`),
        }))}
        onChange={(one) => void own.change(lineHeights[one])}
      />
    </Marked>
  );
}

function Clock() {
  const own = createOwnSetting<boolean>(userSettings.twentyFourHourTime);
  return (
    <Marked saving={own.saving}>
      <Select
        label={t("own.look.clock")}
        problem={own.saving.problem()}
        value={own.value() ? "24" : "12"}
        options={[
          { value: "12", label: t("own.look.clock.12") },
          { value: "24", label: t("own.look.clock.24") },
        ]}
        onChange={(value) => void own.change(value === "24")}
      />
    </Marked>
  );
}
