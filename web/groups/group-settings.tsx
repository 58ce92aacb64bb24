import { For, Show } from "solid-js";
import { canManageGroup } from "../../client/group-access.ts";
import { t } from "../i18n/t.ts";
import { groupName } from "../shared/groups/group-name.ts";
import { GroupSetting } from "../shared/groups/group-setting.tsx";
import { state } from "../shared/state/state.ts";
import { live } from "../ui/live.ts";
import { type Section, SettingsFrame } from "../ui/settings-frame.tsx";
import { changeGroup, groupSignal } from "./change-group.ts";
import { General } from "./general.tsx";
import { Members } from "./members.tsx";
import type { GroupSection } from "./settings-link.ts";

/** The settings of one group. What the viewer may not change is shown in words. */
export function GroupSettings(props: { groupId: number; section: string | undefined }) {
  const id = props.groupId;
  const group = live(["groups", "generation"], () => state.model.groups.byId.get(id));
  const isKnown = () => group() !== undefined;
  const isSystem = () => group()?.isSystem ?? false;
  // The same objects as long as the group is open, so that a section keeps what was typed.
  const all: readonly (Section & { id: GroupSection })[] = [
    { id: "general", label: "channel.general", icon: "group", draw: () => <General groupId={id} /> },
    { id: "members", label: "group.membersTitle", icon: "people", draw: () => <Members groupId={id} /> },
    {
      ...{ id: "permissions", label: "channel.permissions", icon: "shield" },
      draw: () => <Permissions groupId={id} />,
    },
  ];
  const missing: readonly Section[] = [
    { id: "missing", label: "group.missing", icon: "group", draw: () => <p>{t("group.missingText")}</p> },
  ];
  return (
    <SettingsFrame
      title={isKnown() ? groupName(id) : t("group.unknown")}
      base={isKnown() ? `#groups/${id}/${encodeURIComponent(group()?.name ?? "")}` : "#groups"}
      parent={{ title: t("groups.title"), link: "#groups/all" }}
      sections={!isKnown() ? missing : isSystem() ? all.slice(1, 2) : all}
      current={isKnown() ? props.section : "missing"}
    />
  );
}

const permissions = [
  { name: "can_manage_group", key: "canManageGroup" },
  { name: "can_add_members_group", key: "canAddMembersGroup" },
  { name: "can_remove_members_group", key: "canRemoveMembersGroup" },
  { name: "can_join_group", key: "canJoinGroup" },
  { name: "can_leave_group", key: "canLeaveGroup" },
  { name: "can_mention_group", key: "canMentionGroup" },
] as const;

function Permissions(props: { groupId: number }) {
  const id = props.groupId;
  const group = live(["groups", "generation"], () => state.model.groups.byId.get(id));
  const mayChange = groupSignal(id, (one) => canManageGroup(state.model, one), false);
  return (
    <For each={permissions}>
      {({ name, key }) => (
        <Show when={group()?.settings[key] !== undefined}>
          <GroupSetting
            kind="group"
            name={name}
            label={t(`groupPermission.${name}`)}
            value={group()?.settings[key] ?? 0}
            disabled={!mayChange()}
            save={(change) => changeGroup(id, { [name]: change })}
          />
        </Show>
      )}
    </For>
  );
}
