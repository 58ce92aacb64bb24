import { membersOf } from "../../client/group-access.ts";
import type { Group } from "../../client/model/groups.ts";
import { language, t } from "../i18n/t.ts";
import { state } from "../shared/state/state.ts";
import { FilteredList } from "../ui/filtered-list.tsx";
import { Icon } from "../ui/icon.tsx";
import { live } from "../ui/live.ts";
import { isSameList } from "../ui/same-list.ts";
import { MembershipButton } from "./membership.tsx";
import { groupSettingsLink } from "./settings-link.ts";

export type Which = "your" | "all" | "deactivated";

const filters: Readonly<Record<Which, (group: Group) => boolean>> = {
  your: ({ id, isDeactivated }) => !isDeactivated && state.model.groups.isMember(id, state.model.viewer.id),
  all: ({ isDeactivated }) => !isDeactivated,
  deactivated: ({ isDeactivated }) => isDeactivated,
};

const empty = {
  your: "groups.noneYours",
  all: "groups.noneAtAll",
  deactivated: "groups.noneDeactivated",
} as const;

/** Groups that the organization made. Those of roles have nothing to set. */
export function GroupList(props: { which: Which }) {
  const ids = live(["groups", "generation"], () => idsOf(props.which), isSameList);
  const textOf = (id: number) => {
    const group = state.model.groups.byId.get(id);
    return `${group?.name} ${group?.description}`;
  };
  return (
    <div class="listing">
      <p class="hint">{t("groups.about")}</p>
      <FilteredList
        label={t("groups.title")}
        items={ids()}
        textOf={textOf}
        draw={(id) => <GroupRow groupId={id} />}
        height={Math.max(300, innerHeight - 270)}
        empty={t(empty[props.which])}
      />
    </div>
  );
}

function idsOf(which: Which): number[] {
  return [...state.model.groups.byId.values()]
    .filter((group) => !group.isSystem && filters[which](group))
    .sort((a, b) => a.name.localeCompare(b.name, language()))
    .map(({ id }) => id);
}

function GroupRow(props: { groupId: number }) {
  const id = props.groupId;
  const group = live(["groups", "generation"], () => state.model.groups.byId.get(id));
  const count = live(["groups", "generation"], () => membersOf(state.model, id).size);
  return (
    <>
      <Icon name="group" />
      <a class="row-text" href={groupSettingsLink(id)}>
        <bdi>{group()?.name}</bdi>
        <bdi class="row-about">{group()?.description}</bdi>
      </a>
      <span class="row-count">{t("groups.people", { count: count() })}</span>
      <MembershipButton groupId={id} />
    </>
  );
}
