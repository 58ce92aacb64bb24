/**
 * Some changes need a fresh proof of who asks. They are tried without one first: a session may have shown it
 * a moment ago. What counts depends on the account, and the server's answer names it.
 */
import { createSignal, onCleanup, Show } from "solid-js";
import { CallError } from "../../../client/call-error.ts";
import { t } from "../../i18n/t.ts";
import { Dialog } from "../../ui/dialog.tsx";
import { TextField } from "../../ui/fields.tsx";
import { openQuestion } from "../../ui/overlay.ts";
import { createSaving, GIVEN_UP, type Saving, SavingNote } from "../../ui/saving.tsx";
import { state } from "../state/state.ts";

export interface Proof {
  password?: string;
  code?: string;
}

const RECENT_PROOF_REQUIRED = "RECENT_PROOF_REQUIRED";
const codeKinds = ["totp", "recovery_code"];
/** These are shown by signing in again, after which the session is fresh. */
const signInKinds = ["passkey", "provider"];

/** `saving`: of the place from which the change was asked for. `change` may give `GIVEN_UP`. */
export function runWithProof(saving: Saving, change: (proof: Proof) => Promise<unknown>): void {
  void saving.run(async () => {
    try {
      return await withProof(change);
    } catch (error) {
      if (error instanceof ProofNotGiven) return GIVEN_UP;
      throw error;
    }
  });
}

/** The person was asked who they are, and went away. Places that show why a call failed show what it said. */
export class ProofNotGiven extends CallError {
  constructor({ endpoint, failure, message }: CallError) {
    super(endpoint, failure, message);
  }
}

/** Gives what the change gives. Throws `ProofNotGiven`, and what the change throws. */
export async function withProof<T>(change: (proof: Proof) => Promise<T>): Promise<T> {
  try {
    return await state.track(() => change({}));
  } catch (error) {
    const kinds = kindsOfProof(error);
    if (!kinds) throw error;
    return new Promise((resolve, reject) => {
      const changeNow = async (proof: Proof) => resolve(await change(proof));
      openQuestion((close) => {
        // After a success this changes nothing.
        onCleanup(() => reject(new ProofNotGiven(error as CallError)));
        return <ProofDialog kinds={kinds} change={changeNow} onClose={close} />;
      });
    });
  }
}

/**
 * By what the person can show who they are. undefined: nothing was asked, or they have nothing to show, and
 * the error says what to do.
 */
function kindsOfProof(error: unknown): readonly string[] | undefined {
  if (!(error instanceof CallError) || error.failure.kind !== "api") return undefined;
  const { code, fields } = error.failure;
  if (code !== RECENT_PROOF_REQUIRED || !Array.isArray(fields.kinds)) return undefined;
  return fields.kinds.length > 0 ? fields.kinds : undefined;
}

interface ProofProps {
  kinds: readonly string[];
  change(proof: Proof): Promise<unknown>;
  onClose(): void;
}

function ProofDialog(props: ProofProps) {
  const saving = createSaving();
  const [password, setPassword] = createSignal("");
  const [code, setCode] = createSignal("");
  const has = (kinds: readonly string[]) => props.kinds.some((kind) => kinds.includes(kind));
  const takesPassword = has(["password"]);
  const takesCode = has(codeKinds);
  async function submit(event: SubmitEvent): Promise<void> {
    event.preventDefault();
    const proof = password() === "" ? { code: code().trim() } : { password: password() };
    const change = () => state.track(() => props.change(proof)).catch(inOwnWords);
    if (!(await saving.runOnce(change))) return;
    props.onClose();
  }
  return (
    <Dialog label={t("own.proof.title")} class="confirm" onClose={() => props.onClose()}>
      <h2>{t("own.proof.title")}</h2>
      <form onSubmit={(event) => void submit(event)}>
        <Show when={takesPassword}>
          <p class="hint">{t("own.proof.passwordHint")}</p>
          <TextField
            label={t("own.account.yourPassword")}
            type="password"
            autocomplete="current-password"
            autofocus
            value={password()}
            onInput={setPassword}
          />
        </Show>
        <Show when={takesCode}>
          <p class="hint">{t("own.proof.codeHint")}</p>
          <TextField
            label={t("own.proof.code")}
            autocomplete="one-time-code"
            autofocus={!takesPassword}
            value={code()}
            onInput={setCode}
          />
        </Show>
        <Show when={has(signInKinds)}>
          <p class="hint">
            {t(has(["passkey"]) ? "own.proof.passkeyHint" : "own.proof.providerHint")}{" "}
            <a href={signInAgain()}>{t("own.proof.signIn")}</a>
          </p>
        </Show>
        <SavingNote saving={saving} />
        <p class="buttons">
          <button type="button" class="button" onClick={() => props.onClose()}>
            {t("dialog.cancel")}
          </button>
          <Show when={takesPassword || takesCode}>
            <button type="submit" class="button primary" disabled={password() === "" && code().trim() === ""}>
              {t("own.proof.continue")}
            </button>
          </Show>
        </p>
      </form>
    </Dialog>
  );
}

/** What is wrong with a proof, in the person's language. All else is said as the server says it. */
function inOwnWords(error: unknown): never {
  if (error instanceof CallError && error.failure.kind === "api") {
    const { code } = error.failure;
    const words =
      code === "SECOND_STEP_WRONG"
        ? t("own.proof.wrongCode")
        : // This error has the code of many others.
          error.message === "Wrong password!" && t("own.proof.wrongPassword");
    if (words) throw new CallError(error.endpoint, error.failure, words);
  }
  throw error;
}

/** The way back leads here. A new session takes the place of the present one. */
function signInAgain(): string {
  return `/login?again&next=${encodeURIComponent(location.pathname + location.hash)}`;
}
