import { withPart } from "../../ui/notice.ts";
import type { TopicPlace } from "./topic-actions.ts";

/** The menu of a topic, which is fetched when it is first opened. */
export function openTopicMenu(place: TopicPlace, anchor: Element, isOfHeader = false): void {
  void withPart(
    () => import("./topic-menu.ts"),
    (menu) => menu.openTopicMenu(place, anchor, isOfHeader),
  );
}
