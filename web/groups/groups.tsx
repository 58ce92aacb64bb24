import { createMemo, Show } from "solid-js";
import { canCreateGroups } from "../../client/group-access.ts";
import { t } from "../i18n/t.ts";
import { state } from "../shared/state/state.ts";
import { live } from "../ui/live.ts";
import { type Section, SettingsFrame } from "../ui/settings-frame.tsx";
import { GroupList } from "./group-list.tsx";
import { GroupSettings } from "./group-settings.tsx";
import { NewGroup } from "./new-group.tsx";

const lists: readonly Section[] = [
  { id: "your", label: "groups.yours", icon: "check", draw: () => <GroupList which="your" /> },
  { id: "all", label: "groups.all", icon: "group", draw: () => <GroupList which="all" /> },
  {
    ...{ id: "deactivated", label: "groups.deactivated", icon: "archive" },
    draw: () => <GroupList which="deactivated" />,
  },
];

const creation: Section = { id: "new", label: "groups.new", icon: "pencil", draw: () => <NewGroup /> };

/** All user groups, and the settings of each: `#groups/all`, `#groups/9/apps/general`. */
export function Groups(props: { path: readonly string[] }) {
  const groupId = createMemo(() =>
    /^\d{1,15}$/.test(props.path[0] ?? "") ? Number(props.path[0]) : undefined,
  );
  const mayCreate = live(["organization", "groups", "users", "generation"], () =>
    canCreateGroups(state.model),
  );
  return (
    <Show
      when={groupId()}
      keyed
      fallback={
        <SettingsFrame
          title={t("groups.title")}
          base="#groups"
          sections={mayCreate() ? [...lists, creation] : lists}
          current={props.path[0]}
        />
      }
    >
      {(id) => <GroupSettings groupId={id} section={props.path[2]} />}
    </Show>
  );
}
