import { expect, test } from "vitest";
import type { Message } from "./model/messages.ts";
import { Model } from "./model/model.ts";
import {
  canDelete,
  canEditText,
  canMoveChannel,
  canMoveTopic,
  canReport,
  canResolve,
  canSeeHistory,
  canSeeReceipts,
  canSubscribeOthers,
  whyNotPost,
} from "./permissions.ts";

const MEMBERS = 1;
const ADMINISTRATORS = 2;
const NOBODY = 3;
const NOW = 1_800_000_000;

const groups = [
  { id: MEMBERS, name: "members", members: [7, 8], direct_subgroup_ids: [ADMINISTRATORS] },
  { id: ADMINISTRATORS, name: "administrators", members: [9], direct_subgroup_ids: [] },
  { id: NOBODY, name: "nobody", members: [], direct_subgroup_ids: [] },
];

function modelOf(
  userId: number,
  changes: Record<string, unknown> = {},
  channel: Record<string, unknown> = {},
) {
  const people = [
    { user_id: 7, full_name: "Mel", role: 400 },
    { user_id: 8, full_name: "Gus", role: 600 },
    { user_id: 9, full_name: "Ada", role: 200 },
    { user_id: 10, full_name: "Bot", role: 400, is_bot: true, bot_owner_id: 7 },
  ];
  const permissions = {
    can_delete_any_message_group: NOBODY,
    can_delete_own_message_group: NOBODY,
    can_move_messages_out_of_channel_group: NOBODY,
    can_move_messages_within_channel_group: NOBODY,
    can_resolve_topics_group: NOBODY,
  };
  return Model.fromSnapshot(
    {
      ...{ user_id: userId, realm_users: people, realm_user_groups: groups },
      subscriptions: [{ stream_id: 5, name: "general", is_archived: false, ...permissions, ...channel }],
      realm_allow_message_editing: true,
      realm_message_content_edit_limit_seconds: 600,
      realm_message_content_delete_limit_seconds: 300,
      realm_move_messages_within_stream_limit_seconds: 1000,
      realm_move_messages_between_streams_limit_seconds: 100,
      realm_message_edit_history_visibility_policy: "all",
      realm_can_delete_any_message_group: ADMINISTRATORS,
      realm_can_delete_own_message_group: MEMBERS,
      realm_can_move_messages_between_channels_group: MEMBERS,
      realm_can_move_messages_between_topics_group: MEMBERS,
      realm_can_resolve_topics_group: MEMBERS,
      ...changes,
    },
    { now: () => NOW * 1000 },
  );
}

function message(senderId: number, secondsAgo = 0): Message {
  return {
    ...{ id: 1, senderId, sentAt: NOW - secondsAgo, topicLinks: [], content: "", isHtml: true, client: "" },
    ...{ isMeMessage: false, editedAt: undefined, movedAt: undefined, reactions: [], submessages: [] },
    to: { kind: "channel", channelId: 5, topic: "t" },
    flags: new Set(),
  };
}

test("people edit their own text, for as long as the organization says", () => {
  const model = modelOf(7);
  expect(canEditText(model, message(7), NOW)).toBe(true);
  expect(canEditText(model, message(7, 601), NOW)).toBe(false);
  expect(canEditText(model, message(9), NOW)).toBe(false);
  const poll = { ...message(7), submessages: [{ id: 1, senderId: 7, kind: "widget", content: "{}" }] };
  expect(canEditText(model, poll, NOW)).toBe(false);
  expect(canEditText(modelOf(7, { realm_allow_message_editing: false }), message(7), NOW)).toBe(false);
  const unlimited = modelOf(7, { realm_message_content_edit_limit_seconds: null });
  expect(canEditText(unlimited, message(7, 1e6), NOW)).toBe(true);
});

test("limits of time go by the server's clock, whatever the device's clock says", () => {
  const model = modelOf(7);
  expect([canEditText(model, message(7, 599)), canEditText(model, message(7, 601))]).toEqual([true, false]);
  expect([canDelete(model, message(7, 299)), canDelete(model, message(7, 301))]).toEqual([true, false]);
});

test("people delete their own messages and those of their bots for a time, administrators all", () => {
  expect(canDelete(modelOf(7), message(7), NOW)).toBe(true);
  expect(canDelete(modelOf(7), message(10), NOW)).toBe(true);
  expect(canDelete(modelOf(7), message(7, 301), NOW)).toBe(false);
  expect(canDelete(modelOf(7), message(9), NOW)).toBe(false);
  expect(canDelete(modelOf(9), message(7, 1e6), NOW)).toBe(true);
  const byChannel = modelOf(7, {}, { can_delete_any_message_group: MEMBERS });
  expect(canDelete(byChannel, message(9, 1e6), NOW)).toBe(true);
});

