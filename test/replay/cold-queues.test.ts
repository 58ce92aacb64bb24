/**
 * A queue that reads the log again gives what one gives that collected the events as they came: its client
 * ends with what a fresh snapshot says. And it gives nobody what they may not read any more.
 */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { roles } from "../../api/roles.ts";
import type { QueuedEvent } from "../../client/contract.ts";
import type { Channel } from "../../server/channels/channel.ts";
import { expectSuccess } from "../harness/answers.ts";
import { eventNames, Follower, forms } from "../harness/follow.ts";
import { type CastName, createHarness, type Harness } from "../harness/harness.ts";

let harness: Harness;
let a: Channel;
let b: Channel;
let count = 0;
beforeAll(async () => {
  harness = await createHarness();
  await expectSuccess(ada().patch("/realm", { enable_spectator_access: true }));
});
afterAll(() => harness.close());
beforeEach(async () => {
  a = await harness.channel(`a ${++count}`, ["ada", "elin"]);
  b = await harness.channel(`b ${count}`, ["ada"]);
});

const id = (name: CastName) => harness.user(name).id;
const ada = () => harness.as("ada");

const say = (channel: Channel, content = "Soup?", topic = "lunch") =>
  expectSuccess(ada().post("/messages", { type: "channel", to: channel.id, topic, content })).then(
    (body) => body.id as number,
  );
const move = (message: number, channel: Channel, others: Record<string, unknown> = {}) =>
  expectSuccess(
    ada().patch(`/messages/${message}`, {
      stream_id: channel.id,
      send_notification_to_old_thread: false,
      send_notification_to_new_thread: false,
      ...others,
    }),
  );
const subscribe = (channel: Channel, ...people: CastName[]) =>
  expectSuccess(
    ada().post("/users/me/subscriptions", {
      subscriptions: [{ name: channel.name }],
      principals: people.map(id),
    }),
  );
const unsubscribe = (channel: Channel, ...people: CastName[]) =>
  expectSuccess(
    ada().delete("/users/me/subscriptions", {
      subscriptions: [channel.name],
      principals: people.map(id),
    }),
  );
const setPrivate = (channel: Channel, is_private: boolean) =>
  expectSuccess(ada().patch(`/streams/${channel.id}`, { is_private, history_public_to_subscribers: true }));
const setWebPublic = (channel: Channel) =>
  expectSuccess(ada().patch(`/streams/${channel.id}`, { is_private: false, is_web_public: true }));
const archive = (channel: Channel) => expectSuccess(ada().delete(`/streams/${channel.id}`));
const unarchive = (channel: Channel) =>
  expectSuccess(ada().patch(`/streams/${channel.id}`, { is_archived: false }));
const flag = (message: number, op: "add" | "remove") =>
  expectSuccess(harness.as("elin").post("/messages/flags", { messages: [message], op, flag: "read" }));
const setRole = (name: CastName, role: number) => expectSuccess(ada().patch(`/users/${id(name)}`, { role }));

type Heard = Record<"modern" | "plain", QueuedEvent[]>;
type Way = "as it comes" | "from what the node remembers" | "from the stored log";

/** What the viewer's clients get of the events; their models must equal fresh ones. */
async function hear(way: Way, viewer: CastName, verb: () => Promise<unknown>): Promise<Heard> {
  const followers = {
    modern: await Follower.start(harness, viewer, forms.modern),
    plain: await Follower.start(harness, viewer, forms.plain),
  };
  const all = Object.values(followers);
  if (way !== "as it comes") for (const follower of all) follower.turnCold();
  await verb();
  if (way === "from the stored log") {
    harness.state.recent.clear();
  }
  await Promise.all(all.map((follower) => follower.catchUp()));
  await Promise.all(all.map((follower) => follower.compare()));
  await Promise.all(all.map((follower) => follower.stop()));
  return { modern: followers.modern.events, plain: followers.plain.events };
}

const ofType = (events: readonly QueuedEvent[], ...types: string[]) =>
  events.filter(({ type }) => types.includes(type));
const everything = (heard: Heard) => JSON.stringify(heard);

