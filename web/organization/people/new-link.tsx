import { t } from "../../i18n/t.ts";
import { Dialog } from "../../ui/dialog.tsx";
import { Secret } from "../controls/secret.tsx";

/** A new invitation link. The list has it too. */
export function NewLink(props: { url: string; onClose(): void }) {
  return (
    <Dialog label={t("invitations.newLink")} class="settings-dialog" onClose={() => props.onClose()}>
      <h2>{t("invitations.newLink")}</h2>
      <p>{t("invitations.newLinkText")}</p>
      <Secret label={t("invitations.link")} value={props.url} />
    </Dialog>
  );
}
