import { For, Show } from "solid-js";
import { conversationNarrow } from "../../../client/narrow.ts";
import { t } from "../../i18n/t.ts";
import { Icon } from "../../ui/icon.tsx";
import { insertText } from "../compose/compose-target.ts";
import { linkTo } from "../routing/links.ts";
import { placeName } from "../text/names.ts";
import type { Upload } from "./uploads.ts";

/** The files on their way, how far they are, and what failed. `hasPlaces`: also which texts they are for. */
export function UploadList(props: { uploads: readonly Upload[]; hasPlaces?: boolean }) {
  return (
    <Show when={props.uploads.length > 0}>
      <ul class="uploads" aria-label={t("upload.list")}>
        <For each={props.uploads.map(({ id }) => id)}>
          {(id) => (
            <Show when={props.uploads.find((upload) => upload.id === id)}>
              {(upload) => <UploadRow upload={upload()} hasPlace={props.hasPlaces ?? false} />}
            </Show>
          )}
        </For>
      </ul>
    </Show>
  );
}

function UploadRow(props: { upload: Upload; hasPlace: boolean }) {
  // In the box of its conversation, the file gets a place in the text again.
  const insertPlace = () => (props.hasPlace ? undefined : insertText);
  const insert = () => {
    insertText(props.upload.link ?? "");
    props.upload.cancel();
  };
  return (
    <li>
      <bdi>{props.upload.name}</bdi>
      <Show when={props.hasPlace}>
        <a href={linkTo(conversationNarrow(props.upload.to))}>{placeName(props.upload.to)}</a>
      </Show>
      <Show
        when={props.upload.problem}
        fallback={
          <Show
            when={props.upload.link !== undefined}
            fallback={
              <progress
                aria-label={t("upload.progress", { name: props.upload.name })}
                value={props.upload.sent}
              />
            }
          >
            <button type="button" class="quiet" onClick={insert}>
              {t("upload.insert")}
            </button>
          </Show>
        }
      >
        {(problem) => (
          <>
            <span class="problem" role="alert">
              {problem()}
            </span>
            <Show when={props.upload.tryAgain}>
              {(tryAgain) => (
                <button
                  type="button"
                  class="quiet"
                  aria-label={`${t("feed.tryAgain")}: ${props.upload.name}`}
                  onClick={() => tryAgain()(insertPlace())}
                >
                  {t("feed.tryAgain")}
                </button>
              )}
            </Show>
          </>
        )}
      </Show>
      <button
        type="button"
        class="square"
        aria-label={t(
          props.upload.problem === undefined && props.upload.link === undefined
            ? "upload.cancel"
            : "upload.dismiss",
          { name: props.upload.name },
        )}
        onClick={() => props.upload.cancel()}
      >
        <Icon name="close" />
      </button>
    </li>
  );
}
