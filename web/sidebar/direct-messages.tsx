import { For, Show } from "solid-js";
import { directLink } from "../app/links.ts";
import { peopleNames } from "../app/names.ts";
import { state } from "../app/state.ts";
import { t } from "../i18n/t.ts";
import { live } from "../ui/live.ts";
import { currentPlace } from "./current-place.ts";
import { Item } from "./item.tsx";

const MAX_SHOWN = 8;

/** The newest conversations, and older ones with unread messages. */
export function DirectMessages() {
  const keys = live(["conversations", "unreads", "mutedUsers", "generation"], () => {
    const { conversations, unreads } = state.model;
    return conversations
      .newestFirst()
      .filter(({ userIds }, at) => at < MAX_SHOWN || unreads.inConversation(userIds).size > 0)
      .map(({ userIds }) => userIds.join());
  });
  return (
    <section>
      <h2>{t("sidebar.direct")}</h2>
      <Show when={keys().length > 0} fallback={<p class="none">{t("sidebar.noDirect")}</p>}>
        <ul>
          <For each={keys()}>
            {(key) => <DirectConversation userIds={key === "" ? [] : key.split(",").map(Number)} />}
          </For>
        </ul>
      </Show>
    </section>
  );
}

function DirectConversation(props: { userIds: readonly number[] }) {
  const { userIds } = props;
  const ids = userIds.length > 0 ? userIds : [state.model.viewer.id];
  const count = live(["unreads", "generation"], () => state.model.unreads.inConversation(userIds).size);
  const name = live(["users", "generation"], () => peopleNames(userIds));
  const presence = live(["presences", "generation"], () =>
    userIds.length === 1 ? state.model.presences.statusOf(userIds[0] as number) : undefined,
  );
  const isCurrent = () => {
    const place = currentPlace();
    return place?.kind === "direct" && [...place.userIds].sort((a, b) => a - b).join() === ids.join();
  };
  return (
    <Item
      link={directLink(userIds)}
      name={name()}
      count={count()}
      isUrgent
      isCurrent={isCurrent()}
      note={presence() && t(`presence.${presence() ?? "offline"}`)}
      sign={
        <span class="sign">
          <span class="dot" data-presence={presence() ?? "group"} />
        </span>
      }
    />
  );
}
