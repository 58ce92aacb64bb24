/**
 * Changes of what people add to messages: reactions and submessages. Those of one message run one after
 * another, so that they stand there in the order of their events. The others of this process wait here, and
 * not on a connection to the database, which changes of all organizations share. `accessMessageToAddTo` takes
 * the turn among several nodes.
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
