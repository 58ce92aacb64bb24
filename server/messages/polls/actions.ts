import { ApiError, errors } from "../../../api/errors.ts";
import { submessageAdded } from "../../../api/events/polls.ts";
import type { WidgetAction, WidgetContent } from "../../../api/messages/widgets.ts";
import type { ViewerChange } from "../../people/viewer/change.ts";
import { accessMessageToAddTo } from "../access.ts";
import { audiencesOfChange } from "../delivery/audiences.ts";
import { hasFlag, messageFacts } from "../model/message.ts";
import { countSubmessages, insertSubmessage, listFirstSubmessages } from "../model/submessage-store.ts";
import { type Submessage, WIDGET_KIND } from "../model/submessages.ts";
import { participate } from "../participation.ts";

/** The limit on submessages of a message, since a page of messages carries all of them. */
export const MAX_SUBMESSAGES = 10_000;

/**
 * The actions that people can take, by the kind of message. A form of ready-made replies is answered by
 * messages.
 */
const actionsOf: Record<WidgetContent["widget_type"], readonly WidgetAction["type"][]> = {
  poll: ["vote", "new_option", "question"],
  todo: ["new_task", "strike", "new_task_list_title"],
  zform: [],
};
const forAuthors: readonly WidgetAction["type"][] = ["question", "new_task_list_title"];

/**
 * Adds an action of the viewer to a message that they can read and act on. People who can read it get an
 * event.
 */
export async function addSubmessage(
  tx: ViewerChange,
  messageId: number,
  action: WidgetAction,
): Promise<void> {
  const { state, viewer } = tx;
  const { organizationId } = state;
  const { row } = await accessMessageToAddTo({ state, user: viewer.user }, tx, messageId);
  if (!hasFlag(row.facts, messageFacts.isWidget)) throw new ApiError(errors.notInteractive);
  const [first] = await listFirstSubmessages(tx, organizationId, [row.id]);
  const { widget_type: widget } = JSON.parse((first as Submessage).content) as WidgetContent;
  if (!actionsOf[widget].includes(action.type)) {
    throw new ApiError(errors.wrongWidgetAction, { action: action.type });
  }
  if (forAuthors.includes(action.type) && row.senderId !== viewer.user.id) {
    throw new ApiError(errors.widgetAuthorOnly);
  }
  if ((await countSubmessages(tx, organizationId, row.id)) >= MAX_SUBMESSAGES) {
    throw new ApiError(errors.tooManySubmessages, { limit: MAX_SUBMESSAGES });
  }
  const { id, content } = await insertSubmessage(tx, organizationId, {
    messageId: row.id,
    senderId: viewer.user.id,
    kind: WIDGET_KIND,
    content: JSON.stringify(action),
  });
  const fields = {
    submessage_id: id,
    message_id: row.id,
    sender_id: viewer.user.id,
    msg_type: WIDGET_KIND,
    content,
  };
  for (const { audience } of await audiencesOfChange(state, tx, [row], viewer.user.id)) {
    tx.append(submessageAdded, fields, audience);
  }
  await participate(tx, viewer, row);
}
