// A snapshot says some things twice, for older clients or in several sections. These functions describe where
// the two differ, so that the model needs to read only one of them.

import { organizationPermissions } from "../../api/administration/organization-permissions.ts";
import { roles } from "../../api/roles.ts";
import type { OrganizationGroupSetting } from "../../api/setting.ts";
import type { Model } from "../../client/model/model.ts";

type Row = Record<string, unknown>;

export function snapshotProblems(model: Model, snapshot: Row): string[] {
  return [
    ...channelProblems(snapshot),
    ...userProblems(snapshot),
    ...viewerProblems(model, snapshot),
    ...unreadProblems(model, snapshot),
    ...mutedTopicProblems(model, snapshot),
  ];
}

/** A channel must be the same wherever it is listed. */
function channelProblems(snapshot: Row): string[] {
  const problems: string[] = [];
  const seen = new Map<unknown, string>();
  const listed = new Map(rows(snapshot, "streams").map((row) => [row.stream_id, row]));
  for (const key of ["subscriptions", "unsubscribed", "never_subscribed"]) {
    for (const record of rows(snapshot, key)) {
      const id = record.stream_id;
      if (seen.has(id)) problems.push(`channel ${id} is in ${seen.get(id)} and in ${key}`);
      seen.set(id, key);
      if (key !== "never_subscribed" && record.in_home_view !== !record.is_muted) {
        problems.push(`channel ${id}: in_home_view is not the opposite of is_muted`);
      }
      const channel = listed.get(id);
      if (channel) problems.push(...differences(`channel ${id} in streams and in ${key}`, channel, record));
      else if ("streams" in snapshot) problems.push(`channel ${id} is in ${key} but not in streams`);
    }
  }
  for (const id of listed.keys()) {
    if ("subscriptions" in snapshot && !seen.has(id)) problems.push(`channel ${id} is in streams alone`);
  }
  return problems;
}

function userProblems(snapshot: Row): string[] {
  return ["realm_users", "realm_non_active_users"].flatMap((key) =>
    rows(snapshot, key).flatMap((user) => {
      const role = user.role as number;
      const implied = {
        is_owner: role === roles.owner,
        is_admin: role <= roles.administrator,
        is_guest: role === roles.guest,
      };
      const isActive = key === "realm_users";
      return differences(`user ${user.user_id}`, { ...implied, is_active: isActive }, user);
    }),
  );
}

/** The keys about the viewer must agree with the viewer's own record and the permissions. */
function viewerProblems(model: Model, snapshot: Row): string[] {
  const { user, id } = model.viewer;
  if (!user) return [];
  const may = (permission: OrganizationGroupSetting) => {
    const setting = model.organization.permission(permission);
    return setting !== undefined && model.groups.includes(setting, id);
  };
  const { canCreatePublicChannel, canCreatePrivateChannel, canInviteUsers } = organizationPermissions;
  const isGuest = user.role === roles.guest;
  const implied = {
    email: user.email,
    delivery_email: user.deliveryEmail,
    full_name: user.fullName,
    is_owner: user.role === roles.owner,
    is_admin: user.role <= roles.administrator,
    is_moderator: user.role <= roles.moderator,
    is_guest: isGuest,
    can_create_public_streams: !isGuest && may(canCreatePublicChannel),
    can_create_private_streams: !isGuest && may(canCreatePrivateChannel),
    can_create_streams:
      !isGuest &&
      (may(canCreatePublicChannel) ||
        may(canCreatePrivateChannel) ||
        snapshot.can_create_web_public_streams === true),
    can_invite_others_to_realm: !isGuest && may(canInviteUsers),
  };
  return differences("the viewer", implied, snapshot);
}

function unreadProblems(model: Model, snapshot: Row): string[] {
  const unread = snapshot.unread_msgs as { count: number } | undefined;
  return unread ? differences("unread_msgs", { count: model.unreads.count }, unread as unknown as Row) : [];
}

/** The older list of muted topics must name exactly those of channels that the viewer can see. */
function mutedTopicProblems(model: Model, snapshot: Row): string[] {
  if (!("muted_topics" in snapshot) || !("user_topics" in snapshot)) return [];
  const expected = [...model.userTopics.all()].flatMap(({ channelId, topic, policy, updatedAt }) => {
    const channel = model.channels.byId.get(channelId);
    return policy === "muted" && channel && !channel.isArchived ? [[channel.name, topic, updatedAt]] : [];
  });
  return differences("the viewer", { muted_topics: expected }, snapshot);
}

/** The shared fields in which two records differ. */
function differences(what: string, expected: Row, found: Row): string[] {
  return Object.entries(expected)
    .filter(([name]) => name in found)
    .filter(([name, value]) => JSON.stringify(value) !== JSON.stringify(found[name]))
    .map(
      ([name, value]) => `${what}: ${name} is ${JSON.stringify(found[name])}, not ${JSON.stringify(value)}`,
    );
}

function rows(snapshot: Row, key: string): Row[] {
  return (snapshot[key] as Row[] | undefined) ?? [];
}
