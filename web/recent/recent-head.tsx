/** What is shown of the recent conversations, and in which order. */
import { For, Show } from "solid-js";
import { t } from "../i18n/t.ts";
import type { TextKey } from "../i18n/texts.ts";
import { state } from "../shared/state/state.ts";
import { FilterField, leaveField } from "../ui/filter-field.tsx";
import { Icon } from "../ui/icon.tsx";
import { live } from "../ui/live.ts";
import type { RecentChoice, RecentFilter, RecentOrder } from "./recent-places.ts";

const filterNames = ["unread", "participated", "followed", "direct", "muted"] as const;

interface ChoiceProps {
  choice: RecentChoice;
  onChange(change: Partial<RecentChoice>): void;
}

export function RecentFilters(props: ChoiceProps & { toList(): void }) {
  const folders = live(["folders", "channels", "generation"], () => {
    const used = new Set([...state.model.channels.byId.values()].map(({ folderId }) => folderId));
    return [...state.model.folders.byId.values()]
      .filter(({ id, isArchived }) => !isArchived && used.has(id))
      .sort((a, b) => a.order - b.order);
  });
  const toggle = (filter: RecentFilter) => {
    const next = new Set(props.choice.filters);
    if (!next.delete(filter)) next.add(filter);
    props.onChange({ filters: next });
  };
  return (
    <div class="recent-choices">
      <FilterField
        label={t("recent.filter")}
        text={props.choice.text}
        onText={(text) => props.onChange({ text })}
        onKeyDown={(event) => leaveField(event, () => props.onChange({ text: "" }), props.toList)}
      />
      <ul class="filters" aria-label={t("recent.filters")}>
        <For each={filterNames}>
          {(filter) => (
            <li>
              <button
                type="button"
                class="filter"
                aria-pressed={props.choice.filters.has(filter)}
                onClick={() => toggle(filter)}
              >
                {t(`recent.${filter}`)}
              </button>
            </li>
          )}
        </For>
      </ul>
      <Show when={folders().length > 0}>
        <select
          aria-label={t("recent.folder")}
          value={props.choice.folderId}
          onChange={(event) => props.onChange({ folderId: Number(event.currentTarget.value) })}
        >
          <option value={0}>{t("recent.allFolders")}</option>
          <For each={folders()}>{({ id, name }) => <option value={id}>{name}</option>}</For>
        </select>
      </Show>
    </div>
  );
}

const columns: readonly { order?: RecentOrder; label: TextKey; class: string }[] = [
  { order: "name", label: "recent.conversation", class: "recent-place" },
  { label: "recent.writers", class: "recent-writers" },
  { order: "time", label: "recent.time", class: "recent-time" },
  { order: "unread", label: "recent.unread", class: "recent-count" },
];

/** A press sorts by that column, and a second one the other way round. */
export function RecentColumns(props: ChoiceProps) {
  const isSorted = (order: RecentOrder) => props.choice.order === order;
  /** Names begin with the first letter, times and numbers with the greatest. */
  const isAscending = () => (props.choice.order === "name") !== props.choice.isReversed;
  const sort = (order: RecentOrder) =>
    props.onChange({ order, isReversed: isSorted(order) && !props.choice.isReversed });
  return (
    <thead>
      <tr>
        <For each={columns}>
          {({ order, label, class: name }) => (
            <th
              class={name}
              scope="col"
              aria-sort={order && isSorted(order) ? (isAscending() ? "ascending" : "descending") : undefined}
            >
              <Show when={order} fallback={t(label)}>
                {(by) => (
                  <button type="button" onClick={() => sort(by())}>
                    {t(label)}
                    <Show when={isSorted(by())}>
                      <Icon name={isAscending() ? "up" : "down"} />
                    </Show>
                  </button>
                )}
              </Show>
            </th>
          )}
        </For>
        <th class="recent-actions" scope="col">
          <span class="sr">{t("recent.actions")}</span>
        </th>
      </tr>
    </thead>
  );
}
