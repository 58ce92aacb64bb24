import { createSignal, For, Show } from "solid-js";
import { botTypes } from "../../../api/integrations/bots.ts";
import { t } from "../../i18n/t.ts";
import { createBotSecrets } from "../../shared/bots/bot-secrets.ts";
import { state } from "../../shared/state/state.ts";
import { Dialog } from "../../ui/dialog.tsx";
import { live } from "../../ui/live.ts";
import { createSaving, SavingNote } from "../../ui/saving.tsx";
import { Secret } from "../controls/secret.tsx";

/**
 * What the bot's program signs in with. A new key ends the old one. `apiKey`: of a bot that was just made,
 * which is shown at once.
 */
export function BotKey(props: { id: number; apiKey?: string | undefined; onClose(): void }) {
  const { id } = props;
  const saving = createSaving();
  const secrets = createBotSecrets(id, props.apiKey);
  const [isSure, setSure] = createSignal(false);
  const bot = live(["bots", "generation"], () => state.model.bots.byId.get(id));
  const title = () => t("bots.keyTitle", { name: bot()?.fullName ?? "" });
  const hasTokens = () => (bot()?.services.length ?? 0) > 0;
  const isHidden = () => secrets.apiKey() === undefined || (hasTokens() && secrets.tokens() === undefined);
  const replace = async () => {
    if (!isSure()) setSure(true);
    else if (await saving.run(() => secrets.replace())) setSure(false);
  };
  return (
    <Dialog label={title()} class="settings-dialog" onClose={() => props.onClose()}>
      <h2>{title()}</h2>
      <p>{t("bots.keyText")}</p>
      <Secret label={t("bots.email")} value={bot()?.email ?? ""} />
      <Show when={secrets.apiKey()}>{(key) => <Secret label={t("bots.key")} value={key()} />}</Show>
      <Show when={bot()?.botType === botTypes.incomingWebhook && secrets.apiKey()}>
        {(key) => (
          <>
            <p>
              {t("bots.webhookText")} <a href="/integrations">{t("bots.integrations")}</a>
            </p>
            <Secret label={t("bots.webhook")} value={webhookAddress(key())} />
          </>
        )}
      </Show>
      <For each={secrets.tokens()}>
        {(token) => (
          <>
            <p>{t("bots.tokenText")}</p>
            <Secret label={t("bots.token")} value={token} />
          </>
        )}
      </For>
      <Show when={secrets.isReplaced()}>
        <p class="hint" role="status">
          {t("bots.keyReplaced")}
        </p>
      </Show>
      <p class="buttons">
        <Show when={isHidden()}>
          <button type="button" class="button primary" onClick={() => secrets.show(saving)}>
            {t(secrets.apiKey() === undefined ? "own.account.showKey" : "bots.showToken")}
          </button>
        </Show>
        <button
          type="button"
          class="button"
          classList={{ dangerous: isSure() }}
          onClick={() => void replace()}
        >
          {t(isSure() ? "bots.reallyReplaceKey" : "bots.replaceKey")}
        </button>
      </p>
      <SavingNote saving={saving} />
    </Dialog>
  );
}

/** For a program whose format the server doesn't know: its JSON becomes the message. */
function webhookAddress(apiKey: string): string {
  return `${location.origin}/api/v1/external/json?api_key=${encodeURIComponent(apiKey)}`;
}
