import { updateUser } from "../../../api/people/update-users.ts";
import { roles } from "../../../api/roles.ts";
import { t } from "../../i18n/t.ts";
import { ProfileFieldList } from "../../shared/profiles/profile-field-list.tsx";
import { state } from "../../shared/state/state.ts";
import { nameOf } from "../../shared/text/names.ts";
import { Dialog } from "../../ui/dialog.tsx";
import { live } from "../../ui/live.ts";
import { call, isOwner } from "../calls.ts";

/** Somebody's values of the organization's fields, also of those that people can't change themselves. */
export function EditProfile(props: { id: number; onClose(): void }) {
  const owns = isOwner();
  const sources = [`users:${props.id}`, "generation"];
  const name = live(sources, () => nameOf(props.id));
  const isOfOwner = live(sources, () => state.model.users.get(props.id)?.role === roles.owner);
  const reason = () => (isOfOwner() && !owns() ? t("users.ownersOnly") : undefined);
  const title = () => t("users.profileTitle", { name: name() });
  return (
    <Dialog label={title()} class="settings-dialog" onClose={props.onClose}>
      <h2>{title()}</h2>
      <ProfileFieldList
        userId={props.id}
        reasonFor={reason}
        save={(id, value) =>
          call(updateUser, { user_id: props.id, profile_data: [{ id, value: listed(value) }] })
        }
      />
    </Dialog>
  );
}

const listed = (value: string | readonly number[]) => (typeof value === "string" ? value : [...value]);
