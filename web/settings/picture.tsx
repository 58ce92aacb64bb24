import { Show } from "solid-js";
import { removeOwnAvatar, uploadOwnAvatar } from "../../api/content/avatars.ts";
import { t } from "../i18n/t.ts";
import { state } from "../shared/state/state.ts";
import { Avatar } from "../ui/avatar.tsx";
import { live } from "../ui/live.ts";
import { createSaving, SavingNote } from "../ui/saving.tsx";
import { lockedSignal, viewerSignal } from "./viewer.ts";

const UPLOAD_TIMEOUT_MS = 120_000;

/** The server cuts out the middle, so any picture will do. */
export function Picture() {
  let chooser: HTMLInputElement | undefined;
  const saving = createSaving();
  const viewer = viewerSignal();
  const isLocked = lockedSignal("avatar");
  const isUploaded = live(["viewer", "generation"], () => state.model.viewer.avatarSource === "U");
  const large = live(["viewer", "generation"], () => state.model.viewer.avatarUrlMedium);
  const upload = (file: File | undefined) => {
    if (!file) return;
    const files = [{ name: file.name, content: file }];
    void saving.run(() =>
      state.track(() => state.connection.call(uploadOwnAvatar, {}, { files, timeoutMs: UPLOAD_TIMEOUT_MS })),
    );
  };
  const remove = () => void saving.run(() => state.track(() => state.connection.call(removeOwnAvatar, {})));
  return (
    <div class="picture">
      <Show when={ownPicture(large())} fallback={<Avatar user={viewer()} />}>
        {(url) => <img class="avatar" src={url()} alt={t("own.profile.picture")} width="96" height="96" />}
      </Show>
      <div>
        <Show when={!isLocked()} fallback={<p class="hint">{t("own.profile.pictureLocked")}</p>}>
          <p class="buttons">
            <button type="button" class="button" onClick={() => chooser?.click()}>
              {t("own.profile.upload")}
            </button>
            <Show when={isUploaded()}>
              <button type="button" class="button" onClick={remove}>
                {t("own.profile.removePicture")}
              </button>
            </Show>
          </p>
          <input
            ref={(element) => {
              chooser = element;
            }}
            type="file"
            class="sr"
            tabindex={-1}
            aria-label={t("own.profile.pictureFile")}
            accept="image/png,image/gif,image/jpeg,image/webp,image/avif"
            onChange={(event) => {
              upload(event.currentTarget.files?.[0]);
              event.currentTarget.value = "";
            }}
          />
        </Show>
        <SavingNote saving={saving} />
      </div>
    </div>
  );
}

/** Only a picture of the server itself: those of other hosts are not asked for. */
function ownPicture(url: string | undefined): string | undefined {
  return url?.startsWith("/") && !url.startsWith("//") ? url : undefined;
}
