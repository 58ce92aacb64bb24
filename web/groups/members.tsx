import { createMemo, createSignal, Show } from "solid-js";
import { CallError } from "../../client/call-error.ts";
import { canAddMembers, canRemoveMembers, membersOf, possibleSubgroups } from "../../client/group-access.ts";
import { language, t } from "../i18n/t.ts";
import { AddPeople } from "../shared/groups/add-people.tsx";
import { findPicked, type Picked, pickedName } from "../shared/groups/picked.ts";
import { state } from "../shared/state/state.ts";
import { FilteredList } from "../ui/filtered-list.tsx";
import { live } from "../ui/live.ts";
import { Problem } from "../ui/problem.tsx";
import { isSameList, keepSame } from "../ui/same-list.ts";
import { changeMembers, groupSignal } from "./change-group.ts";
import { MemberRow } from "./member-row.tsx";

/** The people and groups in a group. */
export function Members(props: { groupId: number }) {
  const id = props.groupId;
  const [failure, setFailure] = createSignal<string>();
  const mayAdd = groupSignal(id, (group) => !group.isDeactivated && canAddMembers(state.model, group), false);
  const mayRemove = groupSignal(id, (group) => canRemoveMembers(state.model, group), false);
  const listed = live(["groups", "users", "generation"], () => membersIn(id));
  // A member who is still there is the same object, so the row stays.
  const members = createMemo<readonly Picked[]>((before) => keepSame(before, listed(), keyOf), [], {
    equals: isSameList,
  });
  const everybody = live(["groups", "generation"], () => membersOf(state.model, id).size);
  async function remove(picked: Picked): Promise<void> {
    setFailure(undefined);
    try {
      await changeMembers(
        id,
        picked.kind === "person" ? { delete: [picked.id] } : { delete_subgroups: [picked.id] },
      );
    } catch (error) {
      if (!(error instanceof CallError)) throw error;
      setFailure(t("subscribers.notRemoved", { name: pickedName(picked), why: error.message }));
    }
  }
  return (
    <>
      <Show when={mayAdd()}>
        <AddMembers groupId={id} members={members()} />
      </Show>
      <Problem text={failure()} />
      <div class="subscriber-list">
        <p class="hint">{t("groups.people", { count: everybody() })}</p>
        <FilteredList
          label={t("group.membersTitle")}
          items={members()}
          textOf={pickedName}
          draw={(picked) => (
            <MemberRow
              one={picked}
              groupId={id}
              mayRemove={mayRemove()}
              onRemove={() => void remove(picked)}
            />
          )}
          empty={t("group.noMembers")}
        />
      </div>
    </>
  );
}

/** Groups come before people. */
function membersIn(groupId: number): Picked[] {
  const group = state.model.groups.byId.get(groupId);
  const named = (kind: Picked["kind"], ids: Iterable<number>) =>
    [...ids]
      .map((id): Picked => ({ kind, id }))
      .sort((a, b) => pickedName(a).localeCompare(pickedName(b), language()));
  return [...named("group", group?.subgroupIds ?? []), ...named("person", group?.memberIds ?? [])];
}

function keyOf({ kind, id }: Picked): string {
  return `${kind} ${id}`;
}

function AddMembers(props: { groupId: number; members: readonly Picked[] }) {
  const idsOf = (picked: readonly Picked[], wanted: Picked["kind"]) =>
    picked.flatMap(({ kind, id }) => (kind === wanted ? [id] : []));
  const find = (text: string) => {
    const people = new Set(idsOf(props.members, "person"));
    const groups = new Set(idsOf(props.members, "group"));
    const possible = possibleSubgroups(state.model, props.groupId)
      .filter(({ id, name }) => !groups.has(id) && name !== "role:nobody" && name !== "role:internet")
      .sort((a, b) => Number(a.isSystem) - Number(b.isSystem));
    return findPicked(text, { people: (id) => !people.has(id), groupIds: possible.map(({ id }) => id) });
  };
  const add = (chosen: readonly Picked[]) =>
    changeMembers(props.groupId, { add: idsOf(chosen, "person"), add_subgroups: idsOf(chosen, "group") });
  return <AddPeople label={t("group.add")} hint={t("group.addHint")} find={find} add={add} />;
}