describe.each<Way>(["as it comes", "from what the node remembers", "from the stored log"])(
  "a queue that gets events %s",
  (way) => {
    test("announces a message where it was sent, and then its move", async () => {
      let message = 0;
      const heard = await hear(way, "elin", async () => {
        message = await say(a);
        await subscribe(b, "elin");
        await move(message, b, { topic: "dinner" });
      });
      for (const events of Object.values(heard)) {
        const about = ofType(events, "message", "update_message").filter(
          (event) =>
            (event.message as { id: number } | undefined)?.id === message || event.message_id === message,
        );
        expect(eventNames(about)).toEqual(["message", "update_message"]);
        expect(about[0]).toMatchObject({ message: { stream_id: a.id }, flags: [] });
        expect(about[1]).toMatchObject({ stream_id: a.id, new_stream_id: b.id, subject: "dinner" });
      }
    });

    test("announces no message that came from a channel where its user was not", async () => {
      const heard = await hear(way, "elin", async () => {
        await subscribe(b, "elin");
        const c = await harness.channel(`c ${count}`, ["ada"]);
        await move(await say(c), b);
      });
      expect(
        ofType(heard.modern, "message").map(({ message }) => (message as { sender_id: number }).sender_id),
      ).not.toContain(id("ada"));
    });

    test("gives a message that moved twice, and once through a private channel", async () => {
      const hidden = await harness.channel(`hidden ${count}`, ["ada"], { isPrivate: true });
      const heard = await hear(way, "elin", async () => {
        await subscribe(b, "elin");
        const first = await say(a, "twice");
        await move(first, b);
        await move(first, a);
        const second = await say(a, "through a private channel");
        await move(second, hidden, { topic: "layoffs" });
        await move(second, b, { topic: "lunch" });
      });
      expect(everything(heard)).not.toContain("layoffs");
    });

    test("says nothing of a message that moved to a private channel, but that it is gone", async () => {
      const hidden = await harness.channel(`hidden ${count}`, ["ada"], { isPrivate: true });
      const known = await say(a, "known");
      const heard = await hear(way, "elin", async () => {
        await move(known, hidden, { topic: "layoffs" });
      });
      expect(everything(heard)).not.toContain("layoffs");
      for (const events of Object.values(heard)) expect(eventNames(events)).toContain("delete_message");
    });

    test("says that messages are gone that moved to a channel which its user lost later", async () => {
      const hidden = await harness.channel(`hidden ${count}`, ["ada", "elin"], { isPrivate: true });
      const known = [await say(a, "one"), await say(a, "two")];
      const single = await say(a, "three", "other");
      const heard = await hear(way, "elin", async () => {
        await move(known[0] as number, hidden, { topic: "layoffs", propagate_mode: "change_all" });
        await move(single, hidden);
        await unsubscribe(hidden, "elin");
      });
      if (way !== "as it comes") {
        expect(everything(heard)).not.toContain("layoffs");
        const [first] = ofType(heard.modern, "delete_message");
        expect(first).toMatchObject({ message_ids: known, stream_id: a.id, topic: "lunch" });
      }
    });

    test("leaves nothing unread that moved to a channel which is archived by then", async () => {
      await subscribe(b, "elin");
      const known = [await say(a, "one"), await say(a, "two")];
      const single = await say(a, "three", "other");
      await hear(way, "elin", async () => {
        await move(single, b);
        await move(known[0] as number, b, { propagate_mode: "change_all" });
        const late = await say(a, "late");
        await move(late, b);
        await archive(b);
      });
    });

    test("gives the subscription to a channel which came back, also if it is archived again", async () => {
      const message = await say(a);
      await hear(way, "elin", async () => {
        await archive(a);
        await unarchive(a);
        await flag(message, "add");
        await flag(message, "remove");
        await archive(a);
      });
    });

    test("gives the subscription to a channel which is archived by then", async () => {
      const message = await say(b);
      await hear(way, "elin", async () => {
        await subscribe(b, "elin");
        await flag(message, "add");
        await flag(message, "remove");
        await flag(await say(b), "add");
        await archive(b);
      });
    });

    test("leaves unread what moved out of a channel which is archived or lost by then", async () => {
      await subscribe(b, "elin");
      const hidden = await harness.channel(`hidden ${count}`, ["ada", "elin"], { isPrivate: true });
      await hear(way, "elin", async () => {
        await move(await say(a, "from an archived channel"), b);
        await archive(a);
        await move(await say(hidden, "from a lost channel"), b);
        await unsubscribe(hidden, "elin");
      });
    });

    test("gives somebody who became a guest what they may still read", async () => {
      await subscribe(b, "elin");
      await setPrivate(b, true);
      const c = await harness.channel(`c ${count}`, ["ada"]);
      try {
        const heard = await hear(way, "elin", async () => {
          await move(await say(a, "stays"), b);
          await move(await say(a, "goes", "layoffs"), c);
          await setRole("elin", roles.guest);
        });
        if (way !== "as it comes") expect(everything(heard)).not.toContain("goes");
      } finally {
        await setRole("elin", roles.member);
      }
    });

    test("tells somebody who became a guest of the channels that they have seen throughout", async () => {
      try {
        const heard = await hear(way, "elin", async () => {
          const made = await harness.channel(`made ${count}`, ["ada"]);
          for (const channel of [b, made]) await subscribe(channel, "dev");
          for (const channel of [b, made]) await setWebPublic(channel);
          await setRole("elin", roles.guest);
        });
        for (const events of Object.values(heard)) expect(eventNames(events)).toContain("stream/create");
      } finally {
        await setRole("elin", roles.member);
      }
    });

    test("tells somebody of a channel that was open to them by a permission until it became public", async () => {
      const hidden = await harness.channel(`hidden ${count}`, ["ada"], { isPrivate: true });
      const letSubscribe = (...people: CastName[]) =>
        expectSuccess(
          ada().patch(`/streams/${hidden.id}`, {
            can_subscribe_group: { new: { direct_members: people.map(id), direct_subgroups: [] } },
          }),
        );
      await letSubscribe("elin");
      await hear(way, "elin", async () => {
        await subscribe(hidden, "dev");
        await setPrivate(hidden, false);
        await letSubscribe();
      });
    });

    test("says nothing of a channel from before its user came to know of it", async () => {
      await setRole("elin", roles.guest);
      const describe = (description: string) =>
        expectSuccess(ada().patch(`/streams/${b.id}`, { description }));
      try {
        const heard = await hear(way, "elin", async () => {
          await describe("layoffs");
          await describe("");
          await setWebPublic(b);
          await describe("Soup");
        });
        expect(everything(heard)).toContain("Soup");
        expect(everything(heard)).not.toContain("layoffs");
      } finally {
        await setRole("elin", roles.member);
      }
    });

    test("gives the subscribers of a new subscription that its count counts", async () => {
      await hear(way, "elin", async () => {
        await subscribe(b, "elin");
        await subscribe(b, "dev", "gus");
        await unsubscribe(b, "ada");
        await unsubscribe(b, "elin", "gus");
        await subscribe(b, "gus");
        await subscribe(b, "elin", "cleo");
        await subscribe(b, "ada");
        await expectSuccess(ada().delete(`/users/${id("dev")}`));
        await unsubscribe(b, "cleo");
      });
      await expectSuccess(ada().post(`/users/${id("dev")}/reactivate`));
    });

    test("gives the notice that a channel was archived as read, also after it was unarchived", async () => {
      const heard = await hear(way, "elin", async () => {
        await archive(a);
        await unarchive(a);
      });
      const [archived, unarchived] = ofType(heard.modern, "message");
      expect(archived?.flags).toContain("read");
      expect(unarchived?.flags).not.toContain("read");
    });

    test("gives nothing as unread that was out of reach for a while", async () => {
      const secret = await harness.channel(`secret ${count}`, ["ada"], {
        isPrivate: true,
        isHistoryShared: false,
      });
      const early = await say(a);
      await subscribe(secret, "elin");
      await hear(way, "elin", async () => {
        await move(early, secret);
        const late = await say(a, "late");
        await move(late, secret);
        await setPrivate(secret, false);
      });
    });

    test("keeps unread what moved to where its user came later", async () => {
      const known = [await say(a, "one"), await say(a, "two")];
      await subscribe(b, "elin");
      await hear(way, "elin", async () => {
        await move(known[0] as number, b, { propagate_mode: "change_all" });
      });
    });
  },
);
