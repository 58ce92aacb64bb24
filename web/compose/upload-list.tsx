import { For, Show } from "solid-js";
import { t } from "../i18n/t.ts";
import { Icon } from "../ui/icon.tsx";
import type { Upload } from "./uploads.ts";

/** The files on their way, how far they are, and what failed. */
export function UploadList(props: { uploads: readonly Upload[] }) {
  return (
    <Show when={props.uploads.length > 0}>
      <ul class="uploads" aria-label={t("upload.list")}>
        <For each={props.uploads.map(({ id }) => id)}>
          {(id) => (
            <Show when={props.uploads.find((one) => one.id === id)}>
              {(upload) => <UploadRow upload={upload()} />}
            </Show>
          )}
        </For>
      </ul>
    </Show>
  );
}

function UploadRow(props: { upload: Upload }) {
  return (
    <li>
      <bdi>{props.upload.name}</bdi>
      <Show
        when={props.upload.problem}
        fallback={
          <progress
            aria-label={t("upload.progress", { name: props.upload.name })}
            value={props.upload.sent}
          />
        }
      >
        {(problem) => (
          <span class="problem" role="alert">
            {problem()}
          </span>
        )}
      </Show>
      <button
        type="button"
        class="square"
        aria-label={t(props.upload.problem === undefined ? "upload.cancel" : "upload.dismiss", {
          name: props.upload.name,
        })}
        onClick={() => props.upload.cancel()}
      >
        <Icon name="close" />
      </button>
    </li>
  );
}
