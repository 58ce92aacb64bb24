import { Show } from "solid-js";
import { getIdentities, removeIdentity } from "../../api/accounts/providers.ts";
import { t } from "../i18n/t.ts";
import { runWithProof } from "../shared/proof/proof.tsx";
import { state } from "../shared/state/state.ts";
import { shortTime } from "../shared/text/times.ts";
import { Keyed } from "../ui/keyed.tsx";
import { Problem } from "../ui/problem.tsx";
import { createSaving, SavingNote } from "../ui/saving.tsx";
import { createFetched } from "./fetched.ts";

/** The accounts at sign-in providers that sign the viewer in. Most people have none. */
export function Identities() {
  const saving = createSaving();
  const identities = createFetched(async () => (await state.connection.call(getIdentities, {})).identities);
  const remove = (identity_id: number) =>
    runWithProof(saving, async (proof) => {
      await state.connection.call(removeIdentity, { identity_id, ...proof });
      await identities.fetch();
    });
  return (
    <>
      <Problem text={identities.problem()} />
      <Show when={(identities.value() ?? []).length > 0}>
        <h3>{t("own.security.identities")}</h3>
        <p class="hint">{t("own.security.identitiesHint")}</p>
        <ul class="bots" aria-label={t("own.security.identities")}>
          <Keyed each={identities.value() ?? []} by={({ id }) => id}>
            {(one) => (
              <li>
                <span class="grows">
                  <bdi>{one().provider_name}</bdi>
                  <span class="quiet-line">
                    {t("own.security.identityUsed", {
                      since: shortTime(one().connected_at * 1000),
                      used: shortTime(one().last_used_at * 1000),
                    })}
                  </span>
                </span>
                <button type="button" class="button dangerous" onClick={() => remove(one().id)}>
                  {t("own.security.removeIdentity")}
                </button>
              </li>
            )}
          </Keyed>
        </ul>
      </Show>
      <SavingNote saving={saving} />
    </>
  );
}
