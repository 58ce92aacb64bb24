import { Show } from "solid-js";
import { t } from "../../i18n/t.ts";
import { linkTo, narrowOfMessage } from "../../shared/routing/links.ts";
import { goQuietly } from "../../shared/routing/route.ts";
import { state } from "../../shared/state/state.ts";
import { setHtml } from "../../shared/text/html.ts";
import { channelName, peopleNames, topicName } from "../../shared/text/names.ts";
import { channelHue } from "../../ui/channel-hue.ts";
import { live } from "../../ui/live.ts";
import type { RowContent } from "./rows.ts";

interface BarProps {
  to: RowContent["to"];
  near: number | undefined;
  topicHtml: string | undefined;
  /** In a search: leads to the message among its neighbours, and marks nothing as read. */
  isResult: boolean;
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
    <a
      class="conversation-bar"
      classList={{ "of-channel": hue() !== undefined }}
      style={{ "--h": hue() }}
      href={link()}
      onClick={open}
    >
      {props.to.kind === "channel" ? (
        <>
          <bdi>#{channelName(props.to.channelId)}</bdi>
          <span aria-hidden="true">›</span>
          <Show when={props.topicHtml} keyed fallback={<bdi>{topicName(props.to.topic)}</bdi>}>
            {(html) => <bdi ref={(element) => setHtml(element, html)} />}
          </Show>
        </>
      ) : (
        <bdi>{t("feed.directBar", { names: peopleNames(props.to.userIds) })}</bdi>
      )}
      <Show when={props.isResult}>
        <span class="in-context">{t("search.context")}</span>
      </Show>
    </a>
  );
}
