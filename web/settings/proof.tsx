/**
 * Changes of how one signs in need a fresh proof of who asks. They are tried without one first: a session may
 * have shown it a moment ago.
 */
import { createSignal } from "solid-js";
import { CallError } from "../../client/call-error.ts";
import { state } from "../app/state/state.ts";
import { t } from "../i18n/t.ts";
import { Dialog } from "../ui/dialog.tsx";
import { TextField } from "../ui/fields.tsx";
import { openOverlay } from "../ui/overlay.ts";
import { createSaving, type Saving, SavingNote } from "../ui/saving.tsx";

export interface Proof {
  password?: string;
  code?: string;
}

const RECENT_PROOF_REQUIRED = "RECENT_PROOF_REQUIRED";

/** `saving`: of the place from which the change was asked for. */
export function runWithProof(saving: Saving, change: (proof: Proof) => Promise<unknown>): void {
  void saving.run(async () => {
    try {
      await state.track(() => change({}));
    } catch (error) {
      if (!needsProof(error)) throw error;
      openOverlay((close) => <ProofDialog change={change} onClose={close} />);
    }
  });
}

function needsProof(error: unknown): boolean {
  if (!(error instanceof CallError) || error.failure.kind !== "api") return false;
  return error.failure.code === RECENT_PROOF_REQUIRED;
}

function ProofDialog(props: { change(proof: Proof): Promise<unknown>; onClose(): void }) {
  const saving = createSaving();
  const [password, setPassword] = createSignal("");
  const [code, setCode] = createSignal("");
  async function submit(event: SubmitEvent): Promise<void> {
    event.preventDefault();
    const proof = password() === "" ? { code: code().trim() } : { password: password() };
    if (await saving.run(() => state.track(() => props.change(proof)))) props.onClose();
  }
  return (
    <Dialog label={t("own.proof.title")} class="confirm" onClose={() => props.onClose()}>
      <h2>{t("own.proof.title")}</h2>
      <form onSubmit={(event) => void submit(event)}>
        <p class="hint">{t("own.proof.hint")}</p>
        <TextField
          label={t("own.account.yourPassword")}
          type="password"
          autocomplete="current-password"
          value={password()}
          onInput={setPassword}
        />
        <TextField
          label={t("own.proof.code")}
          autocomplete="one-time-code"
          value={code()}
          onInput={setCode}
        />
        <SavingNote saving={saving} />
        <p class="buttons">
          <button type="button" class="button" onClick={() => props.onClose()}>
            {t("dialog.cancel")}
          </button>
          <button type="submit" class="button primary" disabled={password() === "" && code().trim() === ""}>
            {t("own.proof.continue")}
          </button>
        </p>
      </form>
    </Dialog>
  );
}
