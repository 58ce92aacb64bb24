import { createEffect, createSignal, onCleanup } from "solid-js";
import type { Conversation } from "../../client/narrow.ts";
import { t } from "../i18n/t.ts";
import { state } from "../shared/state/state.ts";
import { nameOf } from "../shared/text/names.ts";
import { live } from "../ui/live.ts";

/** Who is typing here, in words. */
export function Typists(props: { place: Conversation | undefined }) {
  const [expired, setExpired] = createSignal(0);
  const version = live(["typing", "generation"], () => state.model.typing);
  const people = () => {
    expired();
    return typistsIn(version(), props.place);
  };
  createEffect(() => {
    people();
    const next = state.model.typing.nextExpiry;
    if (next === undefined) return;
    const timer = setTimeout(
      () => setExpired((count) => count + 1),
      Math.max(0, next - state.model.now()) + 10,
    );
    onCleanup(() => clearTimeout(timer));
  });
  return <>{sentence(people())}</>;
}

function typistsIn(typing: typeof state.model.typing, place: Conversation | undefined): number[] {
  const { mutedUsers, viewer } = state.model;
  if (!place || (place.kind === "channel" && place.topic === undefined)) return [];
  const where =
    place.kind === "channel"
      ? { kind: "channel" as const, channelId: place.channelId, topic: place.topic ?? "" }
      : { kind: "direct" as const, userIds: [...new Set([...place.userIds, viewer.id])] };
  return typing.in(where).filter((id) => id !== viewer.id && !mutedUsers.has(id));
}

function sentence(ids: readonly number[]): string {
  const [first, second] = ids;
  if (first === undefined) return "";
  if (second === undefined) return t("typing.one", { name: nameOf(first) });
  return ids.length > 2
    ? t("typing.many")
    : t("typing.two", { first: nameOf(first), second: nameOf(second) });
}
