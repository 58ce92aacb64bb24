import { createSignal, Show } from "solid-js";
import { fetchApiKey, regenerateApiKey } from "../../api/accounts/sign-in.ts";
import { deactivateOwnUser } from "../../api/people/deactivate-users.ts";
import { CallError } from "../../client/call-error.ts";
import { Connection } from "../../client/connection.ts";
import { t } from "../i18n/t.ts";
import { forgetEverything } from "../shared/page/sign-out.ts";
import { withProof } from "../shared/proof/proof.tsx";
import { problemOf } from "../shared/state/problem-of.ts";
import { state } from "../shared/state/state.ts";
import { Confirm } from "../ui/confirm.tsx";
import { TextField, Toggle } from "../ui/fields.tsx";
import { openOverlay } from "../ui/overlay.ts";
import { createSaving, SavingNote } from "../ui/saving.tsx";
import { saveSettings } from "./own-setting.tsx";
import { Secret } from "./secret.tsx";
import { lockedSignal, viewerSignal } from "./viewer.ts";

/** How one signs in, and what programs sign in with. */
export function Account() {
  return (
    <>
      <EmailForm />
      <h3>{t("own.account.password")}</h3>
      <PasswordForm />
      <h3>{t("own.account.apiKey")}</h3>
      <div class="key-box">
        <ApiKey />
      </div>
      <h3>{t("own.account.deactivate")}</h3>
      <Deactivate />
    </>
  );
}

/** The address changes when the link in the mail is opened. */
function EmailForm() {
  const viewer = viewerSignal();
  const isLocked = lockedSignal("email");
  const saving = createSaving();
  const [typed, type] = createSignal<string>();
  const [sentTo, setSentTo] = createSignal<string>();
  const present = () => viewer()?.deliveryEmail ?? viewer()?.email ?? "";
  const text = () => typed() ?? present();
  async function submit(event: SubmitEvent): Promise<void> {
    event.preventDefault();
    const email = text().trim();
    setSentTo(undefined);
    if (email === present() || !(await saving.runOnce(() => saveSettings({ email })))) return;
    setSentTo(email);
    if (text().trim() === email) type(undefined);
  }
  return (
    <form class="text-form" onSubmit={(event) => void submit(event)}>
      <TextField
        label={t("own.account.email")}
        type="email"
        autocomplete="email"
        value={text()}
        disabled={isLocked()}
        hint={isLocked() ? t("own.account.emailLocked") : t("own.account.emailHint")}
        problem={saving.problem()}
        onInput={type}
      />
      <Show when={!isLocked()}>
        <button type="submit" class="button" disabled={text().trim() === present()}>
          {t("own.account.changeEmail")}
        </button>
      </Show>
      <p class="saving" role="status">
        <Show when={sentTo()}>{(email) => t("own.account.emailSent", { email: email() })}</Show>
      </p>
    </form>
  );
}

function PasswordForm() {
  const saving = createSaving();
  const viewer = viewerSignal();
  const [old, setOld] = createSignal("");
  const [next, setNext] = createSignal("");
  const [keepsKey, setKeepsKey] = createSignal(false);
  async function submit(event: SubmitEvent): Promise<void> {
    event.preventDefault();
    const passwords = { old_password: old(), new_password: next(), keep_api_key: keepsKey() };
    if (!(await saving.runOnce(() => saveSettings(passwords)))) return;
    setOld("");
    setNext("");
  }
  return (
    <form onSubmit={(event) => void submit(event)}>
      {/* For programs that keep passwords. */}
      <input hidden type="text" autocomplete="username" readonly value={viewer()?.deliveryEmail ?? ""} />
      <TextField
        label={t("own.account.oldPassword")}
        type="password"
        autocomplete="current-password"
        value={old()}
        onInput={setOld}
      />
      <TextField
        label={t("own.account.newPassword")}
        type="password"
        autocomplete="new-password"
        hint={t("own.account.passwordHint")}
        value={next()}
        onInput={setNext}
      />
      <Toggle
        label={t("own.account.keepKey")}
        hint={t("own.account.keepKeyHint")}
        checked={keepsKey()}
        onChange={setKeepsKey}
      />
      <button type="submit" class="button" disabled={old() === "" || next() === ""}>
        {t("own.account.changePassword")}
      </button>
      <SavingNote saving={saving} />
    </form>
  );
}

/** A session can't read the key, so the password is asked for. */
function ApiKey() {
  const saving = createSaving();
  const viewer = viewerSignal();
  const [password, setPassword] = createSignal("");
  const [code, setCode] = createSignal("");
  const [needsCode, setNeedsCode] = createSignal(false);
  const [key, setKey] = createSignal<string>();
  const email = () => viewer()?.deliveryEmail ?? viewer()?.email ?? "";
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
    const connection = new Connection({ site: "", credentials: { email: email(), apiKey: key() ?? "" } });
    const reply = await connection.call(regenerateApiKey, {});
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

/** Whether the error is that of an account that has a second step. */
function asksForCode(error: unknown): boolean {
  if (!(error instanceof CallError) || error.failure.kind !== "api") return false;
  return error.failure.code === "SECOND_STEP_REQUIRED";
}

function Deactivate() {
  const run = async () => {
    const problem = await problemOf(() =>
      withProof((proof) => state.connection.call(deactivateOwnUser, proof)),
    );
    if (problem !== undefined) return problem;
    await forgetEverything();
    location.assign("/login");
    return undefined;
  };
  const ask = () =>
    openOverlay((close) => (
      <Confirm
        title={t("own.account.deactivateTitle")}
        text={t("own.account.deactivateText")}
        action={t("own.account.deactivate")}
        run={run}
        onClose={close}
      />
    ));
  return (
    <>
      <p class="hint">{t("own.account.deactivateHint")}</p>
      <button type="button" class="button dangerous" onClick={ask}>
        {t("own.account.deactivate")}…
      </button>
    </>
  );
}
