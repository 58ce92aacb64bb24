import { createSignal, Show } from "solid-js";
import { updateChannelFolder } from "../../api/channels/channel-folders.ts";
import { MAX_FOLDER_DESCRIPTION_LENGTH, MAX_FOLDER_NAME_LENGTH } from "../../api/limits.ts";
import { t } from "../i18n/t.ts";
import { state } from "../shared/state/state.ts";
import { Icon } from "../ui/icon.tsx";
import { live } from "../ui/live.ts";
import { SavedText } from "../ui/saved-fields.tsx";
import { createSaving, SavingNote } from "../ui/saving.tsx";

interface RowProps {
  folderId: number;
  mayChange: boolean;
  isArchived?: boolean;
  isFirst?: boolean;
  isLast?: boolean;
  onMove?(step: -1 | 1): void;
}

/** A folder: its place, its texts and whether it is in use. */
export function FolderRow(props: RowProps) {
  const id = props.folderId;
  const saving = createSaving();
  const [isOpen, setOpen] = createSignal(false);
  const folder = live(["folders", "generation"], () => state.model.folders.byId.get(id));
  const channels = live(
    ["channels", "generation"],
    () => [...state.model.channels.byId.values()].filter(({ folderId }) => folderId === id).length,
  );
  const change = (properties: object) => {
    const parameters = { channel_folder_id: id, ...properties };
    return state.track(() => state.connection.call(updateChannelFolder, parameters));
  };
  const name = () => folder()?.name ?? "";
  return (
    <li>
      <div class="list-row">
        <Icon name="folder" />
        <span class="row-text">
          <bdi>{name()}</bdi>
          <bdi class="row-about">{folder()?.description}</bdi>
        </span>
        <span class="row-count">{t("channels.count", { count: channels() })}</span>
        <Show when={props.mayChange}>
          <Show when={props.onMove}>
            {(move) => (
              <>
                <button
                  type="button"
                  class="square"
                  id={`folder-${id}-up`}
                  disabled={props.isFirst}
                  aria-label={t("folders.up", { name: name() })}
                  onClick={() => move()(-1)}
                >
                  <Icon name="up" />
                </button>
                <button
                  type="button"
                  class="square"
                  id={`folder-${id}-down`}
                  disabled={props.isLast}
                  aria-label={t("folders.down", { name: name() })}
                  onClick={() => move()(1)}
                >
                  <Icon name="down" />
                </button>
              </>
            )}
          </Show>
          <button
            type="button"
            class="square"
            aria-label={t("folders.edit", { name: name() })}
            aria-expanded={isOpen()}
            onClick={() => setOpen(!isOpen())}
          >
            <Icon name="pencil" />
          </button>
        </Show>
      </div>
      <Show when={isOpen()}>
        <div class="row-details">
          <SavedText
            label={t("folders.name")}
            value={name()}
            maxLength={MAX_FOLDER_NAME_LENGTH}
            save={(text) => change({ name: text })}
          />
          <SavedText
            label={t("folders.description")}
            value={folder()?.description ?? ""}
            maxLength={MAX_FOLDER_DESCRIPTION_LENGTH}
            save={(text) => change({ description: text })}
          />
          <Show when={!props.isArchived && channels() > 0}>
            <p class="hint">{t("folders.notEmpty")}</p>
          </Show>
          <div class="form-end">
            <button
              type="button"
              class="button"
              disabled={!props.isArchived && channels() > 0}
              onClick={() => void saving.run(() => change({ is_archived: !props.isArchived }))}
            >
              {t(props.isArchived ? "folders.unarchive" : "folders.archive")}
            </button>
            <SavingNote saving={saving} />
          </div>
        </div>
      </Show>
    </li>
  );
}
