/**
 * What another program sends to the address of an integration becomes a message of the account whose key is
 * in the address. It takes the way of every message, with the account's permissions.
 */
import { createHash } from "node:crypto";
import { isEmptyTopicName } from "../../../../api/channels/topic-name.ts";
import { ApiError, errors } from "../../../../api/errors.ts";
import { MAX_MESSAGE_LENGTH } from "../../../../api/limits.ts";
import { openFences } from "../../../../markdown/fences.ts";
import { type Addressee, parseAddressee, type SendRequest } from "../../../messages/send/addressee.ts";
import { send, sendWithin } from "../../../messages/send/send.ts";
import { hasLimitedGuests } from "../../../people/access/user-access.ts";
import { changeContent, changeState } from "../../../people/viewer/change.ts";
import type { Viewer } from "../../../people/viewer/viewer.ts";
import type { RawBody } from "../../../platform/http/raw-body.ts";
import { isWanted } from "./event-filter.ts";
import type { IncomingMessage, Integration } from "./integration.ts";
import { findIntegration } from "./integrations.ts";
import { bold, paragraphs, topicText, truncate } from "./outside-text.ts";
import { readPayload } from "./payload.ts";
import { checkSignature } from "./signature.ts";
import { insertDelivery } from "./store.ts";

/** What the address says besides the key. */
export interface Address {
  integrationName: string;
  /** A channel's name or id. undefined: a direct message to the bot's owner. */
  stream?: number | string | undefined;
  topic?: string | undefined;
  onlyEvents?: readonly string[] | undefined;
  excludeEvents?: readonly string[] | undefined;
  secret?: string | undefined;
  template?: string | undefined;
  payload?: string | undefined;
}

const MAX_SHOWN_EVENT = 100;
/** The fences that close what was cut take some of the limit: twelve at most, of 21 characters. */
const MAX_CONTENT = MAX_MESSAGE_LENGTH - 500;

/**
 * Posts the message of an event, if the address wants such events and this delivery was not posted before.
 * Throws `unsupportedWebhookEvent` for an event that the integration does not know, and what a send throws.
 */
export async function receive(viewer: Viewer, address: Address, body: RawBody): Promise<Integration> {
  const integration = findIntegration(address.integrationName);
  if (!integration) throw new ApiError(errors.unknownIntegration);
  checkSignature(integration.signature, body, address.secret);
  const payload = readPayload(body, address.payload);
  const name = integration.eventOf({ payload, header: (header) => body.header(header) });
  if (!isWanted(name, address.onlyEvents, address.excludeEvents)) return integration;
  const known = Object.hasOwn(integration.events, name) ? integration.events[name] : undefined;
  if (!known) {
    const event = truncate(name, MAX_SHOWN_EVENT);
    throw new ApiError(errors.unsupportedWebhookEvent, { integration: integration.name, event });
  }
  const message = known.read(payload, { template: address.template });
  if (message === "unreadable") {
    throw new ApiError(errors.anomalousPayload, { integration: integration.name });
  }
  if (message) await post(viewer, integration, address, message, deliveryOf(integration, body));
  return integration;
}

async function post(
  viewer: Viewer,
  integration: Integration,
  address: Address,
  message: IncomingMessage,
  delivery: string | undefined,
): Promise<void> {
  const to = addresseeOf(viewer, integration, address, message);
  const request: SendRequest = {
    to,
    content: contentOf(address, message),
    localEcho: null,
    readBySender: false,
  };
  const digest = delivery === undefined ? undefined : digestOf(integration, address, delivery);
  try {
    await sendOnce(viewer, request, digest);
  } catch (error) {
    // The topic is ours, and the channel has none.
    const isRefused = error instanceof ApiError && error.declaration === errors.topicNotAllowed;
    if (!isRefused || address.topic !== undefined || to.kind !== "channel") throw error;
    await sendOnce(viewer, { ...request, to: { ...to, topic: "" } }, digest);
  }
}

/**
 * The delivery and its message are one transaction. So a delivery whose message was refused can be repeated,
 * and of two at the same time one is posted.
 */
async function sendOnce(viewer: Viewer, request: SendRequest, digest: Buffer | undefined): Promise<void> {
  if (!digest) {
    await send(viewer, request);
    return;
  }
  // The message may make its sender known to a guest, which is a change of state.
  const change = hasLimitedGuests(viewer.state) ? changeState : changeContent;
  await change(viewer, async (tx) => {
    const isNew = await insertDelivery(tx, viewer.state.organizationId, viewer.user.id, digest);
    if (isNew) await sendWithin(tx, tx.viewer, request);
  });
}

function deliveryOf({ deliveryHeaders = [] }: Integration, body: RawBody): string | undefined {
  return deliveryHeaders.map((name) => body.header(name)).find((value) => value !== undefined);
}

/** One event may be meant for several addresses, so these tell deliveries apart too. */
function digestOf({ name }: Integration, { stream, topic }: Address, delivery: string): Buffer {
  return createHash("sha256")
    .update(JSON.stringify([name, stream, topic, delivery]))
    .digest();
}

function addresseeOf(
  { user }: Viewer,
  { title }: Integration,
  { stream, topic }: Address,
  message: IncomingMessage,
): Addressee {
  if (stream !== undefined) return parseAddressee("channel", stream, topic ?? topicOf(message, title));
  // A person who uses their own key writes to themselves.
  const owner = user.botType === null ? user.id : user.botOwnerId;
  if (owner === null) throw new ApiError(errors.missingParameter, { name: "stream" });
  return { kind: "direct", userIds: [owner] };
}

function topicOf({ topic }: IncomingMessage, title: string): string {
  const text = topicText(topic ?? "");
  return isEmptyTopicName(text) ? title : text;
}

/** A direct message has no topic, so its text begins with what the topic would say. */
function contentOf({ stream }: Address, { topic, content }: IncomingMessage): string {
  const heading = stream === undefined && topic ? bold(topicText(topic)) : "";
  return finalContent(paragraphs(heading, content));
}

/**
 * Within the limit, and a message: a text that begins with a command, such as `/poll`, would become something
 * else.
 */
export function finalContent(content: string): string {
  const text = bounded(content.trimStart());
  return text.startsWith("/") ? `\u200b${text}` : text;
}

/** The text that is cut off must not leave a fence open. */
function bounded(content: string): string {
  if (content.length <= MAX_CONTENT) return content;
  const kept = truncate(content, MAX_CONTENT);
  return kept === content ? content : [kept, ...openFences(kept)].join("\n");
}
