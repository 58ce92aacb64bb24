import { createUniqueId, For, Show } from "solid-js";
import type { Privacy } from "../../client/channel-access.ts";
import { t } from "../i18n/t.ts";
import { Icon } from "../ui/icon.tsx";

export const privacyTexts = {
  webPublic: { label: "privacy.webPublic", hint: "privacy.webPublicHint", icon: "globe" },
  public: { label: "privacy.public", hint: "privacy.publicHint", icon: "hash" },
  private: { label: "privacy.private", hint: "privacy.privateHint", icon: "lock" },
  privateHidden: { label: "privacy.privateHidden", hint: "privacy.privateHiddenHint", icon: "lock" },
} as const;

interface PrivacyProps {
  value: Privacy;
  /** Those that can be chosen. */
  allowed: readonly Privacy[];
  disabled?: boolean | undefined;
  problem?: string | undefined;
  onChange(value: Privacy): void;
}

/** Whom a channel is open to, with what each choice means. */
export function PrivacyField(props: PrivacyProps) {
  const name = createUniqueId();
  const shown = () =>
    (Object.keys(privacyTexts) as Privacy[]).filter(
      (privacy) => privacy === props.value || props.allowed.includes(privacy),
    );
  return (
    <fieldset class="field privacy" disabled={props.disabled}>
      <legend>{t("privacy.label")}</legend>
      <For each={shown()}>
        {(privacy) => (
          <label class="privacy-choice">
            <input
              type="radio"
              name={name}
              checked={privacy === props.value}
              onChange={() => props.onChange(privacy)}
            />
            <Icon name={privacyTexts[privacy].icon} />
            <span>
              {t(privacyTexts[privacy].label)}
              <span class="hint">{t(privacyTexts[privacy].hint)}</span>
            </span>
          </label>
        )}
      </For>
      <Show when={props.problem}>
        <p class="problem" role="alert">
          {props.problem}
        </p>
      </Show>
    </fieldset>
  );
}

/** As the API takes it. A change of a channel says `is_private`, a new channel `invite_only`. */
export function writePrivacy(privacy: Privacy) {
  return {
    isPrivate: privacy === "private" || privacy === "privateHidden",
    is_web_public: privacy === "webPublic",
    history_public_to_subscribers: privacy !== "privateHidden",
  };
}
