import { createSignal, Show } from "solid-js";
import { botTypes, regenerateBotApiKey } from "../../../api/integrations/bots.ts";
import { t } from "../../i18n/t.ts";
import { state } from "../../shared/state/state.ts";
import { Dialog } from "../../ui/dialog.tsx";
import { live } from "../../ui/live.ts";
import { createSaving, SavingNote } from "../../ui/saving.tsx";
import { call } from "../calls.ts";
import { Secret } from "../controls/secret.tsx";

/** What the bot's program signs in with. A new key ends the old one. */
export function BotKey(props: { id: number; onClose(): void }) {
  const { id } = props;
  const saving = createSaving();
  const [isSure, setSure] = createSignal(false);
  const bot = live(["bots", "generation"], () => state.model.bots.byId.get(id));
  const title = () => t("bots.keyTitle", { name: bot()?.fullName ?? "" });
  const replace = async () => {
    if (!isSure()) setSure(true);
    else if (await saving.run(() => call(regenerateBotApiKey, { bot_id: id }))) setSure(false);
  };
  return (
    <Dialog label={title()} class="settings-dialog" onClose={() => props.onClose()}>
      <h2>{title()}</h2>
      <p>{t("bots.keyText")}</p>
      <Secret label={t("bots.email")} value={bot()?.email ?? ""} />
      <Secret label={t("bots.key")} value={bot()?.apiKey ?? ""} />
      <Show when={bot()?.botType === botTypes.incomingWebhook}>
        <p>
          {t("bots.webhookText")} <a href="/integrations">{t("bots.integrations")}</a>
        </p>
        <Secret label={t("bots.webhook")} value={webhookAddress(bot()?.apiKey ?? "")} />
      </Show>
      <Show when={bot()?.services[0]}>
        {(service) => (
          <>
            <p>{t("bots.tokenText")}</p>
            <Secret label={t("bots.token")} value={service().token} />
          </>
        )}
      </Show>
      <p class="buttons">
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
