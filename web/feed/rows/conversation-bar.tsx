import { type JSX, Show } from "solid-js";
import { lazyPart } from "../../i18n/lazy-part.ts";
import { t } from "../../i18n/t.ts";
import { channelLink, linkTo, narrowOfMessage } from "../../shared/routing/links.ts";
import { goQuietly } from "../../shared/routing/route.ts";
import { state } from "../../shared/state/state.ts";
import { setHtml } from "../../shared/text/html.ts";
import { channelName, peopleNames, topicName } from "../../shared/text/names.ts";
import { channelHue } from "../../ui/channel-hue.ts";
import { live } from "../../ui/live.ts";
import type { RowContent } from "./rows.ts";

const BarActions = lazyPart(async () => (await import("./bar-actions.tsx")).BarActions);

interface BarProps {
  to: RowContent["to"];
  near: number | undefined;
  topicHtml: string | undefined;
  /** In a search: leads to the message among its neighbours, and marks nothing as read. */
  isResult: boolean;
  /** The row has the pointer or the focus. */
  isActed: boolean;
  children?: JSX.Element;
}

/** In views of several conversations: which one begins here. */
export function ConversationBar(props: BarProps) {
  const link = () => linkTo(narrowOfMessage(props.to), props.near);
  const hue = live(["subscriptions", "generation"], () => {
    const { to } = props;
    const own = to.kind === "channel" ? state.model.subscriptions.byChannel.get(to.channelId) : undefined;
    return own && channelHue(own.color);
  });
  const open = (event: MouseEvent) => {
    if (!props.isResult || event.button !== 0 || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    goQuietly(link());
  };
  return (
    <div class="conversation-bar" classList={{ "of-channel": hue() !== undefined }} style={{ "--h": hue() }}>
      {props.to.kind === "channel" ? (
        <>
          <a class="bar-channel" href={channelLink(props.to.channelId)}>
            <bdi>#{channelName(props.to.channelId)}</bdi>
          </a>
          <span aria-hidden="true">›</span>
          <a href={link()} onClick={open}>
            <Show when={props.topicHtml} keyed fallback={<bdi>{topicName(props.to.topic)}</bdi>}>
              {(html) => <bdi ref={(element) => setHtml(element, html)} />}
            </Show>
            <Show when={props.isResult}>
              <span class="in-context">{t("search.context")}</span>
            </Show>
          </a>
        </>
      ) : (
        <a href={link()} onClick={open}>
          <bdi>{t("feed.directBar", { names: peopleNames(props.to.userIds) })}</bdi>
        </a>
      )}
      {props.children}
      <Show when={props.isActed}>
        <BarActions to={props.to} />
      </Show>
    </div>
  );
}
