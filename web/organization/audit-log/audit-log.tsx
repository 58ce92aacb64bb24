/** What was changed in the organization, and by whom. */

import { createEffect, createSignal, For, Show } from "solid-js";
import { type auditTargets, getAuditLog } from "../../../api/administration/audit-log.ts";
import { CallError } from "../../../client/call-error.ts";
import { t } from "../../i18n/t.ts";
import { PickField } from "../../shared/groups/pick-field.tsx";
import { findPicked, type Picked } from "../../shared/groups/picked.ts";
import { whenBack } from "../../shared/state/when-back.ts";
import { shortTime } from "../../shared/text/times.ts";
import { Select } from "../../ui/fields.tsx";
import { Problem } from "../../ui/problem.tsx";
import { call } from "../calls.ts";
import { type AuditEntry, changesOf, sentenceOf, targetName, targetNames } from "./audit-entry.ts";

type Target = keyof typeof auditTargets | "";

export function AuditLog() {
  const [target, setTarget] = createSignal<Target>("");
  const [actor, setActor] = createSignal<number>();
  const [entries, setEntries] = createSignal<readonly AuditEntry[]>();
  const [isComplete, setComplete] = createSignal(false);
  const [problem, setProblem] = createSignal<string>();
  let wanted = 0;
  /** Behind which entries the next ones go, after a failure: none of those that another filter gave. */
  let kept: readonly AuditEntry[] = [];
  const load = async (known: readonly AuditEntry[]) => {
    const mine = ++wanted;
    kept = known;
    const last = known.at(-1);
    const [type, who] = [target(), actor()];
    const parameters = {
      ...(last && { before_id: last.id }),
      ...(type !== "" && { target_type: type }),
      ...(who !== undefined && { actor_id: who }),
    };
    try {
      const page = await call(getAuditLog, parameters);
      if (mine !== wanted) return;
      kept = [...known, ...page.entries];
      setEntries(kept);
      setComplete(page.found_oldest);
      setProblem(undefined);
    } catch (error) {
      if (!(error instanceof CallError)) throw error;
      if (mine === wanted) setProblem(error.message);
    }
  };
  createEffect(() => void load([]));
  whenBack(() => problem() !== undefined && void load(kept));
  const chosen = (): Picked[] => {
    const id = actor();
    return id === undefined ? [] : [{ kind: "person", id }];
  };
  return (
    <>
      <p class="about">{t("audit.about")}</p>
      <div class="filters">
        <Select
          label={t("audit.kind")}
          value={target()}
          options={[
            { value: "", label: t("audit.everything") },
            ...targetNames.map((value) => ({ value, label: targetName(value) })),
          ]}
          onChange={setTarget}
        />
        <PickField
          label={t("audit.actor")}
          placeholder={t("audit.anybody")}
          chosen={chosen()}
          find={(text) => findPicked(text, {})}
          onChange={(picked) => setActor(picked.at(-1)?.id)}
        />
      </div>
      <Show when={entries()}>
        {(all) => (
          <Show when={all().length > 0} fallback={<p class="nothing">{t("audit.none")}</p>}>
            <ol class="plain-list audit" aria-label={t("audit.title")}>
              <For each={all()}>{(entry) => <Entry entry={entry} />}</For>
            </ol>
          </Show>
        )}
      </Show>
      <Problem text={problem()} />
      <Show when={problem() !== undefined || (entries() !== undefined && !isComplete())}>
        <p class="section-actions">
          <button type="button" class="button" onClick={() => void load(kept)}>
            {t(problem() === undefined ? "audit.more" : "feed.tryAgain")}
          </button>
        </p>
      </Show>
    </>
  );
}

function Entry(props: { entry: AuditEntry }) {
  const { entry } = props;
  return (
    <li class="list-row">
      <div class="row-text">
        <span class="row-name">{sentenceOf(entry)}</span>
        <For each={changesOf(entry)}>
          {(change) => (
            <span class="row-about audit-change">
              <Show when={change.isNamed} fallback={<code>{change.field}</code>}>
                {change.field}
              </Show>
              : <del dir="auto">{change.old}</del> <ins dir="auto">{change.new}</ins>
            </span>
          )}
        </For>
        <span class="row-about">
          <time dateTime={new Date(entry.at * 1000).toISOString()}>{shortTime(entry.at * 1000)}</time>
          <Show when={entry.client}>
            {(client) => (
              <>
                {" "}
                · <bdi>{client()}</bdi>
              </>
            )}
          </Show>
        </span>
      </div>
    </li>
  );
}
