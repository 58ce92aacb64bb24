import { updateOrganization } from "../../../api/administration/organization.ts";
import type { GroupSetting as Value } from "../../../client/model/wire.ts";
import { t } from "../../i18n/t.ts";
import { GroupSetting } from "../../shared/groups/group-setting.tsx";
import { state } from "../../shared/state/state.ts";
import { live } from "../../ui/live.ts";
import { call } from "../calls.ts";
import type { ControlProps } from "./control-props.ts";
import type { PermissionName } from "./setting-list.ts";

/** A permission of the organization. */
export function PermissionSetting(props: ControlProps<PermissionName>) {
  const { name } = props;
  const value = live<Value>(
    ["organization", "generation"],
    () => state.model.organization.permission({ name }) ?? 0,
  );
  return (
    <GroupSetting
      kind="realm"
      name={name}
      label={t(`organization.setting.${name}`)}
      value={value()}
      hint={props.reason}
      disabled={props.disabled}
      save={(change) => call(updateOrganization, { [name]: change })}
    />
  );
}
