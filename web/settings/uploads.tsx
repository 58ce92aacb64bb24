import { createMemo, For, Show } from "solid-js";
import { deleteAttachment, getAttachments } from "../../api/content/uploads.ts";
import { hashOfNarrow } from "../../client/narrow-hash.ts";
import { t } from "../i18n/t.ts";
import { problemOf } from "../shared/state/problem-of.ts";
import { state } from "../shared/state/state.ts";
import { sizeText } from "../shared/text/sizes.ts";
import { shortTime } from "../shared/text/times.ts";
import { Confirm } from "../ui/confirm.tsx";
import { FilteredList } from "../ui/filtered-list.tsx";
import { Icon } from "../ui/icon.tsx";
import { live } from "../ui/live.ts";
import { openOverlay } from "../ui/overlay.ts";
import { Problem } from "../ui/problem.tsx";
import { createFetched } from "./fetched.ts";

const sources = ["uploads", "generation"];

interface Upload {
  id: number;
  name: string;
  path_id: string;
  size: number;
  create_time: number;
  messages: readonly { id: number }[];
}

/** The files that one has uploaded, and the messages that link them. */
export function Uploads() {
  const fetched = createFetched(fetchUploads);
  const files = live(sources, () =>
    [...state.model.uploads.byId.values()].sort((a, b) => b.create_time - a.create_time),
  );
  const ids = createMemo(() => files().map(({ id }) => id));
  const total = createMemo(() => files().reduce((sum, { size }) => sum + size, 0));
  return (
    <>
      <Problem text={fetched.problem()} />
      <Show when={fetched.value()}>
        <p class="hint">{t("own.uploads.sum", { count: files().length, size: sizeText(total()) })}</p>
        <FilteredList
          label={t("own.uploads")}
          items={ids()}
          empty={t("own.uploads.empty")}
          textOf={(id) => state.model.uploads.byId.get(id)?.name ?? ""}
          draw={(id) => <OneUpload id={id} />}
        />
      </Show>
    </>
  );
}

/** Asks again if an event has come meanwhile, which the answer may not know of, or another model. */
async function fetchUploads(): Promise<true> {
  for (;;) {
    const { uploads } = state.model;
    const { changes } = uploads;
    const reply = await state.connection.call(getAttachments, {});
    if (state.model.uploads !== uploads || uploads.changes !== changes) continue;
    uploads.fetched(reply);
    state.changes.note("uploads");
    state.changes.flush();
    return true;
  }
}

function OneUpload(props: { id: number }) {
  const file = live(sources, () => state.model.uploads.byId.get(props.id));
  return <Show when={file()}>{(one) => <UploadRow file={one()} />}</Show>;
}

function UploadRow(props: { file: Upload }) {
  const remove = () =>
    openOverlay((close) => (
      <Confirm
        title={t("own.uploads.deleteTitle", { name: props.file.name })}
        text={t("own.uploads.deleteText")}
        action={t("delete.action")}
        run={() => problemOf(() => state.connection.call(deleteAttachment, { attachment_id: props.file.id }))}
        onClose={close}
      />
    ));
  return (
    <>
      <span class="grows">
        <a href={`/user_uploads/${props.file.path_id}`} target="_blank" rel="noopener">
          <bdi>{props.file.name}</bdi>
        </a>
        <span class="quiet-line">
          {sizeText(props.file.size)} · {shortTime(props.file.create_time)}
          <For each={props.file.messages.slice(-3)}>
            {({ id }, index) => (
              <>
                {" · "}
                <a href={hashOfNarrow({ narrow: [{ operator: "id", operand: id }], near: id })}>
                  {t("own.uploads.message", { number: index() + 1 })}
                </a>
              </>
            )}
          </For>
        </span>
      </span>
      <button
        type="button"
        class="square"
        aria-label={t("own.uploads.delete", { name: props.file.name })}
        onClick={remove}
      >
        <Icon name="trash" />
      </button>
    </>
  );
}
