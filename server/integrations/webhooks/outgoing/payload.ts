/** What the server sends to the program of a bot (spec E22), in the form that its service wants. */
import { interfaceTypes } from "../../../../api/integrations/bots.ts";
import { channels } from "../../../channels/channel.ts";
import type { Trigger } from "../../../messages/mentions/bot-calls.ts";
import type { FetchedRow } from "../../../messages/model/message.ts";
import { type Message, toMessage } from "../../../messages/model/message.ts";
import { presentMessage } from "../../../messages/model/present.ts";
import { organizationSlug } from "../../../organization/organization.ts";
import { withoutUnknownPeople } from "../../../people/access/unknown-people.ts";
import { shownEmail } from "../../../people/email/email-visibility.ts";
import { type User, users } from "../../../people/user.ts";
import type { OrganizationState } from "../../../platform/log/organization-state.ts";
import { ownVersion } from "../../../version.ts";
import type { Service } from "../../bots/details.ts";

/** A message that calls a bot. */
export interface Called {
  bot: User;
  service: Service;
  trigger: Trigger;
  row: FetchedRow;
}

export interface Payload {
  headers: Record<string, string>;
  body: string;
}

/** undefined: the service's form has nothing for such a message. */
export function payloadOf(state: OrganizationState, called: Called): Payload | undefined {
  const message = toMessage(called.row);
  if (called.service.interface === interfaceTypes.slack) return slackPayload(state, called, message);
  return {
    headers: { ...sender, "content-type": "application/json" },
    body: JSON.stringify(presentCall(state, called, message)),
  };
}

const sender = { "user-agent": `ParleyOutgoingWebhook/${ownVersion}` };
/** Programs may read it later than the call, so the message does not depend on their client's abilities. */
const form = { applyMarkdown: false, clientGravatar: false, emptyTopicName: false };

function presentCall(state: OrganizationState, { bot, service, trigger, row }: Called, message: Message) {
  const record = withoutUnknownPeople(state, bot, presentMessage(state, message, row.userIds, form));
  return {
    bot_email: shownEmail(state, bot),
    bot_full_name: bot.fullName,
    data: message.content,
    trigger,
    token: service.token,
    message: { ...record, rendered_content: message.renderedContent },
  };
}

/** The form has no direct messages. */
function slackPayload(
  state: OrganizationState,
  { service, trigger, row }: Called,
  message: Message,
): Payload | undefined {
  if (row.userIds) return undefined;
  const organization = organizationSlug(state);
  const fields = new URLSearchParams({
    token: service.token,
    team_id: `T${state.organizationId}`,
    team_domain: organization,
    channel_id: `C${message.recipientId}`,
    channel_name: state.get(channels).find(message.recipientId)?.name ?? "",
    thread_ts: String(message.sentAt),
    timestamp: String(message.sentAt),
    user_id: `U${message.senderId}`,
    user_name: state.get(users).find(message.senderId)?.fullName ?? "",
    text: message.content,
    trigger_word: trigger,
    service_id: String(row.recipientId),
  });
  return {
    headers: { ...sender, "content-type": "application/x-www-form-urlencoded" },
    body: fields.toString(),
  };
}
