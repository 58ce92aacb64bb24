import type { Channel } from "../../client/model/channels.ts";
import type { Group } from "../../client/model/groups.ts";
import { Model } from "../../client/model/model.ts";

export const MEMBERS = 1;
export const ADMINISTRATORS = 2;
export const NOBODY = 3;
export const WRITERS = 20;
export const EDITORS = 21;
export const MEL = 7;
export const GUS = 8;
export const ADA = 9;

const nobody = (names: string[]) => Object.fromEntries(names.map((name) => [name, NOBODY]));
const ofChannel = [
  ...["can_add_subscribers_group", "can_administer_channel_group", "can_delete_any_message_group"],
  ...["can_remove_subscribers_group", "can_subscribe_group"],
];
const ofGroup = [
  ...["can_add_members_group", "can_join_group", "can_leave_group", "can_manage_group"],
  ...["can_mention_group", "can_remove_members_group"],
];

/** A model with three people, a few groups, and one channel and one group that a test changes. */
export function modelOf(
  userId: number,
  {
    channel = {},
    group = {},
    ...changes
  }: { channel?: object; group?: object } & Record<string, unknown> = {},
) {
  const people = [
    { user_id: MEL, full_name: "Mel", role: 400 },
    { user_id: GUS, full_name: "Gus", role: 600 },
    { user_id: ADA, full_name: "Ada", role: 200 },
    { user_id: 10, full_name: "Bot", role: 400, is_bot: true, bot_owner_id: MEL },
  ];
  const system = { description: "", is_system_group: true, deactivated: false, ...nobody(ofGroup) };
  return Model.fromSnapshot({
    ...{ user_id: userId, realm_users: people },
    realm_user_groups: [
      { ...system, id: MEMBERS, name: "role:members", members: [MEL], direct_subgroup_ids: [ADMINISTRATORS] },
      { ...system, id: ADMINISTRATORS, name: "role:administrators", members: [ADA], direct_subgroup_ids: [] },
      { ...system, id: NOBODY, name: "role:nobody", members: [], direct_subgroup_ids: [] },
      {
        ...{ ...system, id: WRITERS, name: "writers", members: [MEL], direct_subgroup_ids: [EDITORS] },
        ...{ is_system_group: false, ...group },
      },
      {
        ...{ ...system, id: EDITORS, name: "editors", members: [ADA], direct_subgroup_ids: [] },
        is_system_group: false,
      },
    ],
    never_subscribed: [
      {
        ...{ stream_id: 5, name: "design", invite_only: false, is_web_public: false, is_archived: false },
        ...{ ...nobody(ofChannel), ...channel },
      },
    ],
    realm_enable_spectator_access: false,
    server_web_public_streams_enabled: true,
    server_supported_permission_settings: { realm: { can_create_groups: {}, can_manage_all_groups: {} } },
    realm_can_add_subscribers_group: NOBODY,
    realm_can_create_groups: MEMBERS,
    realm_can_create_private_channel_group: MEMBERS,
    realm_can_create_public_channel_group: ADMINISTRATORS,
    realm_can_create_web_public_channel_group: ADMINISTRATORS,
    realm_can_manage_all_groups: NOBODY,
    realm_can_set_delete_message_policy_group: ADMINISTRATORS,
    realm_can_set_topics_policy_group: MEMBERS,
    ...changes,
  });
}

export const design = (model: Model) => model.channels.get(5) as Channel;
export const writers = (model: Model) => model.groups.byId.get(WRITERS) as Group;
