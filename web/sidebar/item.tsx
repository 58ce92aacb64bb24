import { createEffect, createMemo, type JSX, Show } from "solid-js";
import { t } from "../i18n/t.ts";
import { shortCount } from "../shared/text/short-count.ts";
import { Icon } from "../ui/icon.tsx";

interface ItemProps {
  link: string;
  name: string;
  sign?: JSX.Element;
  /** Behind the name. */
  mark?: JSX.Element;
  count?: number;
  /** Somebody needs the viewer: a mention or a direct message. */
  isUrgent?: boolean;
  /** The count is of something that is not unread. */
  isQuiet?: boolean;
  isCurrent: boolean;
  isTopic?: boolean;
  isMuted?: boolean;
  /** In words, for those who don't see the sign. */
  note?: string | undefined;
  /** What a plain press does instead of following the link. */
  open?(): void;
  /** Opens the actions of the place, beside the button. */
  onMenu?(anchor: Element): void;
}

/** A row of the list: a sign, a name, and how much is unread. The arrows to the side go to its actions. */
export function Item(props: ItemProps) {
  /** The mouse's second button, a long press, and the key for it. */
  const onContextMenu = (event: MouseEvent & { currentTarget: HTMLElement }) => {
    if (!props.onMenu) return;
    event.preventDefault();
    props.onMenu(event.currentTarget);
  };
  const onClick = (event: MouseEvent) => {
    if (!props.open || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    props.open();
  };
  /** However one came there, the row of the place on the screen is to be seen. */
  let row: HTMLLIElement | undefined;
  const isCurrent = createMemo(() => props.isCurrent);
  createEffect(() => isCurrent() && queueMicrotask(() => row?.scrollIntoView({ block: "nearest" })));
  const isUnread = () => (props.count ?? 0) > 0 && !props.isMuted && !props.isQuiet;
  return (
    <li
      class="item-row"
      ref={(element) => {
        row = element;
      }}
      onContextMenu={onContextMenu}
    >
      <a
        class="item"
        classList={{ topic: props.isTopic ?? false, unread: isUnread(), muted: props.isMuted ?? false }}
        href={props.link}
        tabindex={-1}
        onClick={onClick}
        aria-current={props.isCurrent ? "page" : undefined}
      >
        {props.sign}
        <bdi class="name" title={props.name}>
          {props.name}
        </bdi>
        {props.mark}
        <Show when={props.note}>{(note) => <span class="sr"> ({note()})</span>}</Show>
        <Show when={(props.count ?? 0) > 0}>
          <span class="count" classList={{ urgent: props.isUrgent ?? false }} aria-hidden="true">
            {shortCount(props.count ?? 0)}
          </span>
          <Show when={!props.isQuiet}>
            <span class="sr">, {t("sidebar.unread", { count: props.count ?? 0 })}</span>
          </Show>
        </Show>
      </a>
      <Show when={props.onMenu}>
        {(open) => (
          <button
            type="button"
            class="square item-menu"
            tabindex={-1}
            data-beside=""
            aria-label={t("sidebar.actions", { name: props.name })}
            aria-haspopup="menu"
            onClick={(event) => open()(event.currentTarget)}
          >
            <Icon name="more" />
          </button>
        )}
      </Show>
    </li>
  );
}
