/** A way out after a holiday: everything that was sent before today is read. */
import { updateMessageFlagsForNarrow } from "../../api/messages/flags.ts";
import { getMessages } from "../../api/messages/messages.ts";
import { t } from "../i18n/t.ts";
import { problemOf } from "../shared/state/problem-of.ts";
import { state } from "../shared/state/state.ts";
import { today } from "../shared/text/today.ts";
import { askFirst } from "../ui/menus.tsx";
import { reportFailure, say } from "../ui/notice.ts";

/** So many messages in one call. */
const STEP = 1000;

const unreadOnes = [{ operator: "is", operand: "unread" }];

/** Says how many these are, and asks. */
export async function askToMarkBeforeToday(): Promise<void> {
  const midnight = new Date(today());
  const counted = await reportFailure(() => state.track(() => countBefore(midnight)));
  if (counted === undefined) return;
  if (counted === 0) {
    say(t("inbox.nothingBefore"));
    return;
  }
  askFirst({
    title: t("inbox.beforeTitle"),
    text: t(state.model.unreads.isIncomplete ? "inbox.beforeMore" : "inbox.beforeText", { count: counted }),
    action: t("inbox.beforeAction"),
    run: () => problemOf(() => markBefore(midnight)),
  });
}

/** Counts those that are known to be unread. */
async function countBefore(midnight: Date): Promise<number> {
  const { messages } = await state.connection.call(getMessages, {
    ...{ anchor: "date", anchor_date: midnight.toISOString(), num_before: 0, num_after: 1 },
    narrow: unreadOnes,
  });
  const first = messages[0]?.id ?? Number.POSITIVE_INFINITY;
  const all = [...state.model.unreads.buckets.values()].flatMap(({ ids }) => [...ids]);
  return all.filter((id) => id < first).length;
}

/** Begins at the newest. What was marked is no longer unread, and each step goes further back. */
async function markBefore(midnight: Date): Promise<void> {
  let from: { anchor: string; anchor_date?: string } = {
    anchor: "date",
    anchor_date: midnight.toISOString(),
  };
  for (;;) {
    const reply = await state.connection.call(updateMessageFlagsForNarrow, {
      ...{ ...from, include_anchor: false, num_before: STEP, num_after: 0 },
      ...{ narrow: unreadOnes, op: "add", flag: "read" },
    });
    if (reply.found_oldest || reply.first_processed_id === null) return;
    from = { anchor: String(reply.first_processed_id) };
  }
}
