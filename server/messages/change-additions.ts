/**
 * Changes of what people add to messages: reactions and submessages. The changes of one message run one after
 * another, so that they are stored in the order of their events. In this process they wait here, since a
 * connection to the database is shared by changes of all organizations. Between nodes they wait in
 * `accessMessageToAddTo`.
 */
import { changeContent, type ViewerChange } from "../people/viewer/change.ts";
import type { Viewer } from "../people/viewer/viewer.ts";
import type { OrganizationState } from "../platform/log/organization-state.ts";

/** By message, the end of the change that came last. */
type Turns = Map<number, Promise<void>>;

const turnsOf = new WeakMap<OrganizationState, Turns>();

/** Like `changeContent`, for a change that adds to a message or takes away what was added. */
export async function changeAdditions<T>(
  viewer: Viewer,
  messageId: number,
  work: (tx: ViewerChange) => Promise<T>,
): Promise<T> {
  const turns: Turns = turnsOf.get(viewer.state) ?? new Map();
  turnsOf.set(viewer.state, turns);
  const change = (turns.get(messageId) ?? Promise.resolve()).then(() => changeContent(viewer, work));
  const end = change.then(ignore, ignore);
  turns.set(messageId, end);
  void end.then(() => turns.get(messageId) === end && turns.delete(messageId));
  return change;
}

function ignore(): void {}
