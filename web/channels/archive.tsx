import { archiveChannel } from "../../api/channels/update-channel.ts";
import type { Channel } from "../../client/model/channels.ts";
import { t } from "../i18n/t.ts";
import { problemOf } from "../shared/state/problem-of.ts";
import { state } from "../shared/state/state.ts";
import { TakeOutOfUse } from "../ui/take-out-of-use.tsx";
import { changeChannel } from "./change-channel.ts";

/** Archives the channel, or brings it back. */
export function Archive(props: { channel: Channel }) {
  const archive = () => {
    const parameters = { stream_id: props.channel.id };
    return problemOf(() => state.connection.call(archiveChannel, parameters));
  };
  return (
    <TakeOutOfUse
      isOut={props.channel.isArchived}
      inUse={{
        heading: t("archive.heading"),
        text: t("archive.text"),
        action: t("archive.action"),
        question: t("archive.title", { channel: props.channel.name }),
      }}
      out={{ heading: t("archive.archived"), text: t("archive.archivedText"), action: t("archive.undo") }}
      takeOut={archive}
      bringBack={() => changeChannel(props.channel.id, { is_archived: false })}
    />
  );
}
