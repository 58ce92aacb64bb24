import { For, Show } from "solid-js";
import { isUsed, usesOf } from "../../client/group-access.ts";
import { t } from "../i18n/t.ts";
import { channelSettingsLink } from "../shared/channels/settings-link.ts";
import { groupName } from "../shared/groups/group-name.ts";
import { state } from "../shared/state/state.ts";
import { channelName } from "../shared/text/names.ts";
import { live } from "../ui/live.ts";
import { groupSettingsLink } from "./settings-link.ts";

/** The settings and groups that name the group: what depends on it. */
export function Uses(props: { groupId: number }) {
  const uses = live(["groups", "channels", "organization", "generation"], () =>
    usesOf(state.model, props.groupId),
  );
  return (
    <section>
      <h3>{t("uses.title")}</h3>
      <Show when={isUsed(uses())} fallback={<p class="hint">{t("uses.none")}</p>}>
        <ul class="uses">
          <Show when={uses().ofOrganization > 0}>
            <li>{t("uses.organization", { count: uses().ofOrganization })}</li>
          </Show>
          <For each={uses().channelIds}>
            {(id) => (
              <li>
                <a href={channelSettingsLink(id, "permissions")}>
                  {t("uses.channel", { channel: channelName(id) })}
                </a>
              </li>
            )}
          </For>
          <For each={uses().groupIds}>
            {(id) => (
              <li>
                <a href={groupSettingsLink(id, "permissions")}>{t("uses.group", { group: groupName(id) })}</a>
              </li>
            )}
          </For>
          <For each={uses().supergroupIds}>
            {(id) => (
              <li>
                <a href={groupSettingsLink(id, "members")}>{t("uses.subgroup", { group: groupName(id) })}</a>
              </li>
            )}
          </For>
        </ul>
      </Show>
    </section>
  );
}
