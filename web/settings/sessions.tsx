import { Show } from "solid-js";
import { endSessionById, getSessions } from "../../api/accounts/sessions.ts";
import { t } from "../i18n/t.ts";
import { signOut } from "../shared/page/sign-out.ts";
import { state } from "../shared/state/state.ts";
import { shortTime } from "../shared/text/times.ts";
import { Keyed } from "../ui/keyed.tsx";
import { Problem } from "../ui/problem.tsx";
import { createSaving, SavingNote } from "../ui/saving.tsx";
import { createFetched } from "./fetched.ts";

/** The browsers in which one is signed in. */
export function Sessions() {
  const saving = createSaving();
  const sessions = createFetched(async () => (await state.connection.call(getSessions, {})).sessions);
  const others = () => (sessions.value() ?? []).filter((one) => !one.is_current);
  const end = (ids: readonly number[]) =>
    void saving.run(async () => {
      try {
        for (const session_id of ids)
          await state.track(() => state.connection.call(endSessionById, { session_id }));
      } finally {
        await sessions.fetch();
      }
    });
  return (
    <>
      <p class="hint">{t("own.sessions.hint")}</p>
      <Problem text={sessions.problem()} />
      <ul class="rows" aria-label={t("own.sessions")}>
        <Keyed each={sessions.value() ?? []} by={({ id }) => id}>
          {(one) => (
            <li>
              <div class="grows">
                <p>
                  <bdi>{one().device}</bdi>
                  <Show when={one().is_current}>
                    <span class="tag">{t("own.sessions.current")}</span>
                  </Show>
                </p>
                <p class="quiet-line">
                  {t("own.sessions.used", {
                    network: one().network,
                    used: shortTime(one().last_used_at * 1000),
                    since: shortTime(one().created_at * 1000),
                  })}
                </p>
              </div>
              <button
                type="button"
                class="button"
                onClick={() => (one().is_current ? void signOut() : end([one().id]))}
              >
                {t(one().is_current ? "own.sessions.signOut" : "own.sessions.end")}
                <Show when={!one().is_current}>
                  <bdi class="sr">: {one().device}</bdi>
                </Show>
              </button>
            </li>
          )}
        </Keyed>
      </ul>
      <Show when={others().length > 0}>
        <p class="buttons">
          <button type="button" class="button dangerous" onClick={() => end(others().map(({ id }) => id))}>
            {t("own.sessions.endOthers")}
          </button>
        </p>
      </Show>
      <SavingNote saving={saving} />
    </>
  );
}
