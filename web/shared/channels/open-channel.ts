/** Opens a channel in the view that the account has set for it. */
import { userSettings } from "../../../api/people/user-settings.ts";
import { withPart } from "../../ui/notice.ts";
import { channelLink, topicLink } from "../routing/links.ts";
import { go } from "../routing/route.ts";
import { state } from "../state/state.ts";

/** As the API numbers them. */
const views = { newestTopic: 1, messages: 2, topics: 3, inbox: 4 };

export async function openChannel(channelId: number): Promise<void> {
  const view: number = state.model.settings.get(userSettings.webChannelDefaultView);
  if (view === views.inbox) return go("#inbox");
  if (view === views.messages) return go(channelLink(channelId));
  if (view === views.topics) return openTopics(channelId);
  const before = location.hash;
  await state.topics.need(channelId);
  const [newest] = state.topics.of(channelId);
  // Meanwhile the person may have gone elsewhere.
  if (location.hash !== before) return;
  go(newest ? topicLink(channelId, newest.name) : channelLink(channelId));
}

/** The list of topics, above the channel's messages. A change of the address closes what is open. */
function openTopics(channelId: number): Promise<void> {
  return withPart(
    () => import("../topics/topic-list.tsx"),
    ({ openTopicList }) => {
      const link = channelLink(channelId);
      if (location.hash === link) return openTopicList(channelId);
      addEventListener("hashchange", () => location.hash === link && openTopicList(channelId), {
        once: true,
      });
      go(link);
    },
  );
}
