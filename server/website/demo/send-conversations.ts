/** What the people of the demo say, in two steps of `createDemo`. */

import type { MessageId, RecipientId } from "../../../api/ids.ts";
import { type Channel, channels } from "../../channels/channel.ts";
import { findOrMakeConversation } from "../../channels/recipients/recipients.ts";
import { subscribe } from "../../channels/subscriptions/subscribe.ts";
import { subscribers } from "../../channels/subscriptions/subscribers.ts";
import { sendPastMessage, writePastReading } from "../../messages/past.ts";
import type { Addressee } from "../../messages/send/addressee.ts";
import { createUser } from "../../people/actions.ts";
import { Quotas } from "../../people/quotas/quotas.ts";
import { changeState } from "../../people/viewer/change.ts";
import type { Viewer } from "../../people/viewer/viewer.ts";
import type { Change } from "../../platform/log/change.ts";
import type { OrganizationState } from "../../platform/log/organization-state.ts";
import { setStatus } from "../../profiles/user-status/actions.ts";
import type { Services } from "../../services.ts";
import { type CastName, newcomer, people } from "./cast.ts";
import { type Colleague, colleagues } from "./colleagues.ts";
import { companyConversations } from "./conversations/company.ts";
import type { Conversation } from "./conversations/conversation.ts";
import { engineeringConversations } from "./conversations/engineering.ts";
import { firstConversations } from "./conversations/first.ts";
import { productConversations } from "./conversations/product.ts";
import { type TimedLine, timedLines } from "./conversations/times.ts";
import { Cast } from "./demo-cast.ts";
import { type SentLine, writeInteractions } from "./interactions.ts";
import { drawPictures } from "./pictures.ts";
import { addPersonalData, arrangeTopics, createGroups, hasGroups } from "./sample-data.ts";

/** Whether all steps are done: the last one adds the newcomer. */
export function isWhole(state: OrganizationState): boolean {
  return new Cast(state).find(newcomer.name) !== undefined;
}

/** Sends the messages that the examples of the API name. They get the same ids each time. */
export async function sendFirstConversations(_: unknown, ada: Viewer, now: number): Promise<void> {
  await changeState(ada, async (tx) => {
    if (hasGroups(tx.state)) return;
    await createGroups(tx);
    const sent: SentLine[] = [];
    for (const line of timedLines(firstConversations, now)) await send(tx, line, new Map(), sent);
    tx.appendRows({
      count: 0,
      async write() {
        await writeInteractions(tx, sent);
        return [];
      },
    });
  });
}

/**
 * Sends all other messages, with what people did with them. What was said on earlier days has been read. What
 * is of today is unread for those whom one signs in as.
 */
export async function sendOtherConversations(
  services: Pick<Services, "config" | "files" | "keyring">,
  ada: Viewer,
  now: number,
): Promise<void> {
  const lines = timedLines(
    [...productConversations, ...engineeringConversations, ...companyConversations],
    now,
  );
  const pictures = await drawPictures(services, (name) => posterOf(name, lines, new Cast(ada.state)));
  await changeState(ada, async (tx) => {
    if (isWhole(tx.state)) return;
    const cast = new Cast(tx.state);
    await setStatuses(services, cast, tx);
    await addNewcomer(services, tx);
    const sent: SentLine[] = [];
    for (const line of lines) await send(tx, line, pictures, sent);
    await arrangeTopics(cast.acting(tx, "ada"));
    await addPersonalData(cast.acting(tx, "ada"), now);
    const unread = await unreadOfToday(cast, lines);
    tx.appendRows({
      count: 0,
      async write() {
        await writeInteractions(tx, sent);
        await writeReadStates(tx, cast, unread(sent));
        return [];
      },
    });
  });
}

/** A file belongs to who posts it: a message of anybody else does not share it. */
function posterOf(picture: string, lines: readonly TimedLine[], cast: Cast): Viewer {
  const posted = lines.find(({ line }) => line[1].includes(`{{${picture}}}`));
  if (!posted) throw new Error(`nobody posts the picture ${picture}`);
  return cast.viewer(posted.from);
}

