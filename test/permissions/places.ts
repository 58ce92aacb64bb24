/** A channel with messages for each cell of the tables. */
import type { SampleIds } from "../../api/endpoint.ts";
import type { Channel } from "../../server/channels/channel.ts";
import { createChannel } from "../../server/channels/create/create.ts";
import { subscribe, unsubscribe } from "../../server/channels/subscriptions/subscribe.ts";
import { sendMessage } from "../../server/messages/send/send.ts";
import type { User } from "../../server/people/user.ts";
import { changeState, type ViewerChange } from "../../server/people/viewer/change.ts";
import { sql } from "../../server/platform/db/sql.ts";
import type { Harness } from "../harness/harness.ts";
import {
  type Kind,
  kindOptions,
  kinds,
  readsMessage,
  type Standing,
  standingsOf,
} from "./expected-access.ts";
import { actors, hasAccount, type Role, roles } from "./people.ts";
import type { Target } from "./targets.ts";

/** What a cell names in its call; queues are made when they are needed. */
export type Things = Omit<SampleIds, "queueId" | "lastEventId" | "freshName">;

/** A channel made for one cell. */
export interface Place {
  role: Role;
  kind: Kind;
  standing: Standing;
  things: Things;
  /** Words that only the messages of this channel hold that the role may not read. */
  unreadable: readonly string[];
}

interface Unfurnished {
  role: Role;
  kind: Kind;
  standing: Standing;
  channel: Channel;
  viewer: User | undefined;
  pat: User;
}

export async function makePlaces(harness: Harness, olga: User, targets: Map<Role, Target>): Promise<Place[]> {
  const viewer = { state: harness.state, user: olga, client: "test" };
  const inTransaction = (work: (tx: ViewerChange) => Promise<void>) => changeState(viewer, work);
  const scopes: Unfurnished[] = [];
  await inTransaction(async (tx) => {
    for (const role of roles) {
      for (const kind of kinds) {
        for (const standing of standingsOf(role)) {
          const name = `${role} ${kind.replace(/\W+/g, " ")} ${scopes.length}`;
          const channel = await createChannel(tx, { name, ...kindOptions[kind] });
          const pat = targets.get(role)?.person as User;
          const actor = hasAccount(role) ? harness.user(actors[role] as "ada").user : undefined;
          scopes.push({ role, kind, standing, channel, viewer: actor, pat });
        }
      }
    }
    for (const { channel, pat } of scopes) await subscribe(tx, [channel], [olga, pat]);
  });
  const earlier = await sendEverywhere(harness, olga, scopes, "earlier");
  const joining = scopes.filter(({ standing }) => standing.relation !== "never");
  await inTransaction(async (tx) => {
    for (const scope of joining) await subscribe(tx, [scope.channel], [scope.viewer as User]);
  });
  const received = await sendEverywhere(harness, olga, scopes, "received");
  await inTransaction(async (tx) => {
    for (const scope of joining) {
      if (scope.standing.relation === "was subscribed") {
        await unsubscribe(tx, [scope.channel], [scope.viewer as User]);
      }
    }
  });
  const later = await sendEverywhere(harness, olga, scopes, "later");
  const messages = { earlier, received, later };
  const places = scopes.map(({ role, kind, standing, channel }, index): Place => {
    const [messageId, ownMessageId] = messages[standing.message][index] as [number, number];
    const place = {
      channelId: channel.id,
      channelName: channel.name,
      topic: "lunch",
      messageId,
      ownMessageId,
    };
    const { things: target } = targets.get(role) as Target;
    const unreadable = (["earlier", "received", "later"] as const).filter(
      (when) => !reads(role, kind, standing, when),
    );
    return {
      role,
      kind,
      standing,
      things: { ...target, ...place },
      unreadable: unreadable.map((when) => wordsOf(channel.name, when)),
    };
  });
  for (const [index, { viewer: author }] of scopes.entries()) {
    if (!author) continue;
    const own = [earlier, received, later].map((sent) => (sent[index] as [number, number])[1]);
    // A person's message can be in a channel that they never were in, because it may have been moved there.
    await harness.services.database.query(
      sql`update messages set sender_id = ${author.id} where id = any(${own}::bigint[])`,
    );
  }
  return places;
}

function wordsOf(channelName: string, when: Standing["message"]): string {
  return `Soup of ${channelName}, ${when}?`;
}

/** Whether the role may read a message of that time in the channel. A subscriber receives later messages. */
function reads(role: Role, kind: Kind, { relation }: Standing, when: Standing["message"]): boolean {
  const isReceived = relation === "subscribed" && when === "later";
  return readsMessage(role, kind, { relation, message: isReceived ? "received" : when } as Standing);
}

/** Two messages in each channel: one of olga's, and one that is going to be the actor's own. */
async function sendEverywhere(
  harness: Harness,
  olga: User,
  scopes: readonly Unfurnished[],
  when: Standing["message"],
): Promise<[number, number][]> {
  const sender = { state: harness.state, user: olga, client: "test" };
  const send = ({ channel }: Unfurnished) =>
    sendMessage(sender, {
      to: { kind: "channel", channel: { id: channel.id }, topic: "lunch" },
      content: wordsOf(channel.name, when),
      localEcho: null,
      readBySender: null,
    });
  return Promise.all(scopes.map((scope) => Promise.all([send(scope), send(scope)])));
}
