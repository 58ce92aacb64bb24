/**
 * Changes of how one signs in need a fresh proof of who asks. They are tried without one first: a session may
 * have shown it a moment ago.
 */
import { createSignal } from "solid-js";
import { CallError } from "../../client/call-error.ts";
import { t } from "../i18n/t.ts";
import { state } from "../shared/state/state.ts";
import { Dialog } from "../ui/dialog.tsx";
import { TextField } from "../ui/fields.tsx";
import { openOverlay } from "../ui/overlay.ts";
import { createSaving, GIVEN_UP, type Saving, SavingNote } from "../ui/saving.tsx";

export interface Proof {
  password?: string;
  code?: string;
}

const RECENT_PROOF_REQUIRED = "RECENT_PROOF_REQUIRED";

/** `saving`: of the place from which the change was asked for. `change` may give `GIVEN_UP`. */
export function runWithProof(saving: Saving, change: (proof: Proof) => Promise<unknown>): void {
  const noteSaved = () => void saving.run(async () => {});
  void saving.run(async () => {
    try {
      return await state.track(() => change({}));
    } catch (error) {
      if (!needsProof(error)) throw error;
      openOverlay((close) => <ProofDialog change={change} onSaved={noteSaved} onClose={close} />);
      return GIVEN_UP;
    }
  });
}

function needsProof(error: unknown): boolean {
  if (!(error instanceof CallError) || error.failure.kind !== "api") return false;
  return error.failure.code === RECENT_PROOF_REQUIRED;
}

interface ProofProps {
  change(proof: Proof): Promise<unknown>;
  onSaved(): void;
  onClose(): void;
}

function ProofDialog(props: ProofProps) {
  const saving = createSaving();
  const [password, setPassword] = createSignal("");
  const [code, setCode] = createSignal("");
  async function submit(event: SubmitEvent): Promise<void> {
    event.preventDefault();
    const proof = password() === "" ? { code: code().trim() } : { password: password() };
    if (!(await saving.runOnce(() => state.track(() => props.change(proof))))) return;
    props.onSaved();
    props.onClose();
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
