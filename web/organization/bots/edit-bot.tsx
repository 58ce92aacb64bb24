import { createSignal, Show } from "solid-js";
import { interfaceTypes, updateBot } from "../../../api/integrations/bots.ts";
import { MAX_FULL_NAME_LENGTH } from "../../../api/limits.ts";
import { roles } from "../../../api/roles.ts";
import { t } from "../../i18n/t.ts";
import { PickField } from "../../shared/groups/pick-field.tsx";
import { findPicked, type Picked } from "../../shared/groups/picked.ts";
import { state } from "../../shared/state/state.ts";
import { Select, TextField } from "../../ui/fields.tsx";
import { call, callWithFile } from "../calls.ts";
import { PictureChoice } from "../controls/picture-choice.tsx";
import { SettingsDialog } from "../controls/settings-dialog.tsx";
import { roleOf, roleOptions } from "../people/role-name.ts";
import { type Interface, ServiceFields } from "./create-bot.tsx";

/** A bot's name, picture, owner and role, and what the server calls for it. */
export function EditBot(props: { id: number; onClose(): void }) {
  const bot = state.model.bots.byId.get(props.id);
  const role = state.model.users.get(props.id)?.role ?? roles.member;
  const viewerRole = state.model.viewer.user?.role ?? roles.guest;
  const isAdmin = viewerRole <= roles.administrator;
  const service = bot?.services[0];
  const [name, setName] = createSignal(bot?.fullName ?? "");
  const [owner, setOwner] = createSignal(bot?.ownerId ?? undefined);
  const [newRole, setNewRole] = createSignal(String(role));
  const [url, setUrl] = createSignal(service?.base_url ?? "");
  const oldForm: Interface = service?.interface === interfaceTypes.slack ? 2 : 1;
  const [form, setForm] = createSignal(oldForm);
  const [picture, setPicture] = createSignal<File>();
  const save = async () => {
    const ownerId = owner();
    const changes = {
      ...(name() !== bot?.fullName && { full_name: name() }),
      ...(ownerId !== undefined && ownerId !== bot?.ownerId && { bot_owner_id: ownerId }),
      ...(newRole() !== String(role) && { role: roleOf(newRole()) }),
      ...((url() !== (service?.base_url ?? "") || form() !== oldForm) && {
        ...{ service_payload_url: url(), service_interface: form() },
      }),
    };
    const file = picture();
    if (file) await callWithFile(updateBot, { bot_id: props.id, ...changes }, file);
    else if (Object.keys(changes).length > 0) await call(updateBot, { bot_id: props.id, ...changes });
  };
  // One owner: the last that was chosen.
  const chosen = (): Picked[] => {
    const id = owner();
    return id === undefined ? [] : [{ kind: "person", id }];
  };
  const isPerson = (id: number) => state.model.users.get(id)?.isBot === false;
  const least = viewerRole === roles.owner || role === roles.owner ? roles.owner : roles.administrator;
  return (
    <SettingsDialog
      title={t("users.editTitle", { name: bot?.fullName ?? "" })}
      save={save}
      onClose={props.onClose}
    >
      <TextField
        label={t("users.name")}
        value={name()}
        maxLength={MAX_FULL_NAME_LENGTH}
        required
        onInput={setName}
      />
      <PictureChoice file={picture()} none={t("bots.pictureStays")} choose={setPicture} />
      <PickField
        label={t("bots.ownerField")}
        hint={t("bots.ownerHint")}
        chosen={chosen()}
        find={(text) => findPicked(text, { people: isPerson })}
        onChange={(picked) => setOwner(picked.at(-1)?.id)}
      />
      <Show when={isAdmin}>
        <Select
          label={t("users.role")}
          value={newRole()}
          options={roleOptions(least)}
          onChange={setNewRole}
        />
      </Show>
      <Show when={service}>
        <ServiceFields url={url()} form={form()} onUrl={setUrl} onForm={setForm} />
      </Show>
    </SettingsDialog>
  );
}
