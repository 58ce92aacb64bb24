/**
 * Messages of muted people: those that follow each other become one row that says how many there are. The
 * person may have a run shown, until the page is left.
 */
import { createSignal } from "solid-js";
import { state } from "../../shared/state/state.ts";
import type { Row } from "./rows.ts";

const [revealed, setRevealed] = createSignal<ReadonlySet<number>>(new Set());

export function reveal(ids: readonly number[]): void {
  setRevealed(new Set([...revealed(), ...ids]));
}

/** Whether a message is hidden now. Says it again when it is asked for in a computation. */
function isHidden(id: number): boolean {
  const { messages, mutedUsers } = state.model;
  const senderId = messages.byId.get(id)?.senderId;
  return senderId !== undefined && mutedUsers.has(senderId) && !revealed().has(id);
}

/** In a view of several conversations, one with only a muted person is not shown at all. */
export function isOfMutedAlone(id: number): boolean {
  const { messages, mutedUsers, viewer } = state.model;
  const to = messages.byId.get(id)?.to;
  if (to?.kind !== "direct") return false;
  const others = to.userIds.filter((one) => one !== viewer.id);
  return others.length === 1 && others.every((one) => mutedUsers.has(one));
}

/** `runOf` gives the row for a run of hidden messages, the same one for the same messages. */
export function foldMuted(rows: readonly Row[], runOf: (ids: readonly number[]) => Row): Row[] {
  const folded: Row[] = [];
  let run: number[] = [];
  const end = () => {
    if (run.length > 0) folded.push(runOf(run));
    run = [];
  };
  for (const row of rows) {
    if (row.id !== undefined && isHidden(row.id)) run.push(row.id);
    else {
      end();
      folded.push(row);
    }
  }
  end();
  return folded;
}
