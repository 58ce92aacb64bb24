import { createSignal, Show } from "solid-js";
import {
  addPasskey,
  getPasskeys,
  removePasskey,
  startPasskeyRegistration,
  updatePasskey,
} from "../../api/accounts/passkeys.ts";
import { getSecondSteps, removeTotp, renewRecoveryCodes } from "../../api/accounts/second-steps.ts";
import { MAX_PASSKEY_NAME_LENGTH } from "../../api/limits.ts";
import { t } from "../i18n/t.ts";
import { runWithProof } from "../shared/proof/proof.tsx";
import { state } from "../shared/state/state.ts";
import { shortTime } from "../shared/text/times.ts";
import { Keyed } from "../ui/keyed.tsx";
import { Problem } from "../ui/problem.tsx";
import { createSaving, GIVEN_UP, SavingNote } from "../ui/saving.tsx";
import { TextForm } from "../ui/text-form.tsx";
import { AppSetup } from "./app-setup.tsx";
import { createFetched } from "./fetched.ts";
import { Identities } from "./identities.tsx";
import { makePasskey, passkeysWork } from "./make-passkey.ts";
import { RecoveryCodes } from "./recovery-codes.tsx";

/** What one needs beside the password to sign in, and what can take its place. */
export function Security() {
  const steps = createFetched(() => state.connection.call(getSecondSteps, {}));
  const [codes, setCodes] = createSignal<readonly string[]>();
  const showCodes = (fresh: readonly string[] | undefined) => {
    if (fresh) setCodes(fresh);
    void steps.fetch();
  };
  return (
    <>
      <p class="hint">{t(steps.value()?.is_required ? "own.security.required" : "own.security.hint")}</p>
      <Problem text={steps.problem()} />
      <Show when={codes()}>
        {(fresh) => <RecoveryCodes codes={fresh()} onClose={() => setCodes(undefined)} />}
      </Show>
      <Show when={steps.value()}>
        {(now) => (
          <>
            <h3>{t("own.security.app")}</h3>
            <Show when={now().totp} fallback={<AppSetup onDone={showCodes} />}>
              <AppInUse onChange={() => void steps.fetch()} />
            </Show>
            <h3>{t("own.security.passkeys")}</h3>
            <Passkeys onChange={showCodes} />
            <Identities />
            <Show when={now().totp || now().passkeys > 0}>
              <h3>{t("own.security.codes")}</h3>
              <CodesLeft count={now().recovery_codes} onRenew={showCodes} />
            </Show>
          </>
        )}
      </Show>
    </>
  );
}

function AppInUse(props: { onChange(): void }) {
  const saving = createSaving();
  const remove = () =>
    runWithProof(saving, async (proof) => {
      await state.connection.call(removeTotp, proof);
      props.onChange();
    });
  return (
    <>
      <p class="hint">{t("own.security.appInUse")}</p>
      <button type="button" class="button dangerous" onClick={remove}>
        {t("own.security.removeApp")}
      </button>
      <SavingNote saving={saving} />
    </>
  );
}

function CodesLeft(props: { count: number; onRenew(codes: readonly string[]): void }) {
  const saving = createSaving();
  const renew = () =>
    runWithProof(saving, async (proof) => {
      const reply = await state.connection.call(renewRecoveryCodes, proof);
      props.onRenew(reply.recovery_codes);
    });
  return (
    <>
      <p class="hint">{t("own.security.codesLeft", { count: props.count })}</p>
      <button type="button" class="button" onClick={renew}>
        {t("own.security.newCodes")}
      </button>
      <SavingNote saving={saving} />
    </>
  );
}

function Passkeys(props: { onChange(codes: readonly string[] | undefined): void }) {
  const saving = createSaving();
  const passkeys = createFetched(async () => (await state.connection.call(getPasskeys, {})).passkeys);
  const add = () =>
    runWithProof(saving, async (proof) => {
      const { options } = await state.connection.call(startPasskeyRegistration, proof);
      const credential = await makePasskey(options);
      if (credential === undefined) return GIVEN_UP;
      const reply = await state.connection.call(addPasskey, { credential });
      await passkeys.fetch();
      return props.onChange(reply.recovery_codes);
    });
  const remove = (passkey_id: number) =>
    runWithProof(saving, async (proof) => {
      await state.connection.call(removePasskey, { passkey_id, ...proof });
      await passkeys.fetch();
      props.onChange(undefined);
    });
  const rename = async (passkey_id: number, name: string) => {
    await state.track(() => state.connection.call(updatePasskey, { passkey_id, name }));
    await passkeys.fetch();
  };
  return (
    <>
      <p class="hint">{t(passkeysWork() ? "own.security.passkeysHint" : "own.security.noPasskeys")}</p>
      <ul class="bots" aria-label={t("own.security.passkeys")}>
        <Keyed each={passkeys.value() ?? []} by={({ id }) => id}>
          {(one) => (
            <li>
              <details>
                <summary>
                  <span class="grows">
                    <bdi>{one().name}</bdi>
                    <span class="quiet-line">{lastUse(one())}</span>
                  </span>
                </summary>
                <div class="bot-details">
                  <TextForm
                    label={t("own.security.passkeyName")}
                    value={one().name}
                    maxLength={MAX_PASSKEY_NAME_LENGTH}
                    save={(name) => rename(one().id, name)}
                  />
                  <button type="button" class="button dangerous" onClick={() => remove(one().id)}>
                    {t("own.security.removePasskey")}
                  </button>
                </div>
              </details>
            </li>
          )}
        </Keyed>
      </ul>
      <Show when={passkeysWork()}>
        <p class="buttons">
          <button type="button" class="button" onClick={add}>
            {t("own.security.addPasskey")}
          </button>
        </p>
      </Show>
      <SavingNote saving={saving} />
    </>
  );
}

function lastUse({ created_at, last_used_at }: { created_at: number; last_used_at: number | null }): string {
  return last_used_at === null
    ? t("own.security.unused", { since: shortTime(created_at * 1000) })
    : t("own.security.used", { used: shortTime(last_used_at * 1000) });
}
