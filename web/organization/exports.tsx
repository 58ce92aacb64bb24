/** Files with the organization's data. */
import { Show } from "solid-js";
import {
  createExport,
  deleteExport,
  type ExportType,
  exportTypes,
  getExportConsents,
  getExportLink,
  getExports,
} from "../../api/administration/exports.ts";
import { EXPORT_FILE_DAYS } from "../../api/limits.ts";
import { t } from "../i18n/t.ts";
import { ProofNotGiven } from "../shared/proof/proof.tsx";
import { state } from "../shared/state/state.ts";
import { nameOf } from "../shared/text/names.ts";
import { shortTime } from "../shared/text/times.ts";
import { Keyed } from "../ui/keyed.tsx";
import { live } from "../ui/live.ts";
import { reportFailure } from "../ui/notice.ts";
import { createSaving, SavingNote } from "../ui/saving.tsx";
import { call } from "./calls.ts";
import { ask } from "./controls/ask.ts";
import { createFetched, WhenFetched } from "./controls/fetched.tsx";
import { RowButton, RowText } from "./controls/rows.tsx";

type ExportRecord = NonNullable<typeof state.model.exports.list>[number];

export function Exports() {
  const saving = createSaving();
  const generation = live("generation", () => state.generation);
  const fetched = createFetched(async () => {
    const [{ exports }, { export_consents }] = await Promise.all([
      call(getExports, {}),
      call(getExportConsents, {}),
    ]);
    state.model.exports.fetched(exports);
    return { exports, consents: new Map(export_consents.map((one) => [one.user_id, one.consented])) };
  }, generation);
  // Events bring the whole list, and single consents.
  const all = live(["exports", "generation"], () => state.model.exports.list);
  const changed = live(["exports", "generation"], () => [...state.model.exports.consents]);
  const start = (type: ExportType) => void saving.runOnce(() => call(createExport, { export_type: type }));
  return (
    <>
      <p class="about">{t("exports.about", { days: EXPORT_FILE_DAYS })}</p>
      <WhenFetched fetched={fetched}>
        {(answer) => {
          const consents = () => [...new Map([...answer().consents, ...changed()]).values()];
          const agreed = () => consents().filter((one) => one).length;
          return (
            <>
              <p class="about">{t("exports.consents", { count: agreed(), all: consents().length })}</p>
              <p class="section-actions">
                <button type="button" class="button primary" onClick={() => start(exportTypes.public)}>
                  {t("exports.startPublic")}
                </button>
                <button type="button" class="button" onClick={() => start(exportTypes.fullWithConsent)}>
                  {t("exports.startFull")}
                </button>
              </p>
              <SavingNote saving={saving} />
              <ExportList all={[...(all() ?? answer().exports)].reverse()} />
            </>
          );
        }}
      </WhenFetched>
    </>
  );
}

function ExportList(props: { all: readonly ExportRecord[] }) {
  return (
    <Show when={props.all.length > 0} fallback={<p class="nothing">{t("exports.none")}</p>}>
      <ul class="plain-list" aria-label={t("exports.title")}>
        <Keyed each={props.all} by={({ id }) => id}>
          {(file) => (
            <li class="list-row">
              <RowText
                name={t(file().export_type === exportTypes.public ? "exports.public" : "exports.full")}
                about={`${shortTime(file().export_time * 1000)} · ${nameOf(file().acting_user_id)} · ${stateOf(file())}`}
              />
              <Show when={hasFile(file())}>
                <RowButton
                  icon="download"
                  label={t("exports.download")}
                  run={() => void download(file().id)}
                />
                <RowButton icon="trash" label={t("exports.remove")} run={() => askToRemove(file().id)} />
              </Show>
            </li>
          )}
        </Keyed>
      </ul>
    </Show>
  );
}

function hasFile({ pending, failed_timestamp, deleted_timestamp }: ExportRecord): boolean {
  return !pending && failed_timestamp === null && deleted_timestamp === null;
}

/** A session gets the link to a file by a proof, and not with the list. */
async function download(export_id: number): Promise<void> {
  await reportFailure(async () => {
    try {
      const { export_url } = await call(getExportLink, { export_id });
      location.assign(export_url);
    } catch (error) {
      if (!(error instanceof ProofNotGiven)) throw error;
    }
  });
}

function stateOf({ pending, progress, failed_timestamp, deleted_timestamp, failure_reason }: ExportRecord) {
  if (pending) return t("exports.pending", { percent: progress });
  if (failed_timestamp !== null) return t("exports.failed", { reason: failure_reason ?? "" });
  return t(deleted_timestamp !== null ? "exports.deleted" : "exports.done");
}

function askToRemove(id: number): void {
  ask({
    title: t("exports.remove"),
    text: t("exports.removeText"),
    action: t("organization.deleteAction"),
    run: () => call(deleteExport, { export_id: id }),
  });
}
