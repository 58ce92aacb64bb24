import { createSignal, Show } from "solid-js";
import { confirmTotp, startTotp } from "../../api/accounts/second-steps.ts";
import { lazyPart } from "../i18n/lazy-part.ts";
import { t } from "../i18n/t.ts";
import { runWithProof } from "../shared/proof/proof.tsx";
import { state } from "../shared/state/state.ts";
import { TextField } from "../ui/fields.tsx";
import { createSaving, SavingNote } from "../ui/saving.tsx";
import { Secret } from "./secret.tsx";

const QrCode = lazyPart(async () => (await import("./qr-code.tsx")).QrCode);

/** A code of the app proves that it has the secret. */
export function AppSetup(props: { onDone(codes: readonly string[]): void }) {
  const saving = createSaving();
  const [started, setStarted] = createSignal<{ secret: string; uri: string }>();
  const [code, setCode] = createSignal("");
  const start = () =>
    runWithProof(saving, async (proof) => setStarted(await state.connection.call(startTotp, proof)));
  const confirm = (event: SubmitEvent) => {
    event.preventDefault();
    void saving.runOnce(async () => {
      const parameters = { code: code().trim() };
      const reply = await state.track(() => state.connection.call(confirmTotp, parameters));
      props.onDone(reply.recovery_codes);
    });
  };
  return (
    <Show
      when={started()}
      fallback={
        <>
          <p class="hint">{t("own.security.appHint")}</p>
          <button type="button" class="button" onClick={start}>
            {t("own.security.setUpApp")}
          </button>
          <SavingNote saving={saving} />
        </>
      }
    >
      {(now) => (
        <form class="note-box" onSubmit={confirm}>
          <p>{t("own.security.scan")}</p>
          <QrCode text={now().uri} />
          <Secret label={t("own.security.secret")} value={now().secret} />
          <TextField
            label={t("own.security.firstCode")}
            autocomplete="one-time-code"
            value={code()}
            problem={saving.problem()}
            onInput={setCode}
          />
          <p class="buttons">
            <button type="submit" class="button primary" disabled={code().trim() === ""}>
              {t("own.security.finishApp")}
            </button>
            <button type="button" class="button" onClick={() => setStarted(undefined)}>
              {t("dialog.cancel")}
            </button>
          </p>
        </form>
      )}
    </Show>
  );
}
