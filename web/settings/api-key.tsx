import { createEffect, createSignal, on, onCleanup, Show } from "solid-js";
import { fetchApiKey, regenerateApiKey } from "../../api/accounts/sign-in.ts";
import { getOwnUser } from "../../api/people/users.ts";
import { CallError } from "../../client/call-error.ts";
import { Connection } from "../../client/connection.ts";
import { t } from "../i18n/t.ts";
import { problemOf } from "../shared/state/problem-of.ts";
import { state } from "../shared/state/state.ts";
import { Confirm } from "../ui/confirm.tsx";
import { TextField } from "../ui/fields.tsx";
import { openOverlay } from "../ui/overlay.ts";
import { createSaving } from "../ui/saving.tsx";
import { Secret } from "./secret.tsx";
import { viewerSignal } from "./viewer.ts";

const LOOK_MS = 20_000;

/** A session can't read the key, so the password is asked for. `passwords`: as for `createShownKey`. */
export function ApiKey(props: { passwords: number }) {
  const saving = createSaving();
  const viewer = viewerSignal();
  const [password, setPassword] = createSignal("");
  const [code, setCode] = createSignal("");
  const [needsCode, setNeedsCode] = createSignal(false);
  const email = () => viewer()?.deliveryEmail ?? viewer()?.email ?? "";
  const connectionWith = (apiKey: string) =>
    new Connection({ site: "", credentials: { email: email(), apiKey } });
  const { key, setKey, isReplaced } = createShownKey(connectionWith, () => props.passwords);
  async function show(event: SubmitEvent): Promise<void> {
    event.preventDefault();
    await saving.runOnce(async () => {
      const step = needsCode() ? { code: code().trim() } : {};
      const parameters = { username: email(), password: password(), ...step };
      try {
        const reply = await state.track(() => state.connection.call(fetchApiKey, parameters));
        setKey(reply.api_key);
        setPassword("");
        setCode("");
      } catch (error) {
        if (asksForCode(error)) setNeedsCode(true);
        throw error;
      }
    });
  }
  const renew = async () => {
    const reply = await connectionWith(key() ?? "").call(regenerateApiKey, {});
    setKey(reply.api_key);
  };
  const askToRenew = () =>
    openOverlay((close) => (
      <Confirm
        title={t("own.account.renewTitle")}
        text={t("own.account.renewText")}
        action={t("own.account.renew")}
        run={() => problemOf(renew)}
        onClose={close}
      />
    ));
  return (
    <Show
      when={key()}
      fallback={
        <form onSubmit={(event) => void show(event)}>
          <p class="hint">{t("own.account.apiKeyHint")}</p>
          <Show when={isReplaced()}>
            <p class="hint" role="status">
              {t("bots.keyReplaced")}
            </p>
          </Show>
          <TextField
            label={t("own.account.yourPassword")}
            type="password"
            autocomplete="current-password"
            value={password()}
            problem={saving.problem()}
            onInput={setPassword}
          />
          <Show when={needsCode()}>
            <TextField
              label={t("own.proof.code")}
              autocomplete="one-time-code"
              value={code()}
              onInput={setCode}
            />
          </Show>
          <button type="submit" class="button" disabled={password() === ""}>
            {t("own.account.showKey")}
          </button>
        </form>
      }
    >
      {(shown) => (
        <>
          <Secret label={t("own.account.apiKey")} value={shown()} />
          <p class="buttons">
            <button type="button" class="button" onClick={askToRenew}>
              {t("own.account.renew")}
            </button>
            <button type="button" class="button" onClick={() => setKey(undefined)}>
              {t("own.account.hideKey")}
            </button>
          </p>
        </>
      )}
    </Show>
  );
}

/**
 * The key that is shown. No event tells that it was replaced. So it is tried now and then, and forgotten once
 * it no longer works. `passwords`: how often the password was changed here, by which the key may have been
 * replaced.
 */
function createShownKey(connectionWith: (apiKey: string) => Connection, passwords: () => number) {
  const [key, setKey] = createSignal<string>();
  const [isReplaced, setReplaced] = createSignal(false);
  const look = async () => {
    const shown = key();
    if (shown === undefined || document.hidden || !(await isRefused(connectionWith(shown)))) return;
    // Meanwhile the key may have been replaced here.
    if (key() !== shown) return;
    setKey(undefined);
    setReplaced(true);
  };
  const onLook = () => void look();
  createEffect(() => {
    if (key() === undefined) return;
    setReplaced(false);
    const timer = setInterval(onLook, LOOK_MS);
    addEventListener("focus", onLook);
    onCleanup(() => {
      clearInterval(timer);
      removeEventListener("focus", onLook);
    });
  });
  createEffect(on(passwords, onLook, { defer: true }));
  return { key, setKey, isReplaced };
}

/** Whether the error is that of an account that has a second step. */
function asksForCode(error: unknown): boolean {
  if (!(error instanceof CallError) || error.failure.kind !== "api") return false;
  return error.failure.code === "SECOND_STEP_REQUIRED";
}

/** Whether the server knows the key no longer. A server that can't be reached has not said so. */
async function isRefused(connection: Connection): Promise<boolean> {
  try {
    await connection.call(getOwnUser, {});
    return false;
  } catch (error) {
    if (!(error instanceof CallError)) throw error;
    return error.failure.kind === "api" && error.failure.status === 401;
  }
}
