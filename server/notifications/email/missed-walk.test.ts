/**
 * A walk over what people do between a message and its mail, against a plain model of one person. Each run
 * takes another way.
 */
import { beforeEach, expect, test } from "vitest";
import { expectSuccess } from "../../../test/harness/answers.ts";
import { useMissedMail } from "../../../test/harness/missed-mail.ts";
import { Node } from "../../../test/harness/node.ts";
import { Random } from "../../../test/harness/random.ts";
import { howToRepeat, seed } from "../../../test/harness/seed.ts";
import { presences } from "../../profiles/presence/presences.ts";
import { followAll } from "./follower.ts";

const servers = useMissedMail();
const { id, say, tell, set, policy, deliver } = servers;

const STEPS = 150;
/** A mail shows no more. */
const MOST_WAITING = 12;
const FOLLOWED = "cake";
const topics = [FOLLOWED, "tea", "soup"];

/** A message as elin sees it. */
interface Sent {
  id: number;
  word: string;
  /** null: a direct message. */
  topic: string | null;
  mentions: boolean;
  isRead: boolean;
  isGone: boolean;
  /** Whether it was to be mailed when it was sent, or when an edit mentioned elin. */
  isWaiting: boolean;
}

beforeEach(() => set("elin", { automatically_follow_topics_where_mentioned: false }));

test("each message is mailed once, if it was wanted when it came and is when the mail is made", async () => {
  const random = new Random(seed);
  const all: Sent[] = [];
  const way: string[] = [];
  let isActive = false;
  let unfollowed: number[] = [];
  // A topic that loses its last message by a move gives its policies away with it, so each keeps one.
  for (const topic of topics) await say("dev", "The first message of the topic.", topic);
  await followAll(servers.harness.state);
  await policy("elin", FOLLOWED, 3);
  const wants = ({ topic, mentions }: Sent) => mentions || topic === null || topic === FOLLOWED;
  const living = () => all.filter((each) => !each.isGone);
  const follow = async () => {
    await followAll(servers.harness.state);
    unfollowed = [];
  };
  const present = async (isNowActive: boolean) => {
    isActive = isNowActive;
    const memory = servers.harness.state.get(presences);
    memory.report(id("elin"), true, Date.now());
    if (!isActive) Object.assign(memory.find(id("elin")) ?? {}, { activeAt: Date.now() - 200_000 });
  };

  const steps: Record<string, () => Promise<unknown>> = {
    async send() {
      const mentions = random.next() < 0.3;
      const topic = random.next() < 0.2 ? null : random.pick(topics);
      const word = `word${all.length}.`;
      const content = mentions && topic !== null ? `@**Elin Berg** ${word}` : word;
      const sentId = topic === null ? await tell("dev", ["elin"], content) : await say("dev", content, topic);
      const sent = {
        ...{ id: sentId, word, topic, mentions: mentions && topic !== null },
        ...{ isRead: false, isGone: false, isWaiting: false },
      };
      sent.isWaiting = wants(sent);
      all.push(sent);
      unfollowed.push(sentId);
    },
    async mention() {
      const plain = living().filter(({ topic, mentions }) => topic !== null && !mentions);
      if (plain.length === 0) return;
      const edited = random.pick(plain);
      const change = { content: `@**Elin Berg** ${edited.word}` };
      await expectSuccess(servers.harness.as("dev").patch(`/messages/${edited.id}`, change));
      edited.mentions = true;
      edited.isWaiting = true;
    },
    async move() {
      // Where a message is when it is decided counts. That is followed first here, since a node that reads
      // the log finds the message where it is by then.
      await follow();
      const inTopics = living().filter(({ topic }) => topic !== null);
      if (inTopics.length === 0) return;
      const moved = random.pick(inTopics);
      const topic = random.pick(topics.filter((each) => each !== moved.topic));
      const change = { topic, propagate_mode: "change_one", send_notification_to_new_thread: false };
      await expectSuccess(servers.harness.as("ada").patch(`/messages/${moved.id}`, change));
      moved.topic = topic;
    },
    async read() {
      if (living().length === 0) return;
      const read = random.pick(living());
      const change = { messages: [read.id], op: "add", flag: "read" };
      await expectSuccess(servers.harness.as("elin").post("/messages/flags", change));
      read.isRead = true;
    },
    async remove() {
      // Ada is in no direct message.
      const inTopics = living().filter(({ topic }) => topic !== null);
      if (inTopics.length === 0) return;
      const gone = random.pick(inTopics);
      await expectSuccess(servers.harness.as("ada").delete(`/messages/${gone.id}`));
      gone.isGone = true;
    },
    come: () => present(true),
    leave: () => present(false),
    follow,
    /** Another node finds in the log what this one has not written yet. */
    async restart() {
      const { database, config } = servers.harness.services;
      const { organizationId } = servers.harness.state;
      const other = await Node.start(config, database.connection, { organizationId });
      await followAll(other.state);
      await other.stop();
      unfollowed = [];
    },
    async mail() {
      const mails = (await deliver()).filter((mail) => mail.to?.[0]?.address === "elin@demo.test");
      const found = mails.flatMap(
        ({ text = "" }) => (text.split("New:").at(-1) ?? "").match(/word\d+\./g) ?? [],
      );
      const waiting = all.filter(({ isWaiting }) => isWaiting);
      const due = isActive ? [] : waiting.filter((each) => !each.isRead && !each.isGone && wants(each));
      expect(found.sort()).toEqual(due.map(({ word }) => word).sort());
      // What is not wanted now is never mailed. What is wanted waits on for those who are at a client.
      for (const each of waiting) {
        each.isWaiting = isActive && !each.isRead && !each.isGone && wants(each);
      }
      unfollowed = [];
    },
  };
  const chances = [
    ...Array(8).fill("send"),
    ...["mention", "mention", "move", "move", "read", "read", "remove", "come", "leave", "leave"],
    ...["follow", "follow", "mail", "mail"],
  ];
  try {
    await present(false);
    for (let step = 0; step < STEPS; step++) {
      const isFull = all.filter(({ isWaiting }) => isWaiting).length >= MOST_WAITING;
      if (isFull && isActive) await present(false);
      const isTurnOfRestart = step % 50 === 49 && unfollowed.length > 0;
      const name = isFull ? "mail" : isTurnOfRestart ? "restart" : random.pick(chances);
      way.push(name);
      await steps[name]?.();
    }
    await present(false);
    await steps.mail?.();
  } catch (error) {
    throw new Error(`${howToRepeat("server/notifications/email/missed-walk.test.ts")}\n${way.join(" ")}`, {
      cause: error,
    });
  }
}, 120_000);
