import { Show } from "solid-js";
import { hashOfNarrow } from "../../../client/narrow-hash.ts";
import { t } from "../../i18n/t.ts";
import { openUserCard } from "../../shared/people/open-user-card.tsx";
import { StatusEmoji } from "../../shared/people/status-emoji.tsx";
import { narrowOfMessage } from "../../shared/routing/links.ts";
import { state } from "../../shared/state/state.ts";
import { nameOf } from "../../shared/text/names.ts";
import { clock, fullTime } from "../../shared/text/times.ts";
import { Avatar } from "../../ui/avatar.tsx";
import { live } from "../../ui/live.ts";
import type { Row, RowContent } from "./rows.ts";

/** Who sent the message, and when. */
export function MessageHeading(props: { row: Row; content: RowContent }) {
  const sender = live(["users", "generation"], () => state.model.users.get(props.content.senderId));
  const link = () =>
    props.row.id === undefined
      ? undefined
      : hashOfNarrow({ narrow: narrowOfMessage(props.content.to), near: props.row.id });
  /** Only when it is pointed at: browsers need long for a date in words. */
  const nameMoment = (event: PointerEvent & { currentTarget: HTMLElement }) => {
    event.currentTarget.title = fullTime(props.content.sentAt * 1000);
  };
  return (
    <>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: the name beside it is a button for the same. */}
      {/* biome-ignore lint/a11y/useKeyWithClickEvents: the button has the keys. */}
      <span
        class="avatar-press"
        onClick={({ currentTarget }) =>
          openUserCard(props.content.senderId, currentTarget.nextElementSibling ?? currentTarget)
        }
      >
        <Avatar user={sender()} />
      </span>
      <p class="sender">
        <button
          type="button"
          class="sender-name"
          aria-haspopup="dialog"
          onClick={(event) => openUserCard(props.content.senderId, event.currentTarget)}
        >
          <bdi>{nameOf(props.content.senderId)}</bdi>
        </button>
        <StatusEmoji userId={props.content.senderId} />
        <Show when={sender()?.isBot}>
          <span class="tag">{t("feed.bot")}</span>
        </Show>
        <a class="time" href={link()} onPointerEnter={nameMoment}>
          {clock(props.content.sentAt)}
        </a>
      </p>
    </>
  );
}
