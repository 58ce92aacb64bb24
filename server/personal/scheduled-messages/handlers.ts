import {
  deleteScheduledMessage,
  getScheduledMessages,
  scheduleMessage as scheduleMessageEndpoint,
  updateScheduledMessage,
} from "../../../api/personal/scheduled-messages.ts";
import { prepareText } from "../../messages/send/send.ts";
import { Quotas } from "../../people/quotas/quotas.ts";
import { changeContent } from "../../people/viewer/change.ts";
import { readContent } from "../../people/viewer/read.ts";
import { route } from "../../people/viewer/route.ts";
import type { Route } from "../../platform/http/handler.ts";
import type { Services } from "../../services.ts";
import { changeScheduledMessage, prepareUpdate, scheduleMessage, unscheduleMessage } from "./actions.ts";
import { presentScheduledMessage } from "./present.ts";
import { ownScheduledMessages } from "./store.ts";

export function scheduledMessageRoutes({ config }: Pick<Services, "config">): Route[] {
  const quotas = new Quotas(config);
  return [
    route(getScheduledMessages, async ({ state, viewer }) => {
      const messages = await readContent(state, viewer, (tx, { user }) =>
        ownScheduledMessages.list(tx, state.organizationId, user.id),
      );
      return { scheduled_messages: messages.map(presentScheduledMessage) };
    }),
    route(scheduleMessageEndpoint, async ({ viewer, params }) => {
      const { type, to, topic, content, scheduledDeliveryTimestamp, readBySender } = params;
      const request = { type, to, topic, readBySender, deliveryTimestamp: scheduledDeliveryTimestamp };
      const text = await prepareText(viewer, content);
      const id = await changeContent(viewer, async (tx) => {
        await quotas.use(tx, "scheduled messages");
        return scheduleMessage(tx, request, text);
      });
      return { scheduled_message_id: id };
    }),
    route(updateScheduledMessage, async ({ viewer, params }) => {
      const { scheduledMessageId, type, to, topic, content, scheduledDeliveryTimestamp } = params;
      const update = { type, to, topic, content, deliveryTimestamp: scheduledDeliveryTimestamp };
      const text = await prepareUpdate(viewer, scheduledMessageId, update);
      await changeContent(viewer, (tx) => changeScheduledMessage(tx, scheduledMessageId, update, text));
      return {};
    }),
    route(deleteScheduledMessage, async ({ viewer, params }) => {
      await changeContent(viewer, (tx) => unscheduleMessage(tx, params.scheduledMessageId));
      return {};
    }),
  ];
}
