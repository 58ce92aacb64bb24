import { loadWithTexts } from "../../i18n/lazy-part.ts";
import type { TopicPlace } from "./topic-actions.ts";

/** The menu of a topic, which is fetched when it is first opened. */
export function openTopicMenu(place: TopicPlace, anchor: Element): void {
  void loadWithTexts(() => import("./topic-menu.ts")).then((menu) => menu.openTopicMenu(place, anchor));
}
