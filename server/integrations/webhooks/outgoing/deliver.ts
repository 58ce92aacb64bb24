/**
 * Calls the programs of bots (spec E22). A delivery is a row, written with its message. A job claims it by
 * counting a try, and leaves a job for later behind in case this node dies. The call itself runs in the
 * background, so that a slow program keeps no worker of jobs and no connection of the database. The reply and
 * the end of the row are one transaction that locks the row: however often a call is made, its reply is
 * posted once. Whether the bot may read and write is decided again at the call and at the reply.
 */
import { Type } from "typebox";
import { ApiError } from "../../../../api/errors.ts";
import type { OrganizationId } from "../../../../api/ids.ts";
import { botTypes } from "../../../../api/integrations/bots.ts";
import { accessMessage } from "../../../messages/access.ts";
import { callWriter } from "../../../messages/mentions/bot-calls.ts";
import { code, person } from "../../../messages/model/markdown-text.ts";
import type { FetchedRow } from "../../../messages/model/message.ts";
import type { Addressee } from "../../../messages/send/addressee.ts";
import { postMessage } from "../../../messages/send/post.ts";
import { sendWithin } from "../../../messages/send/send.ts";
import { organization } from "../../../organization/organization.ts";
import { hasLimitedGuests } from "../../../people/access/user-access.ts";
import { type User, users } from "../../../people/user.ts";
import type { Viewer } from "../../../people/viewer/viewer.ts";
import type { Queryable } from "../../../platform/db/database.ts";
import { cancel, enqueue } from "../../../platform/jobs/enqueue.ts";
import { defineJob } from "../../../platform/jobs/job.ts";
import { type Change, runContentChange, runStateChange } from "../../../platform/log/change.ts";
import type { OrganizationState } from "../../../platform/log/organization-state.ts";
import { runRead } from "../../../platform/log/read.ts";
import type { Services } from "../../../services.ts";
import { readBotRow, serviceOf } from "../../bots/details.ts";
import { type Outcome, outcomeOfAnswer, outcomeOfError } from "./answer.ts";
import { hasPlace, takePlace } from "./bot-places.ts";
import { type Called, payloadOf } from "./payload.ts";
import {
  type Delivery,
  deleteDelivery,
  deliveriesOfBatch,
  insertDeliveries,
  lockDelivery,
  updateTries,
} from "./store.ts";

const TIMEOUT_MS = 10_000;
const MAX_ANSWER_BYTES = 1024 * 1024;
/** Before the second try, the third and the fourth, which is the last. */
const BACKOFF_MS = [2_000, 10_000, 60_000];
const MAX_TRIES = BACKOFF_MS.length + 1;
/** After this time a call that has not finished is taken for lost with its node. */
const LEASE_MS = 60_000;
/** When there is no room for one more call. */
const BUSY_MS = 2_000;
/** A message that is older has lost its sense as a call. */
const MAX_LATE_MS = 24 * 3600 * 1000;
const CLIENT = "outgoing webhook";

export const callBot = defineJob({
  name: "call_bot",
  payload: Type.Object({ organizationId: Type.Integer(), deliveryId: Type.Integer() }),
  async run(
    services: Pick<Services, "database" | "keyring" | "log" | "organizations" | "outbound">,
    { organizationId, deliveryId },
  ) {
    const state = await services.organizations.byId(organizationId as OrganizationId);
    await begin(services, state, deliveryId);
  },
});

/** Writes the deliveries of a message, in its transaction. */
export const botCalls = callWriter({
  async write(tx, state, messageId, calls) {
    const { organizationId } = state;
    for (const id of await insertDeliveries(tx, organizationId, messageId, calls)) {
      await enqueueCall(tx, state, id);
    }
  },
  tables: (organizationId, calls) => deliveriesOfBatch(callBot, organizationId, calls),
});

