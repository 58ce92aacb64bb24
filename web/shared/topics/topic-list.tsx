import { lazyPart } from "../../i18n/lazy-part.ts";
import { openOverlay } from "../../ui/overlay.ts";
import { holdKeys } from "../../ui/type-ahead.ts";

const LateTopicList = lazyPart(async () => (await import("./topic-list-dialog.tsx")).TopicListDialog);

/** All topics of a channel, with a field that filters them. */
export function openTopicList(channelId: number): void {
  openOverlay((close) => <TopicList channelId={channelId} onClose={close} />);
}

function TopicList(props: { channelId: number; onClose(): void }) {
  holdKeys(".switcher", () => props.onClose());
  return <LateTopicList channelId={props.channelId} onClose={() => props.onClose()} />;
}
