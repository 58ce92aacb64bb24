import { userSettings } from "../../api/people/user-settings.ts";
import { t } from "../i18n/t.ts";
import { OwnToggle } from "./own-setting.tsx";

/** What others learn of what one does. */
export function Privacy() {
  return (
    <>
      <OwnToggle
        setting={userSettings.presenceEnabled}
        label={t("own.privacy.presence")}
        hint={t("own.privacy.presenceHint")}
      />
      <OwnToggle setting={userSettings.sendReadReceipts} label={t("own.privacy.receipts")} />
      <OwnToggle
        setting={userSettings.sendPrivateTypingNotifications}
        label={t("own.privacy.typingDirect")}
      />
      <OwnToggle
        setting={userSettings.sendStreamTypingNotifications}
        label={t("own.privacy.typingChannel")}
      />
      <OwnToggle setting={userSettings.receivesTypingNotifications} label={t("own.privacy.seeTyping")} />
      <OwnToggle
        setting={userSettings.allowPrivateDataExport}
        label={t("own.privacy.export")}
        hint={t("own.privacy.exportHint")}
      />
    </>
  );
}