/** At most one job of a delivery waits. */
async function enqueueCall(tx: Queryable, { organizationId }: OrganizationState, id: number, delayMs = 0) {
  const payload = { organizationId, deliveryId: id };
  const runAt = delayMs === 0 ? {} : { runAt: new Date(Date.now() + delayMs) };
  await enqueue(tx, callBot, payload, { key: keyOf(id), ...runAt });
}

function keyOf(id: number): string {
  return String(id);
}

async function begin(
  services: Pick<Services, "database" | "keyring" | "log" | "outbound">,
  state: OrganizationState,
  id: number,
): Promise<void> {
  const { outbound, database, log } = services;
  if (!outbound.hasRoom(state.organizationId, { isInBackground: true })) {
    return enqueueCall(database, state, id, busyMs());
  }
  const delivery = await database.transaction((tx) => claim(tx, state, id));
  if (!delivery) return;
  const leave = takePlace(state, delivery.botId);
  const hasBegun =
    leave &&
    outbound.begin(state.organizationId, async () => {
      try {
        await deliver(services, state, delivery);
      } catch (error) {
        log.error({ err: error }, "a call of a bot's program could not be finished; it will be tried again");
      } finally {
        leave();
      }
    });
  if (hasBegun) return;
  leave?.();
  await finish(state, delivery, { kind: "postponed" });
}

/** Those that wait come back at different times. */
function busyMs(): number {
  return BUSY_MS * (1 + Math.random());
}

/** Counts a try. undefined: the delivery is done, or its bot has no place free. */
async function claim(tx: Queryable, state: OrganizationState, id: number): Promise<Delivery | undefined> {
  const delivery = await lockDelivery(tx, state.organizationId, id);
  if (!delivery) return undefined;
  if (!hasPlace(state, delivery.botId)) {
    await enqueueCall(tx, state, id, busyMs());
    return undefined;
  }
  const tries = delivery.tries + 1;
  await updateTries(tx, state.organizationId, id, tries);
  await enqueueCall(tx, state, id, LEASE_MS);
  return { ...delivery, tries };
}

async function deliver(
  services: Pick<Services, "keyring" | "outbound">,
  state: OrganizationState,
  delivery: Delivery,
): Promise<void> {
  const called = await runRead(state, (tx) => findCalled(services, state, tx, delivery));
  const outcome: Outcome = called ? await call(services, state, delivery, called) : { kind: "done" };
  await finish(state, delivery, outcome);
}

/** undefined: there is nobody to call, or nothing that the bot may read. */
async function findCalled(
  { keyring }: Pick<Services, "keyring">,
  state: OrganizationState,
  tx: Queryable,
  { botId, messageId, trigger, createdAt }: Delivery,
): Promise<Called | undefined> {
  const bot = activeBot(state, botId);
  if (!bot || Date.now() - createdAt.getTime() > MAX_LATE_MS) return undefined;
  const service = serviceOf(keyring, await readBotRow(state, tx, botId));
  const row = service && (await findReadable(viewerOf(state, bot), tx, messageId));
  return row && { bot, service, trigger, row };
}

/** The bot, if it and its owner are active, and so is the organization. */
function activeBot(state: OrganizationState, id: Delivery["botId"]): User | undefined {
  const { byId } = state.get(users);
  const bot = byId.get(id);
  const owner = bot?.botOwnerId == null ? undefined : byId.get(bot.botOwnerId);
  const isActive = bot?.isActive && owner?.isActive && state.get(organization).isActive;
  return isActive && bot.botType === botTypes.outgoingWebhook ? bot : undefined;
}

function viewerOf(state: OrganizationState, bot: User): Viewer {
  return { state, user: bot, client: CLIENT };
}

/** The message as it is now, where it is now; undefined if it is gone or the bot may no longer read it. */
async function findReadable(viewer: Viewer, tx: Queryable, id: number): Promise<FetchedRow | undefined> {
  try {
    return (await accessMessage(viewer, tx, id)).row;
  } catch (error) {
    if (error instanceof ApiError) return undefined;
    throw error;
  }
}

