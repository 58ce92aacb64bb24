import { createSignal } from "solid-js";
import { MAX_FULL_NAME_LENGTH } from "../../../api/limits.ts";
import { updateUser } from "../../../api/people/update-users.ts";
import { roles } from "../../../api/roles.ts";
import { t } from "../../i18n/t.ts";
import { state } from "../../shared/state/state.ts";
import { Select, TextField } from "../../ui/fields.tsx";
import { call } from "../calls.ts";
import { SettingsDialog } from "../controls/settings-dialog.tsx";
import { roleOf, roleOptions } from "./role-name.ts";

/** Somebody's name and role. The last owner stays one: the server says so. */
export function EditUser(props: { id: number; onClose(): void }) {
  const user = state.model.users.get(props.id);
  const before = { name: user?.fullName ?? "", role: String(user?.role ?? roles.member) };
  const viewerRole = state.model.viewer.user?.role ?? roles.guest;
  const [name, setName] = createSignal(before.name);
  const [role, setRole] = createSignal(before.role);
  const save = async () => {
    const changes = {
      ...(name() !== before.name && { full_name: name() }),
      ...(role() !== before.role && { role: roleOf(role()) }),
    };
    if (Object.keys(changes).length > 0) await call(updateUser, { user_id: props.id, ...changes });
  };
  // An administrator sees that somebody is an owner, and can't change that.
  const isFixed = viewerRole !== roles.owner && user?.role === roles.owner;
  return (
    <SettingsDialog title={t("users.editTitle", { name: before.name })} save={save} onClose={props.onClose}>
      <TextField
        label={t("users.name")}
        value={name()}
        maxLength={MAX_FULL_NAME_LENGTH}
        required
        disabled={isFixed}
        onInput={setName}
      />
      <Select
        label={t("users.role")}
        hint={isFixed ? t("users.ownersOnly") : undefined}
        value={role()}
        options={roleOptions(isFixed || viewerRole === roles.owner ? roles.owner : roles.administrator)}
        disabled={isFixed}
        onChange={setRole}
      />
    </SettingsDialog>
  );
}
