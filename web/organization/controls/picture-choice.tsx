import { t } from "../../i18n/t.ts";
import { FileButton, PICTURES } from "../../ui/file-button.tsx";

/** A picture that a form is saved with. */
export function PictureChoice(props: {
  file: File | undefined;
  /** While none is chosen. */
  none?: string;
  choose(file: File): void;
}) {
  return (
    <p class="field">
      <FileButton label={t("organization.choosePicture")} accept={PICTURES} choose={props.choose} />
      <span class="hint" role="status" dir="auto">
        {props.file?.name ?? props.none ?? t("organization.noPicture")}
      </span>
    </p>
  );
}
