import { deactivateUserGroup } from "../../api/groups/groups.ts";
import type { Group } from "../../client/model/groups.ts";
import { t } from "../i18n/t.ts";
import { problemOf } from "../shared/state/problem-of.ts";
import { state } from "../shared/state/state.ts";
import { TakeOutOfUse } from "../ui/take-out-of-use.tsx";
import { changeGroup } from "./change-group.ts";

/** Takes the group out of use, or brings it back. */
export function Deactivation(props: { group: Group }) {
  const deactivate = () => {
    const parameters = { user_group_id: props.group.id };
    return problemOf(() => state.connection.call(deactivateUserGroup, parameters));
  };
  return (
    <TakeOutOfUse
      isOut={props.group.isDeactivated}
      inUse={{
        heading: t("deactivation.heading"),
        text: t("deactivation.text"),
        action: t("deactivation.action"),
        question: t("deactivation.title", { group: props.group.name }),
      }}
      out={{ heading: t("deactivation.deactivated"), action: t("deactivation.undo") }}
      takeOut={deactivate}
      bringBack={() => changeGroup(props.group.id, { deactivated: false })}
    />
  );
}