test("moves have limits of time, which moderators don't have", () => {
  expect(canMoveTopic(modelOf(7), message(9, 900), NOW)).toBe(true);
  expect(canMoveTopic(modelOf(7), message(9, 1001), NOW)).toBe(false);
  expect(canMoveTopic(modelOf(9), message(7, 1e6), NOW)).toBe(true);
  expect(canMoveChannel(modelOf(7), message(9, 99), NOW)).toBe(true);
  expect(canMoveChannel(modelOf(7), message(9, 101), NOW)).toBe(false);
  const direct = { ...message(7), to: { kind: "direct" as const, userIds: [7, 9] } };
  expect(canMoveTopic(modelOf(9), direct, NOW)).toBe(false);
  expect(canMoveTopic(modelOf(9, {}, { is_archived: true }), message(7), NOW)).toBe(false);
});

test("guests have a permission of the organization only if it can be everyone's", () => {
  expect(canMoveTopic(modelOf(8), message(7), NOW)).toBe(true);
  expect(canMoveChannel(modelOf(8), message(7), NOW)).toBe(false);
  expect(canResolve(modelOf(8), 5)).toBe(true);
  expect(canResolve(modelOf(8, { realm_can_resolve_topics_group: NOBODY }), 5)).toBe(true);
  const neither = {
    realm_can_resolve_topics_group: NOBODY,
    realm_can_move_messages_between_topics_group: NOBODY,
  };
  expect(canResolve(modelOf(8, neither), 5)).toBe(false);
});

test("a history is shown as far as the organization shows it", () => {
  const edited = { ...message(7), editedAt: NOW };
  expect(canSeeHistory(modelOf(7), message(7))).toBe(false);
  expect(canSeeHistory(modelOf(7), edited)).toBe(true);
  const moves = modelOf(7, { realm_message_edit_history_visibility_policy: "moves" });
  expect(canSeeHistory(moves, edited)).toBe(false);
  expect(canSeeHistory(moves, { ...edited, movedAt: NOW })).toBe(true);
});

test("a message can be reported if somebody receives reports, and not to oneself", () => {
  const withChannel = modelOf(7, { realm_moderation_request_channel_id: 5 });
  expect(canReport(withChannel, message(9))).toBe(true);
  expect(canReport(withChannel, message(7))).toBe(false);
  expect(canReport(modelOf(7, { realm_moderation_request_channel_id: -1 }), message(9))).toBe(false);
});

test("receipts are shown if the organization shows them", () => {
  expect(canSeeReceipts(modelOf(7, { realm_enable_read_receipts: true }))).toBe(true);
  expect(canSeeReceipts(modelOf(7, { realm_enable_read_receipts: false }))).toBe(false);
});

test("the reason is known why one can't write to a channel", () => {
  const channel = { kind: "channel", channelId: 5, topic: undefined } as const;
  const of = (fields: object) =>
    whyNotPost(modelOf(7, {}, { can_send_message_group: MEMBERS, ...fields }), channel);
  expect(of({})).toBeUndefined();
  expect(of({ can_send_message_group: ADMINISTRATORS })).toBe("channel");
  expect(of({ is_archived: true })).toBe("archived");
  const toChannel = (channelId: number) => ({ kind: "channel", channelId, topic: "t" }) as const;
  expect(whyNotPost(modelOf(7), toChannel(99))).toBe("gone");
  // A channel that is still to be chosen.
  expect(whyNotPost(modelOf(7), toChannel(0))).toBeUndefined();
});

test("direct messages need one person who may have them, unless they go to bots and oneself", () => {
  const to = (...userIds: number[]) => ({ kind: "direct", userIds }) as const;
  const strict = modelOf(7, { realm_direct_message_permission_group: ADMINISTRATORS });
  expect(whyNotPost(strict, to(8))).toBe("direct");
  expect(whyNotPost(strict, to(8, 9))).toBeUndefined();
  expect(whyNotPost(strict, to(7, 10))).toBeUndefined();
  expect(whyNotPost(modelOf(7), to(8))).toBeUndefined();
});

test("others are subscribed by those who may and who are in the channel", () => {
  const permission = (group: number) => modelOf(7, {}, { can_add_subscribers_group: group });
  expect(canSubscribeOthers(permission(MEMBERS), 5)).toBe(true);
  expect(canSubscribeOthers(permission(NOBODY), 5)).toBe(false);
  expect(canSubscribeOthers(permission(MEMBERS), 6)).toBe(false);
});
