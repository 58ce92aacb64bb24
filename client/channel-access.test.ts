import { expect, test } from "vitest";
import { ADA, design, GUS, MEL, MEMBERS, modelOf } from "../test/harness/access-model.ts";
import {
  canAddSubscribers,
  canAdministerChannel,
  canChangePermission,
  canRemoveSubscriber,
  creatablePrivacies,
} from "./channel-access.ts";
import { canReadChannel } from "./channel-reading.ts";

test("people read public channels, and private ones that let them in; guests only their own", () => {
  const reads = (userId: number, channel: object) => {
    const model = modelOf(userId, { channel });
    return canReadChannel(model, design(model));
  };
  expect(reads(MEL, {})).toBe(true);
  expect(reads(GUS, {})).toBe(false);
  expect(reads(GUS, { is_web_public: true })).toBe(true);
  expect(reads(ADA, { invite_only: true })).toBe(false);
  expect(reads(MEL, { invite_only: true, can_subscribe_group: MEMBERS })).toBe(true);
});

test("administrators change channels, and the access to private ones only if they can read them", () => {
  const changes = (userId: number, channel: object, name: string) => {
    const model = modelOf(userId, { channel });
    return canChangePermission(model, design(model), name);
  };
  expect(changes(ADA, {}, "can_send_message_group")).toBe(true);
  expect(changes(ADA, { invite_only: true }, "can_send_message_group")).toBe(false);
  expect(changes(MEL, {}, "can_send_message_group")).toBe(false);
  expect(changes(MEL, { can_administer_channel_group: MEMBERS }, "can_send_message_group")).toBe(true);
  expect(changes(MEL, { can_administer_channel_group: MEMBERS }, "can_delete_any_message_group")).toBe(false);
  const model = modelOf(ADA, { channel: { invite_only: true } });
  expect(canAdministerChannel(model, design(model))).toBe(true);
});

test("subscribers are added and removed by those who may, and bots by their owners", () => {
  const named = (name: string) => modelOf(MEL, { channel: { [name]: MEMBERS } });
  const plain = modelOf(MEL);
  expect(canAddSubscribers(plain, design(plain))).toBe(false);
  const adding = named("can_add_subscribers_group");
  expect(canAddSubscribers(adding, design(adding))).toBe(true);
  const all = modelOf(MEL, { realm_can_add_subscribers_group: MEMBERS });
  expect(canAddSubscribers(all, design(all))).toBe(true);
  expect(canRemoveSubscriber(plain, design(plain), ADA)).toBe(false);
  expect(canRemoveSubscriber(plain, design(plain), 10)).toBe(true);
  expect(canRemoveSubscriber(plain, design(plain), MEL)).toBe(true);
  const removing = named("can_remove_subscribers_group");
  expect(canRemoveSubscriber(removing, design(removing), ADA)).toBe(true);
});

test("people create the kinds of channels that the organization lets them create", () => {
  expect(creatablePrivacies(modelOf(MEL))).toEqual(["private", "privateHidden"]);
  expect(creatablePrivacies(modelOf(GUS))).toEqual([]);
  const open = modelOf(ADA, { realm_enable_spectator_access: true });
  expect(creatablePrivacies(open)).toEqual(["webPublic", "public", "private", "privateHidden"]);
  expect(creatablePrivacies(modelOf(ADA))[0]).toBe("public");
});
