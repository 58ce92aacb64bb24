import { Show } from "solid-js";
import { canJoinGroup, canLeaveGroup } from "../../client/group-access.ts";
import { t } from "../i18n/t.ts";
import { groupName } from "../shared/groups/group-name.ts";
import { state } from "../shared/state/state.ts";
import { reportFailure } from "../ui/notice.ts";
import { changeMembers, groupSignal } from "./change-group.ts";

/** Joins or leaves the group, if the viewer may. */
export function MembershipButton(props: { groupId: number }) {
  const id = props.groupId;
  const viewerId = state.model.viewer.id;
  const isMember = groupSignal(id, ({ memberIds }) => memberIds.has(viewerId), false);
  const isOffered = groupSignal(
    id,
    (group) =>
      !group.isDeactivated &&
      (group.memberIds.has(viewerId) ? canLeaveGroup(state.model, group) : canJoinGroup(state.model, group)),
    false,
  );
  const toggle = () => {
    const change = isMember() ? { delete: [viewerId] } : { add: [viewerId] };
    void reportFailure(() => changeMembers(id, change));
  };
  return (
    <Show when={isOffered()}>
      <button
        type="button"
        class="button"
        aria-label={t(isMember() ? "groups.leave" : "groups.join", { group: groupName(id) })}
        onClick={toggle}
      >
        {t(isMember() ? "channels.leaveShort" : "channels.joinShort")}
      </button>
    </Show>
  );
}
