import { expect, test } from "vitest";
import type { Message } from "./model/messages.ts";
import { Model } from "./model/model.ts";
import { iconCount, noticeOf } from "./notices.ts";

const VIEWER = 7;
const ELIN = 8;
const MUTED = 9;
const inTopic = (topic: string) => ({ kind: "channel" as const, channelId: 5, topic });
const direct = { kind: "direct" as const, userIds: [VIEWER, ELIN] };

function modelOf(settings: object = {}, subscription: object = {}): Model {
  return Model.fromSnapshot({
    user_id: VIEWER,
    realm_users: [VIEWER, ELIN, MUTED].map((user_id) => ({ user_id, full_name: `Person ${user_id}` })),
    user_settings: settings,
    subscriptions: [{ stream_id: 5, name: "general", ...subscription }],
    muted_users: [{ id: MUTED, timestamp: 1 }],
    user_topics: [
      { stream_id: 5, topic_name: "followed", visibility_policy: 3, last_updated: 1 },
      { stream_id: 5, topic_name: "muted", visibility_policy: 1, last_updated: 1 },
    ],
    unread_msgs: {
      pms: [{ other_user_id: ELIN, unread_message_ids: [1] }],
      streams: [
        { stream_id: 5, topic: "followed", unread_message_ids: [2] },
        { stream_id: 5, topic: "plain", unread_message_ids: [3, 4] },
      ],
      huddles: [],
      mentions: [4],
      old_unreads_missing: false,
    },
  });
}

function message(to: Message["to"], flags: string[] = [], senderId = ELIN): Message {
  return { id: 1, to, senderId, flags: new Set(flags) } as unknown as Message;
}

test("direct messages, mentions and followed topics are noticed, other messages of channels are not", () => {
  const model = modelOf();
  const all = { showsDesktop: true, playsSound: true, showsContent: true };
  expect(noticeOf(model, message(direct))).toEqual(all);
  expect(noticeOf(model, message(inTopic("plain"), ["mentioned"]))).toEqual(all);
  expect(noticeOf(model, message(inTopic("followed")))).toEqual(all);
  expect(noticeOf(model, message(inTopic("plain")))).toBeUndefined();
});

test("own messages, those of muted people and those that were read are not noticed", () => {
  const model = modelOf();
  expect(noticeOf(model, message(direct, [], VIEWER))).toBeUndefined();
  expect(noticeOf(model, message(inTopic("plain"), ["mentioned"], MUTED))).toBeUndefined();
  expect(noticeOf(model, message(direct, ["read"]))).toBeUndefined();
});

test("a muted topic or channel is noticed only where the viewer is named", () => {
  const model = modelOf({ enable_stream_desktop_notifications: true });
  expect(noticeOf(model, message(inTopic("muted")))).toBeUndefined();
  expect(noticeOf(model, message(inTopic("muted"), ["stream_wildcard_mentioned"]))).toBeUndefined();
  expect(noticeOf(model, message(inTopic("muted"), ["mentioned"]))).toBeDefined();
  const muted = modelOf({ enable_stream_desktop_notifications: true }, { is_muted: true });
  expect(noticeOf(muted, message(inTopic("plain")))).toBeUndefined();
});

test("the account's settings decide, and those of the channel before them", () => {
  const off = modelOf({ enable_desktop_notifications: false, pm_content_in_desktop_notifications: false });
  expect(noticeOf(off, message(direct))).toEqual({
    ...{ showsDesktop: false, playsSound: true, showsContent: false },
  });
  const silent = modelOf({ enable_desktop_notifications: false, enable_sounds: false });
  expect(noticeOf(silent, message(direct))).toBeUndefined();
  const loud = modelOf({}, { desktop_notifications: true });
  expect(noticeOf(loud, message(inTopic("plain")))?.showsDesktop).toBe(true);
  expect(noticeOf(loud, message(inTopic("plain")))?.playsSound).toBe(false);
});

test("the icon counts what the account's setting says", () => {
  const counts = [1, 2, 3, 4].map((choice) => iconCount(modelOf({ desktop_icon_count_display: choice })));
  expect(counts).toEqual([4, 3, 2, 0]);
});