async function call(
  { outbound }: Pick<Services, "outbound">,
  state: OrganizationState,
  { tries }: Delivery,
  called: Called,
): Promise<Outcome> {
  if (tries > MAX_TRIES) return { kind: "failure", reason: "the server was stopped during each call" };
  const payload = payloadOf(state, called);
  if (!payload) return { kind: "failure", reason: "services in Slack's form get no direct messages" };
  const { url, interface: form } = called.service;
  try {
    const response = await outbound.request(state.organizationId, url, {
      method: "POST",
      ...payload,
      timeoutMs: TIMEOUT_MS,
      maxResponseBytes: MAX_ANSWER_BYTES,
      mustEncrypt: true,
      isInBackground: true,
    });
    return outcomeOfAnswer(form, response);
  } catch (error) {
    return outcomeOfError(error);
  }
}

/** Does what the outcome asks for. Nothing, if another try has begun meanwhile. */
async function finish(state: OrganizationState, delivery: Delivery, outcome: Outcome): Promise<void> {
  // The message may make the bot known to a guest, which is a change of state.
  const run = hasLimitedGuests(state) ? runStateChange : runContentChange;
  await run(state, async (tx) => {
    const present = await lockDelivery(tx, state.organizationId, delivery.id);
    if (present?.tries !== delivery.tries) return;
    if (outcome.kind === "postponed") {
      await updateTries(tx, state.organizationId, delivery.id, delivery.tries - 1);
      return enqueueCall(tx, state, delivery.id, busyMs());
    }
    const backoff = BACKOFF_MS[delivery.tries - 1];
    if (outcome.kind === "retry" && backoff !== undefined) {
      return enqueueCall(tx, state, delivery.id, backoff);
    }
    await deleteDelivery(tx, state.organizationId, delivery.id);
    await cancel(tx, callBot, keyOf(delivery.id));
    await conclude(tx, delivery, outcome);
  });
}

async function conclude(
  tx: Change,
  { botId, messageId }: Delivery,
  outcome: Exclude<Outcome, { kind: "postponed" }>,
): Promise<void> {
  const bot = activeBot(tx.state, botId);
  if (!bot || outcome.kind === "done") return;
  const viewer = viewerOf(tx.state, bot);
  const row = await findReadable(viewer, tx, messageId);
  if (!row) return;
  if (outcome.kind === "reply") {
    const refusal = await reply(tx, viewer, row, outcome.content, outcome.widget);
    if (refusal !== undefined) await notifyOwner(tx, bot, row, `its reply was refused: ${refusal}`);
    return;
  }
  await reply(tx, viewer, row, `I could not ask my program, because ${outcome.reason}.`);
  await notifyOwner(tx, bot, row, outcome.reason);
}

/** Posts as the bot where the message is now. Returns why it may not, if so; nothing was written then. */
async function reply(
  tx: Change,
  viewer: Viewer,
  row: FetchedRow,
  content: string,
  widget?: (Outcome & { kind: "reply" })["widget"],
): Promise<string | undefined> {
  const to: Addressee = row.userIds
    ? { kind: "direct", userIds: row.userIds }
    : { kind: "channel", channel: { id: row.recipientId }, topic: row.topic ?? "" };
  try {
    await sendWithin(tx, viewer, { to, content, widget, localEcho: null, readBySender: null });
    return undefined;
  } catch (error) {
    if (error instanceof ApiError) return error.message;
    throw error;
  }
}

async function notifyOwner(tx: Change, bot: User, row: FetchedRow, reason: string): Promise<void> {
  const owner = bot.botOwnerId === null ? undefined : tx.state.get(users).byId.get(bot.botOwnerId);
  if (!owner?.isActive) return;
  const what = row.userIds ? "a direct message" : "a message that mentions it";
  await postMessage(tx, {
    to: { userIds: [owner.id] },
    content: `Your bot ${person(bot)} could not answer ${what}, for this reason: ${code(reason)}`,
  });
}
