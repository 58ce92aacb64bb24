import { type JSX, Show } from "solid-js";
import { t } from "../i18n/t.ts";

interface ItemProps {
  link: string;
  name: string;
  sign?: JSX.Element;
  count?: number;
  /** Somebody needs the viewer: a mention or a direct message. */
  isUrgent?: boolean;
  isCurrent: boolean;
  isTopic?: boolean;
  isMuted?: boolean;
  /** In words, for those who don't see the sign. */
  note?: string | undefined;
}

/** A row of the list: a sign, a name, and how much is unread. */
export function Item(props: ItemProps) {
  const isUnread = () => (props.count ?? 0) > 0 && !props.isMuted;
  return (
    <li>
      <a
        class="item"
        classList={{ topic: props.isTopic ?? false, unread: isUnread(), muted: props.isMuted ?? false }}
        href={props.link}
        aria-current={props.isCurrent ? "page" : undefined}
      >
        {props.sign}
        <bdi class="name" title={props.name}>
          {props.name}
        </bdi>
        <Show when={props.note}>{(note) => <span class="sr"> ({note()})</span>}</Show>
        <Show when={(props.count ?? 0) > 0}>
          <span class="count" classList={{ urgent: props.isUrgent ?? false }} aria-hidden="true">
            {props.count}
          </span>
          <span class="sr">, {t("sidebar.unread", { count: props.count ?? 0 })}</span>
        </Show>
      </a>
    </li>
  );
}
