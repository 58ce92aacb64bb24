/** A copy of one's own data, as a file. */
import { createEffect, onCleanup, Show } from "solid-js";
import {
  createOwnDataCopy,
  deleteOwnDataCopy,
  getOwnDataCopy,
  getOwnDataLink,
  type OwnDataCopyRecord,
} from "../../api/administration/own-data.ts";
import { EXPORT_FILE_DAYS } from "../../api/limits.ts";
import { t } from "../i18n/t.ts";
import { runWithProof } from "../shared/proof/proof.tsx";
import { state } from "../shared/state/state.ts";
import { shortTime } from "../shared/text/times.ts";
import { Problem } from "../ui/problem.tsx";
import { createSaving, SavingNote } from "../ui/saving.tsx";
import { createFetched } from "./fetched.ts";

/** No event brings the progress, so it is asked for while somebody looks. */
const LOOK_MS = 3000;

export function OwnData() {
  const saving = createSaving();
  const fetched = createFetched(async () => state.connection.call(getOwnDataCopy, {}));
  const copy = () => fetched.value()?.copy ?? undefined;
  const isPending = () => copy()?.status === "pending";
  createEffect(() => {
    if (!isPending()) return;
    const timer = setInterval(() => {
      if (document.visibilityState === "visible") void fetched.fetch();
    }, LOOK_MS);
    onCleanup(() => clearInterval(timer));
  });
  const begin = () =>
    runWithProof(saving, async (proof) => {
      await state.connection.call(createOwnDataCopy, proof);
      await fetched.fetch();
    });
  const download = () =>
    runWithProof(saving, async (proof) => {
      const { export_url } = await state.connection.call(getOwnDataLink, proof);
      location.assign(export_url);
    });
  const remove = () =>
    void saving.runOnce(async () => {
      await state.track(() => state.connection.call(deleteOwnDataCopy, {}));
      await fetched.fetch();
    });
  return (
    <>
      <p class="hint">{t("own.data.hint", { days: EXPORT_FILE_DAYS })}</p>
      <Problem text={fetched.problem()} />
      <Show when={fetched.value()}>
        <p role="status">{stateOf(copy())}</p>
        <p class="buttons">
          <Show when={copy()?.status === "done"}>
            <button type="button" class="button primary" onClick={download}>
              {t("own.data.download")}
            </button>
            <button type="button" class="button" onClick={remove}>
              {t("own.data.delete")}
            </button>
          </Show>
          <button type="button" class="button" disabled={isPending()} onClick={begin}>
            {t("own.data.begin")}
          </button>
        </p>
        <SavingNote saving={saving} />
      </Show>
    </>
  );
}

function stateOf(copy: OwnDataCopyRecord | undefined): string {
  if (!copy) return t("own.data.none");
  const time = shortTime(copy.requested_at * 1000);
  if (copy.status === "pending") return t("own.data.pending", { percent: copy.progress });
  if (copy.status === "failed") return t("own.data.failed", { time, reason: copy.failure_reason ?? "" });
  if (copy.status === "deleted") return t("own.data.deleted", { time });
  return t("own.data.done", { time, until: shortTime((copy.expires_at ?? 0) * 1000) });
}
