import { Show } from "solid-js";
import { MAX_GROUP_DESCRIPTION_LENGTH, MAX_GROUP_NAME_LENGTH } from "../../api/limits.ts";
import { canManageGroup } from "../../client/group-access.ts";
import type { Group } from "../../client/model/groups.ts";
import { language, t } from "../i18n/t.ts";
import { state } from "../shared/state/state.ts";
import { nameOf } from "../shared/text/names.ts";
import { live } from "../ui/live.ts";
import { SavedText } from "../ui/saved-fields.tsx";
import { changeGroup, groupSignal } from "./change-group.ts";
import { Deactivation } from "./deactivation.tsx";
import { MembershipButton } from "./membership.tsx";
import { Uses } from "./uses.tsx";

export function General(props: { groupId: number }) {
  const id = props.groupId;
  // A copy with each change: Solid takes an object that changed in place for the same.
  const group = live(["groups", "generation"], () => {
    const one = state.model.groups.byId.get(id);
    return one && { ...one };
  });
  const mayChange = groupSignal(id, (one) => canManageGroup(state.model, one), false);
  const isMember = groupSignal(id, () => state.model.groups.isMember(id, state.model.viewer.id), false);
  return (
    <Show when={group()}>
      {(one) => (
        <>
          <div class="membership">
            <p>{t(isMember() ? "group.isMember" : "group.isNoMember")}</p>
            <MembershipButton groupId={id} />
          </div>
          <Show
            when={mayChange()}
            fallback={
              <div class="field">
                <p class="field-label">{t("channel.description")}</p>
                <p dir="auto">{one().description === "" ? t("channel.noDescription") : one().description}</p>
              </div>
            }
          >
            <SavedText
              label={t("channel.name")}
              hint={t("group.nameHint", { name: one().name })}
              value={one().name}
              maxLength={MAX_GROUP_NAME_LENGTH}
              save={(name) => changeGroup(id, { name: name.trim() })}
            />
            <SavedText
              label={t("channel.description")}
              value={one().description}
              rows={2}
              maxLength={MAX_GROUP_DESCRIPTION_LENGTH}
              save={(description) => changeGroup(id, { description })}
            />
          </Show>
          <Uses groupId={id} />
          <Show when={mayChange()}>
            <Deactivation group={one()} />
          </Show>
          <p class="hint created">{createdText(one())}</p>
        </>
      )}
    </Show>
  );
}

function createdText({ creatorId, createdAt }: Group): string {
  if (createdAt === null) return "";
  const date = new Intl.DateTimeFormat(language(), { dateStyle: "long" }).format(createdAt * 1000);
  return creatorId === null
    ? t("channel.created", { date })
    : t("channel.createdBy", { date, name: nameOf(creatorId) });
}
