import { createEffect } from "solid-js";
import { t } from "../i18n/t.ts";
import { state } from "../shared/state/state.ts";
import { nameOf } from "../shared/text/names.ts";
import { announce } from "../ui/announce.ts";
import type { createFeedView } from "./feed-view.ts";
import { contentOf } from "./rows/rows.ts";

const MAX_LENGTH = 200;

/** Screen readers hear of a new message of others at the end of the open view. */
export function announceNewMessages(view: ReturnType<typeof createFeedView>): void {
  let last: string | undefined;
  createEffect(() => {
    const row = view.list().rows.at(-1);
    const isNew = last !== undefined && row !== undefined && row.key !== last;
    last = row?.key ?? last;
    const content = isNew ? contentOf(row) : undefined;
    if (!content || row?.muted || content.senderId === state.model.viewer.id) return;
    const text = content.html.replace(/<[^>]*>/g, "").slice(0, MAX_LENGTH);
    announce(t("announce.message", { name: nameOf(content.senderId), text }));
  });
}
