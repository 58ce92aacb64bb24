import { createSignal, Show } from "solid-js";
import { botTypes, createBot, interfaceTypes } from "../../../api/integrations/bots.ts";
import { MAX_FULL_NAME_LENGTH, MAX_PAYLOAD_URL_LENGTH } from "../../../api/limits.ts";
import { t } from "../../i18n/t.ts";
import { state } from "../../shared/state/state.ts";
import { Select, TextField } from "../../ui/fields.tsx";
import { call, callWithFile } from "../calls.ts";
import { PictureChoice } from "../controls/picture-choice.tsx";
import { SettingsDialog } from "../controls/settings-dialog.tsx";
import { BotKey } from "./bot-key.tsx";
import { botTypeName } from "./bot-type-name.ts";

type BotType = (typeof botTypes)[keyof typeof botTypes];
export type Interface = (typeof interfaceTypes)[keyof typeof interfaceTypes];

const interfaceOf = (text: string): Interface =>
  text === String(interfaceTypes.slack) ? interfaceTypes.slack : interfaceTypes.generic;

/** A new bot of the viewer's, and then its key. */
export function CreateBot(props: { isForSending: boolean; onClose(): void }) {
  const kinds: BotType[] = props.isForSending
    ? [botTypes.incomingWebhook]
    : [botTypes.generic, botTypes.incomingWebhook, botTypes.outgoingWebhook];
  const [type, setType] = createSignal<BotType>(kinds[0] ?? botTypes.generic);
  const [name, setName] = createSignal("");
  const [address, setAddress] = createSignal("");
  const [url, setUrl] = createSignal("");
  const [form, setForm] = createSignal<Interface>(interfaceTypes.generic);
  const [picture, setPicture] = createSignal<File>();
  const [created, setCreated] = createSignal<{ user_id: number; api_key: string }>();
  const isOutgoing = () => type() === botTypes.outgoingWebhook;
  const domain = state.model.organization.get({ name: "bot_domain", default: "" });
  const save = async () => {
    const service = { payload_url: url(), interface_type: form() };
    const parameters = { full_name: name(), short_name: address(), bot_type: type() };
    const all = { ...parameters, ...(isOutgoing() && service) };
    const file = picture();
    setCreated(await (file ? callWithFile(createBot, all, file) : call(createBot, all)));
  };
  return (
    <Show
      when={!created()}
      fallback={<BotKey id={created()?.user_id ?? 0} apiKey={created()?.api_key} onClose={props.onClose} />}
    >
      <SettingsDialog
        title={t("bots.add")}
        action={t("bots.create")}
        save={save}
        onClose={() => created() === undefined && props.onClose()}
      >
        <Select
          label={t("bots.type")}
          hint={t(isOutgoing() ? "bots.outgoingHint" : "bots.typeHint")}
          value={String(type())}
          options={kinds.map((kind) => ({ value: String(kind), label: botTypeName(kind) }))}
          onChange={(text) => setType(kinds.find((kind) => String(kind) === text) ?? type())}
        />
        <TextField
          label={t("users.name")}
          value={name()}
          maxLength={MAX_FULL_NAME_LENGTH}
          required
          onInput={setName}
        />
        <TextField
          label={t("bots.shortName")}
          hint={t("bots.shortNameHint", { address: `${address() || "…"}-bot@${domain}` })}
          value={address()}
          required
          onInput={setAddress}
        />
        <PictureChoice file={picture()} choose={setPicture} />
        <Show when={isOutgoing()}>
          <ServiceFields url={url()} form={form()} onUrl={setUrl} onForm={setForm} />
        </Show>
      </SettingsDialog>
    </Show>
  );
}

/** What the server calls for an outgoing webhook. */
export function ServiceFields(props: {
  url: string;
  form: Interface;
  onUrl(url: string): void;
  onForm(form: Interface): void;
}) {
  return (
    <>
      <TextField
        label={t("bots.url")}
        type="url"
        value={props.url}
        maxLength={MAX_PAYLOAD_URL_LENGTH}
        required
        onInput={props.onUrl}
      />
      <Select
        label={t("bots.interface")}
        value={String(props.form)}
        options={[
          { value: String(interfaceTypes.generic), label: "JSON" },
          { value: String(interfaceTypes.slack), label: t("bots.asSlack") },
        ]}
        onChange={(text) => props.onForm(interfaceOf(text))}
      />
    </>
  );
}
