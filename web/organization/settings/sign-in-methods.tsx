import { For } from "solid-js";
import { t } from "../../i18n/t.ts";
import { Icon } from "../../ui/icon.tsx";
import { settingSignal } from "../calls.ts";

/** How people sign in. The server's operator configures it. */
export function SignInMethods() {
  const methods = settingSignal<Record<string, { enabled: boolean }>>("authentication_methods", {});
  const names = () => Object.entries(methods()).flatMap(([name, { enabled }]) => (enabled ? [name] : []));
  return (
    <section aria-labelledby="sign-in-methods">
      <h3 id="sign-in-methods">{t("signIn.title")}</h3>
      <p class="about">{t("signIn.about")}</p>
      <ul class="plain-list" aria-labelledby="sign-in-methods">
        <For each={names()}>
          {(name) => (
            <li class="list-row">
              <Icon name="check" />
              {name === "Email" ? t("signIn.password") : name}
            </li>
          )}
        </For>
      </ul>
    </section>
  );
}
