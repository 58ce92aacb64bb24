import { route } from "../app/route.ts";
import { state } from "../app/state.ts";
import { t } from "../i18n/t.ts";
import { Icon } from "../ui/icon.tsx";
import { live } from "../ui/live.ts";
import { Item } from "./item.tsx";

export function Views() {
  const count = live(
    ["unreads", "subscriptions", "userTopics", "generation"],
    () => state.model.unreads.count,
  );
  const isFeed = () => {
    const current = route();
    return current.view === "messages" && current.narrow.length === 0;
  };
  const sign = (name: "inbox" | "feed") => (
    <span class="sign">
      <Icon name={name} />
    </span>
  );
  return (
    <ul>
      <Item
        link="#inbox"
        name={t("view.inbox")}
        count={count()}
        isCurrent={route().view !== "messages"}
        sign={sign("inbox")}
      />
      <Item link="#feed" name={t("view.feed")} isCurrent={isFeed()} sign={sign("feed")} />
    </ul>
  );
}
