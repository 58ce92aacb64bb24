import { createSignal, Show } from "solid-js";
import { deactivateOwnUser } from "../../api/people/deactivate-users.ts";
import { t } from "../i18n/t.ts";
import { forgetEverything } from "../shared/page/sign-out.ts";
import { withProof } from "../shared/proof/proof.tsx";
import { problemOf } from "../shared/state/problem-of.ts";
import { state } from "../shared/state/state.ts";
import { Confirm } from "../ui/confirm.tsx";
import { TextField, Toggle } from "../ui/fields.tsx";
import { openOverlay } from "../ui/overlay.ts";
import { createSaving, SavingNote } from "../ui/saving.tsx";
import { ApiKey } from "./api-key.tsx";
import { saveSettings } from "./own-setting.tsx";
import { lockedSignal, viewerSignal } from "./viewer.ts";

/** How one signs in, and what programs sign in with. */
export function Account() {
  const [passwords, setPasswords] = createSignal(0);
  return (
    <>
      <EmailForm />
      <h3>{t("own.account.password")}</h3>
      <PasswordForm onChange={() => setPasswords(passwords() + 1)} />
      <h3>{t("own.account.apiKey")}</h3>
      <div class="key-box">
        <ApiKey passwords={passwords()} />
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

function PasswordForm(props: { onChange(): void }) {
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
    props.onChange();
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