async function send(
  tx: Change,
  line: TimedLine,
  pictures: ReadonlyMap<string, string>,
  sent: SentLine[],
): Promise<void> {
  const cast = new Cast(tx.state);
  const content = line.line[1].replace(
    /\{\{(.+?)\}\}/g,
    (_whole, name: string) => pictures.get(name) ?? name,
  );
  const { sentAt, isReply } = line;
  const message = { to: addresseeOf(cast, line.to), content, isReply, sentAt };
  const posted = (id: MessageId) => void sent.push({ ...line, id });
  await sendPastMessage(tx, cast.viewer(line.from), message, posted);
}

function addresseeOf(cast: Cast, to: Conversation["to"]): Addressee {
  return "people" in to
    ? { kind: "direct", userIds: to.people.map((name) => cast.user(name).id) }
    : { kind: "channel", channel: { name: to.channel }, topic: to.topic };
}

/** The account of somebody who came today. It is the mark that nothing is missing. */
async function addNewcomer({ keyring }: Pick<Services, "keyring">, tx: Change): Promise<void> {
  const { email, fullName, role } = newcomer;
  const user = await createUser(tx, keyring, { email, fullName, role, passwordHash: null });
  const joined = newcomer.channels.map((name) => tx.state.get(channels).findByName(name) as Channel);
  await subscribe(tx, joined, [user]);
}

async function setStatuses({ config }: Pick<Services, "config">, cast: Cast, tx: Change): Promise<void> {
  const quotas = new Quotas(config);
  for (const [key, { status }] of Object.entries<Colleague>(colleagues)) {
    const name = key as CastName;
    if (!status) continue;
    const change = cast.acting(tx, name);
    await setStatus(change, quotas, cast.user(name), { statusText: status.text, emojiName: status.emoji });
  }
}

/** Finds what each message goes to before the rows are written, which no more statements may come before. */
async function unreadOfToday(
  cast: Cast,
  lines: readonly TimedLine[],
): Promise<(sent: readonly SentLine[]) => readonly UnreadLine[]> {
  const recipients = new Map<TimedLine["to"], RecipientId>();
  for (const { to, from } of lines) recipients.set(to, await recipientOf(cast, to, from));
  return (sent) =>
    sent.flatMap(({ id, to, from, isOfToday }) =>
      isOfToday ? [{ id, to, from, recipientId: recipients.get(to) as RecipientId }] : [],
    );
}

interface UnreadLine {
  id: MessageId;
  to: Conversation["to"];
  from: CastName;
  recipientId: RecipientId;
}

async function recipientOf(cast: Cast, to: Conversation["to"], from: CastName): Promise<RecipientId> {
  const { state } = cast;
  if ("channel" in to) return (state.get(channels).findByName(to.channel) as Channel).id;
  const ids = new Set([...to.people, from].map((name) => cast.user(name).id));
  return findOrMakeConversation(
    state,
    [...ids].sort((a, b) => a - b),
  );
}

async function writeReadStates(tx: Change, cast: Cast, unread: readonly UnreadLine[]): Promise<void> {
  const accounts = Object.keys(people) as (keyof typeof people)[];
  const others = Object.keys(colleagues) as CastName[];
  for (const name of accounts) {
    const own = unread.filter((line) => line.from !== name && receives(cast, name, line));
    await writePastReading(tx, cast.user(name).id, own);
  }
  for (const name of others) await writePastReading(tx, cast.user(name).id, []);
}

function receives(cast: Cast, name: CastName, { to }: UnreadLine): boolean {
  if ("people" in to) return to.people.includes(name);
  const channel = cast.state.get(channels).findByName(to.channel) as Channel;
  return cast.state.get(subscribers).has(channel.id, cast.user(name).id);
}
