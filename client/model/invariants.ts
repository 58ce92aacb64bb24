import { checkInvariants as checkChannels } from "./channels.ts";
import { checkInvariants as checkConversations } from "./conversations.ts";
import { checkInvariants as checkFolders } from "./folders.ts";
import { checkInvariants as checkGroups } from "./groups.ts";
import { checkInvariants as checkMessages } from "./messages.ts";
import type { Model } from "./model.ts";
import { checkInvariants as checkProfileFields } from "./profile-fields.ts";
import { invariant } from "./subject.ts";
import { checkInvariants as checkSubscribers } from "./subscribers.ts";
import { checkInvariants as checkSubscriptions } from "./subscriptions.ts";
import { checkInvariants as checkTyping } from "./typing.ts";
import { checkInvariants as checkUnreads } from "./unreads.ts";
import { checkInvariants as checkUserTopics } from "./user-topics.ts";
import { checkProfiles, checkInvariants as checkUsers } from "./users.ts";

/** Throws if the model contradicts itself. Tests call it after every event; a client has no need to. */
export function checkInvariants(model: Model): void {
  checkUsers(model.users);
  checkProfileFields(model.profileFields);
  checkProfiles(model.users, model.profileFields);
  checkGroups(model.groups);
  checkFolders(model.folders);
  checkChannels(model.channels);
  checkSubscriptions(model.subscriptions, model.channels.byId);
  checkSubscribers(model.subscribers, model.channels.byId);
  checkUserTopics(model.userTopics);
  checkMessages(model.messages);
  checkUnreads(model.unreads, model.subscriptions);
  checkConversations(model.conversations);
  checkTyping(model.typing);
  const { viewer, users } = model;
  invariant(
    viewer.id === 0 || users.byId.size === 0 || viewer.user !== undefined,
    "the viewer is not among the users",
  );
}
