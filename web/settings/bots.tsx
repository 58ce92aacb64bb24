import { createSignal, For, Show } from "solid-js";
import { deactivateBot, updateBot } from "../../api/integrations/bots.ts";
import { MAX_FULL_NAME_LENGTH } from "../../api/limits.ts";
import { reactivateUser } from "../../api/people/deactivate-users.ts";
import type { Bot } from "../../client/model/bots.ts";
import { creatableBots } from "../../client/permissions.ts";
import { t } from "../i18n/t.ts";
import { createBotSecrets } from "../shared/bots/bot-secrets.ts";
import { type Proof, runWithProof } from "../shared/proof/proof.tsx";
import { problemOf } from "../shared/state/problem-of.ts";
import { state } from "../shared/state/state.ts";
import { Avatar } from "../ui/avatar.tsx";
import { Confirm } from "../ui/confirm.tsx";
import { FileButton, PICTURES } from "../ui/file-button.tsx";
import { live } from "../ui/live.ts";
import { openOverlay } from "../ui/overlay.ts";
import { createSaving, SavingNote } from "../ui/saving.tsx";
import { TextForm } from "../ui/text-form.tsx";
import { NewBot } from "./new-bot.tsx";
import { Secret } from "./secret.tsx";

/** A picture may take long to send. */
const UPLOAD_TIMEOUT_MS = 120_000;

const types: Readonly<Record<number, "generic" | "incoming" | "outgoing">> = {
  1: "generic",
  2: "incoming",
  3: "outgoing",
};

/** The bots that one owns. */
export function Bots() {
  const [isCreating, setCreating] = createSignal(false);
  const ids = live(["bots", "generation"], () =>
    [...state.model.bots.byId.values()]
      .filter(({ ownerId }) => ownerId === state.model.viewer.id)
      .sort((a, b) => Number(b.isActive) - Number(a.isActive) || a.id - b.id)
      .map(({ id }) => id),
  );
  const creatable = live(["organization", "groups", "users", "generation"], () => creatableBots(state.model));
  return (
    <>
      <p class="hint">{t("own.bots.hint")}</p>
      <Show when={creatable() !== "none"} fallback={<p class="hint">{t("own.bots.notAllowed")}</p>}>
        <Show
          when={isCreating()}
          fallback={
            <p class="buttons">
              <button type="button" class="button primary" onClick={() => setCreating(true)}>
                {t("own.bots.new")}
              </button>
            </p>
          }
        >
          <NewBot isSenderOnly={creatable() === "senders"} onClose={() => setCreating(false)} />
        </Show>
      </Show>
      <Show when={ids().length > 0} fallback={<p class="nothing">{t("own.bots.empty")}</p>}>
        <ul class="bots" aria-label={t("own.bots")}>
          <For each={ids()}>{(id) => <BotRow botId={id} />}</For>
        </ul>
      </Show>
    </>
  );
}

function BotRow(props: { botId: number }) {
  // A copy, because the bot itself changes in place.
  const bot = live(["bots", "generation"], () => {
    const known = state.model.bots.byId.get(props.botId);
    return known && { ...known };
  });
  const user = live([`users:${props.botId}`, "generation"], () => state.model.users.get(props.botId));
  return (
    <li>
      <Show when={bot()}>
        {(one) => (
          <details>
            <summary>
              <Avatar user={user()} />
              <span class="grows">
                <bdi>{one().fullName}</bdi>
                <span class="quiet-line">
                  {t(`own.bots.${types[one().botType] ?? "generic"}`)}
                  <Show when={!one().isActive}> · {t("user.deactivated")}</Show>
                </span>
              </span>
            </summary>
            <Show when={one().isActive} fallback={<Reactivate bot={one()} />}>
              <ActiveBot bot={one()} />
            </Show>
          </details>
        )}
      </Show>
    </li>
  );
}

function ActiveBot(props: { bot: Bot }) {
  const bot_id = props.bot.id;
  const saving = createSaving();
  const secrets = createBotSecrets(bot_id);
  const rename = (full_name: string) =>
    state.track(() => state.connection.call(updateBot, { bot_id, full_name }));
  const renewKey = () =>
    openOverlay((close) => (
      <Confirm
        title={t("own.bots.renewTitle", { name: props.bot.fullName })}
        text={t("own.bots.renewText")}
        action={t("own.account.renew")}
        run={() => problemOf(() => secrets.replace())}
        onClose={close}
      />
    ));
  const deactivate = () =>
    openOverlay((close) => (
      <Confirm
        title={t("own.bots.deactivateTitle", { name: props.bot.fullName })}
        text={t("own.bots.deactivateText")}
        action={t("own.bots.deactivate")}
        run={() => problemOf(() => state.connection.call(deactivateBot, { bot_id }))}
        onClose={close}
      />
    ));
  return (
    <div class="bot-details">
      <TextForm
        label={t("own.bots.name")}
        value={props.bot.fullName}
        maxLength={MAX_FULL_NAME_LENGTH}
        save={rename}
      />
      <BotPicture botId={bot_id} />
      <Secret label={t("own.bots.address")} value={props.bot.email} />
      <For each={props.bot.services}>
        {(service) => <Secret label={t("own.bots.calls")} value={service.base_url} />}
      </For>
      <Show when={secrets.apiKey()}>{(key) => <Secret label={t("own.account.apiKey")} value={key()} />}</Show>
      <For each={secrets.tokens()}>{(token) => <Secret label={t("own.bots.token")} value={token} />}</For>
      <Show when={secrets.isReplaced()}>
        <p class="hint" role="status">
          {t("bots.keyReplaced")}
        </p>
      </Show>
      <SavingNote saving={saving} />
      <p class="buttons">
        <Show
          when={secrets.apiKey()}
          fallback={
            <button type="button" class="button" onClick={() => secrets.show(saving)}>
              {t("own.account.showKey")}
            </button>
          }
        >
          <button type="button" class="button" onClick={() => secrets.hide()}>
            {t("own.account.hideKey")}
          </button>
        </Show>
        <button type="button" class="button" onClick={renewKey}>
          {t("own.account.renew")}
        </button>
        <button type="button" class="button dangerous" onClick={deactivate}>
          {t("own.bots.deactivate")}
        </button>
      </p>
    </div>
  );
}

function BotPicture(props: { botId: number }) {
  const saving = createSaving();
  const upload = (file: File) => {
    const options = { files: [{ name: file.name, content: file }], timeoutMs: UPLOAD_TIMEOUT_MS };
    const parameters = { bot_id: props.botId };
    void saving.run(() => state.track(() => state.connection.call(updateBot, parameters, options)));
  };
  return (
    <>
      <p class="buttons">
        <FileButton label={t("own.profile.upload")} accept={PICTURES} choose={upload} />
      </p>
      <SavingNote saving={saving} />
    </>
  );
}

function Reactivate(props: { bot: Bot }) {
  const saving = createSaving();
  const reactivate = (proof: Proof) =>
    state.connection.call(reactivateUser, { user_id: props.bot.id, ...proof });
  return (
    <div class="bot-details">
      <p class="buttons">
        <button type="button" class="button" onClick={() => runWithProof(saving, reactivate)}>
          {t("own.bots.reactivate")}
        </button>
      </p>
      <SavingNote saving={saving} />
    </div>
  );
}
