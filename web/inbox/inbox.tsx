import { createMemo, createSignal, Show } from "solid-js";
import { lazyPart } from "../i18n/lazy-part.ts";
import { t } from "../i18n/t.ts";
import { isAloneSignal, mayInviteSignal } from "../shared/people/invite.ts";
import { go } from "../shared/routing/route.ts";
import { listUnread } from "../shared/routing/unread-places.ts";
import { state } from "../shared/state/state.ts";
import { FilterField, leaveField } from "../ui/filter-field.tsx";
import { Icon } from "../ui/icon.tsx";
import { Keyed } from "../ui/keyed.tsx";
import { live } from "../ui/live.ts";
import { openMenu } from "../ui/menus.tsx";
import { withPart } from "../ui/notice.ts";
import { bindRowKeys, focusFirstRow, goAside } from "../ui/row-keys.ts";
import { createFolding, filterUnread, groupByChannel } from "./groups.ts";
import { InboxGroup } from "./inbox-group.tsx";

const FirstSteps = lazyPart(async () => (await import("./first-steps.tsx")).FirstSteps);

/** The rows, and headings whose rows are folded away. One that was just opened keeps its place. */
const ROWS = '.inbox-row, .inbox-fold:is([aria-expanded="false"], :focus)';

/** Everything unread, by channel and conversation. Each row leads to the first unread message. */
export function Inbox() {
  let view: HTMLDivElement | undefined;
  bindRowKeys(() => view, ROWS);
  const all = live(["unreads", "subscriptions", "userTopics", "channels", "users", "generation"], listUnread);
  const [text, setText] = createSignal("");
  const fitting = createMemo(() => filterUnread(all(), text()));
  const groups = () => groupByChannel(fitting());
  const folding = createFolding(() => all().length);
  const isAlone = isAloneSignal();
  const invites = mayInviteSignal();
  const isIncomplete = live(["unreads", "generation"], () => state.model.unreads.isIncomplete);
  return (
    <>
      <header class="view-header">
        <button type="button" class="square back" aria-label={t("header.back")} onClick={() => go("#")}>
          <Icon name="back" />
        </button>
        <h1>{t("inbox.title")}</h1>
        <Show when={all().length > 0}>
          <FilterField
            label={t("inbox.filter")}
            text={text()}
            onText={setText}
            onKeyDown={(event) =>
              leaveField(
                event,
                () => setText(""),
                () => focusFirstRow(view, ROWS),
              )
            }
          />
          <button
            type="button"
            class="square"
            aria-haspopup="menu"
            aria-label={t("sidebar.actions", { name: t("inbox.title") })}
            title={t("sidebar.actions", { name: t("inbox.title") })}
            onClick={({ currentTarget }) => openActions(currentTarget)}
          >
            <Icon name="more" />
          </button>
        </Show>
      </header>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: the arrows go from a row to its buttons. */}
      <div class="inbox" ref={view} onKeyDown={(event) => goAside(event, ".inbox-line, .inbox-head")}>
        <Show when={isAlone() && invites()}>
          <FirstSteps />
        </Show>
        <Show when={all().length > 0} fallback={<AllRead isAlone={isAlone()} />}>
          <Show when={groups().length === 0}>
            <p class="note">{t("recent.empty")}</p>
          </Show>
          <Keyed each={groups()} by={({ key }) => key}>
            {(group) => (
              <InboxGroup
                group={group()}
                isFolded={text().trim() === "" && folding.isFolded(group())}
                onToggle={() => folding.toggle(group())}
              />
            )}
          </Keyed>
          <Show when={isIncomplete()}>
            <p class="note">{t("inbox.incomplete")}</p>
          </Show>
        </Show>
      </div>
    </>
  );
}

function openActions(anchor: Element): void {
  const markBefore = () =>
    withPart(
      () => import("./mark-before-today.ts"),
      ({ askToMarkBeforeToday }) => askToMarkBeforeToday(),
    );
  openMenu(t("sidebar.actions", { name: t("inbox.title") }), anchor, [
    { icon: "check", label: t("inbox.markBefore"), run: () => void markBefore() },
  ]);
}

function AllRead(props: { isAlone: boolean }) {
  return (
    <div class="empty">
      <p>{t("inbox.empty")}</p>
      <Show when={!props.isAlone}>
        <a class="button" href="#feed">
          {t("inbox.emptyAction")}
        </a>
      </Show>
    </div>
  );
}
