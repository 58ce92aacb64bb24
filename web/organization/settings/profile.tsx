/** What the organization is called and looks like. */

import { Show } from "solid-js";
import { updateOrganization } from "../../../api/administration/organization.ts";
import {
  removeIcon,
  removeLogo,
  uploadIcon,
  uploadLogo,
} from "../../../api/content/organization-pictures.ts";
import { MAX_ORGANIZATION_DESCRIPTION_LENGTH, MAX_ORGANIZATION_NAME_LENGTH } from "../../../api/limits.ts";
import { t } from "../../i18n/t.ts";
import { FileButton, PICTURES } from "../../ui/file-button.tsx";
import { Problem } from "../../ui/problem.tsx";
import { createSaving } from "../../ui/saving.tsx";
import { call, callWithFile, isAdministrator, settingSignal } from "../calls.ts";
import { SavedNote } from "../controls/saved-note.tsx";
import { LanguageSetting } from "./language-setting.tsx";
import { ReadOnlyNote } from "./setting-section.tsx";
import { TextSetting } from "./text-setting.tsx";

export function Profile() {
  const may = isAdministrator();
  const name = settingSignal("name", "");
  const description = settingSignal("description", "");
  return (
    <>
      <ReadOnlyNote />
      <TextSetting
        label={t("organization.name")}
        value={name()}
        maxLength={MAX_ORGANIZATION_NAME_LENGTH}
        disabled={!may()}
        save={(text) => call(updateOrganization, { name: text })}
      />
      <TextSetting
        label={t("organization.description")}
        hint={t("organization.description.hint")}
        isLong
        value={description()}
        maxLength={MAX_ORGANIZATION_DESCRIPTION_LENGTH}
        disabled={!may()}
        save={(text) => call(updateOrganization, { description: text })}
      />
      <LanguageSetting disabled={!may()} />
      <Picture kind="icon" isChangeable={may()} />
      <Picture kind="logo" isChangeable={may()} />
      <Picture kind="night_logo" isChangeable={may()} />
    </>
  );
}

function Picture(props: { kind: "icon" | "logo" | "night_logo"; isChangeable: boolean }) {
  const { kind } = props;
  const saving = createSaving();
  const url = settingSignal(`${kind}_url`, "");
  const source = settingSignal(`${kind}_source`, "");
  const night = kind === "icon" ? {} : { night: kind === "night_logo" };
  const upload = kind === "icon" ? uploadIcon : uploadLogo;
  const remove = kind === "icon" ? removeIcon : removeLogo;
  const label = () => t(`organization.${kind}`);
  return (
    <section class="setting picture-setting" aria-label={label()}>
      <h3>{label()}</h3>
      <div class="picture" data-kind={kind}>
        <img src={url()} alt={label()} />
      </div>
      <Show when={props.isChangeable}>
        <p class="buttons">
          <FileButton
            label={t("organization.uploadPicture")}
            accept={PICTURES}
            choose={(file) => void saving.run(() => callWithFile(upload, night, file))}
          />
          <Show when={source() === "U"}>
            <button type="button" class="button" onClick={() => void saving.run(() => call(remove, night))}>
              {t("organization.removePicture")}
            </button>
          </Show>
        </p>
        <Problem text={saving.problem()} />
        <SavedNote saving={saving} />
      </Show>
    </section>
  );
}
