import { createEffect, createMemo, createSignal, on, onCleanup, onMount, Show } from "solid-js";
import { conversationOf } from "../../client/narrow.ts";
import { t } from "../i18n/t.ts";
import { fetchSubscribers } from "../shared/people/channel-people.ts";
import { inviteLink, mayInviteSignal } from "../shared/people/invite.ts";
import { filterRequests, setPeopleOpen } from "../shared/people/people-panel.ts";
import { orderPeople } from "../shared/people/presence-order.ts";
import { route } from "../shared/routing/route.ts";
import { state } from "../shared/state/state.ts";
import { FilterField } from "../ui/filter-field.tsx";
import { Icon } from "../ui/icon.tsx";
import { isComposing } from "../ui/is-composing.ts";
import { Keyed } from "../ui/keyed.tsx";
import { live } from "../ui/live.ts";
import { roving } from "../ui/roving.ts";
import { PersonRow } from "./person-row.tsx";

/** So many at first, and with each press of the button below. The filter finds all. */
const PAGE = 200;
/** Presence ends without an event. */
const CHECK_MS = 60_000;

/** Who is there: the people of the conversation, and then all others. */
export function PeoplePanel() {
  let field: HTMLInputElement | undefined;
  let list: HTMLDivElement | undefined;
  const [text, setText] = createSignal("");
  const [now, setNow] = createSignal(0);
  const timer = setInterval(() => setNow((count) => count + 1), CHECK_MS);
  onCleanup(() => clearInterval(timer));
  onMount(() => list && roving(list, ".person"));
  createEffect(on(filterRequests, (count) => count > 0 && field?.focus()));
  const here = createPeopleHere();
  const invites = mayInviteSignal();
  const version = live(["users", "presences", "mutedUsers", "generation"], () => ({}));
  const parts = createMemo(() => {
    version();
    now();
    const present = here();
    if (!present) return { inside: undefined, others: orderPeople(state.model.users.byId.keys(), text()) };
    const inside = new Set(present);
    const rest = [...state.model.users.byId.keys()].filter((id) => !inside.has(id));
    return { inside: orderPeople(inside, text()), others: orderPeople(rest, text()) };
  });
  const isEmpty = () => (parts().inside ?? []).length + parts().others.length === 0;
  const onKeyDown = (event: KeyboardEvent) => {
    if (isComposing(event)) return;
    if (event.key === "ArrowDown") list?.querySelector<HTMLElement>(".person")?.focus();
    else if (event.key !== "Escape") return;
    else if (text() !== "") setText("");
    else setPeopleOpen(false);
    event.preventDefault();
  };
  return (
    <aside class="people" aria-label={t("people.title")}>
      <div class="people-head">
        <h2>{t("people.title")}</h2>
        <button
          type="button"
          class="square"
          aria-label={t("people.close")}
          onClick={() => setPeopleOpen(false)}
        >
          <Icon name="close" />
        </button>
      </div>
      <FilterField
        ref={(element) => {
          field = element;
        }}
        label={t("people.filter")}
        shortcut="W"
        text={text()}
        onText={setText}
        onKeyDown={onKeyDown}
      />
      <div
        class="people-list"
        ref={(element) => {
          list = element;
        }}
      >
        <Show when={parts().inside}>
          {(ids) => <PeopleSection title={t("people.here")} ids={ids()} filter={text()} />}
        </Show>
        <PeopleSection
          title={t(parts().inside ? "people.others" : "people.all")}
          ids={parts().others}
          filter={text()}
        />
        <Show when={isEmpty()}>
          <p class="none">{t("people.none")}</p>
        </Show>
        <Show when={invites() && text() === ""}>
          <a class="button invite" href={inviteLink}>
            <Icon name="plus" /> {t("invite.people")}
          </a>
        </Show>
      </div>
    </aside>
  );
}

function PeopleSection(props: { title: string; ids: readonly number[]; filter: string }) {
  const [limit, setLimit] = createSignal(PAGE);
  createEffect(
    on(
      () => props.filter,
      () => setLimit(PAGE),
      { defer: true },
    ),
  );
  const rest = () => props.ids.length - limit();
  return (
    <Show when={props.ids.length > 0}>
      <section>
        <h3>
          {props.title} <span class="count">{props.ids.length}</span>
        </h3>
        <ul>
          <Keyed each={props.ids.slice(0, limit())} by={(id) => id}>
            {(id) => <PersonRow userId={id()} />}
          </Keyed>
        </ul>
        <Show when={rest() > 0}>
          <button type="button" class="button more-people" onClick={() => setLimit(limit() + PAGE)}>
            {t("people.more", { count: Math.min(rest(), PAGE), rest: rest() })}
          </button>
        </Show>
      </section>
    </Show>
  );
}

/** Those of the conversation on the screen; undefined: it is none, or they are not known yet. */
function createPeopleHere(): () => readonly number[] | undefined {
  const [known, setKnown] = createSignal<{ channelId: number; ids: readonly number[] | undefined }>();
  const place = createMemo(() => {
    const current = route();
    return current.view === "messages" ? conversationOf(current.narrow) : undefined;
  });
  const channelId = createMemo(() => {
    const here = place();
    return here?.kind === "channel" ? here.channelId : undefined;
  });
  const changed = live(["subscribers", "generation"], () => ({}));
  createEffect(async () => {
    changed();
    const id = channelId();
    if (id === undefined) return;
    const ids = await fetchSubscribers(id);
    if (channelId() === id) setKnown({ channelId: id, ids });
  });
  return () => {
    const here = place();
    if (here?.kind === "direct") return [...here.userIds, state.model.viewer.id];
    const fetched = known();
    return fetched !== undefined && fetched.channelId === channelId() ? fetched.ids : undefined;
  };
}
