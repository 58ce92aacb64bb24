import type { Message } from "../../../client/model/messages.ts";
import type { Narrow } from "../../../client/narrow.ts";
import { t } from "../../i18n/t.ts";
import { Icon } from "../../ui/icon.tsx";
import { keyText } from "../../ui/modifier.ts";
import { replyTo, toggleFlag } from "../actions/message-actions.ts";
import { pickReaction } from "../actions/message-dialogs.tsx";
import { openMessageMenu } from "../actions/open-message-menu.ts";

/** The frequent actions, over the edge of the row that has the pointer or the focus. */
export function RowToolbar(props: { message: Message; isStarred: boolean; narrow: Narrow }) {
  return (
    <div class="row-toolbar" role="toolbar" aria-label={t("message.actions")}>
      <button
        type="button"
        class="square"
        aria-label={t("message.react")}
        aria-haspopup="dialog"
        title={`${t("message.react")} (:)`}
        onClick={(event) => pickReaction(props.message, event.currentTarget)}
      >
        <Icon name="smile" />
      </button>
      <button
        type="button"
        class="square"
        aria-label={t("message.reply")}
        title={`${t("message.reply")} (R)`}
        onClick={() => replyTo(props.message)}
      >
        <Icon name="reply" />
      </button>
      <button
        type="button"
        class="square"
        classList={{ on: props.isStarred }}
        aria-label={t("message.star")}
        aria-pressed={props.isStarred}
        title={`${t("message.star")} (${keyText("Mod+S")})`}
        onClick={() => toggleFlag(props.message, "starred")}
      >
        <Icon name="star" />
      </button>
      <button
        type="button"
        class="square"
        aria-label={t("message.more")}
        aria-haspopup="menu"
        title={`${t("message.more")} (I)`}
        onClick={(event) => openMessageMenu(props.message, props.narrow, event.currentTarget)}
      >
        <Icon name="more" />
      </button>
    </div>
  );
}
