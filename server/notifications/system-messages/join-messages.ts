/**
 * The messages of the notification bot about people who join: a welcome to the person, a notice to the person
 * who invited them, and an announcement in the channel that the organization chose.
 */
import { organizationSettings } from "../../../api/administration/organization-settings.ts";
import { channels } from "../../channels/channel.ts";
import { code, person } from "../../messages/model/markdown-text.ts";
import { type Post, postMessages } from "../../messages/send/post.ts";
import { organization } from "../../organization/organization.ts";
import { settingOf } from "../../organization/setting.ts";
import { joinedInvitations, newcomers } from "../../people/create-person.ts";
import { type User, users } from "../../people/user.ts";
import type { BeforeCommitHook } from "../../platform/log/before-commit-hook.ts";
import type { OrganizationState } from "../../platform/log/organization-state.ts";

const SIGNUPS_TOPIC = "signups";

/** Accounts that no person asked for, such as those of the demo, are neither welcomed nor announced. */
export const joinMessages: BeforeCommitHook = {
  projections: [users.name],
  async run(tx) {
    const newcomer = newcomers.of(tx);
    if (!newcomer) return;
    const { welcomeText: ownText = null, notifiedInviter } = joinedInvitations.of(tx) ?? {};
    const announcement = announce(tx.state, newcomer);
    await postMessages(tx, [
      welcome(tx.state, newcomer, ownText),
      ...(notifiedInviter ? [acceptance(tx.state, newcomer, notifiedInviter)] : []),
      ...(announcement ? [announcement] : []),
    ]);
  },
};

/** To the inviter of a person who joins. */
function acceptance(state: OrganizationState, newcomer: User, inviter: User): Post {
  const content = `${person(newcomer)} accepted your invitation to ${code(state.get(organization).name)}.`;
  return { to: { userIds: [inviter.id] }, content, newcomer };
}

/** `ownText`: in place of the organization's. */
function welcome(state: OrganizationState, newcomer: User, ownText: string | null): Post {
  const greeting = `Welcome to ${code(state.get(organization).name)}, ${person(newcomer)}!`;
  const text = ownText ?? settingOf(state, organizationSettings.welcomeMessageCustomText);
  return { ...welcomeText(newcomer, text.trim() === "" ? greeting : `${greeting}\n\n${text}`), newcomer };
}

/** A direct message to a person, with a text of the administrators. */
export function welcomeText({ id }: User, text: string): Post {
  return { to: { userIds: [id] }, content: text };
}

function announce(state: OrganizationState, newcomer: User): Post | undefined {
  const id = settingOf(state, organizationSettings.signupAnnouncementsStreamId);
  const channel = state.get(channels).find(id);
  if (!channel || channel.isArchived) return undefined;
  const content = `${person(newcomer)} joined this organization.`;
  return { to: { channel, topic: SIGNUPS_TOPIC }, content, newcomer };
}
