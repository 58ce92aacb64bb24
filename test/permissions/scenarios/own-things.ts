/** The causes of events of what each person keeps for themselves. */
import { addAlertWords } from "../../../api/attention/alert-words.ts";
import { muteUser } from "../../../api/attention/muted-users.ts";
import { deleteAttachment, getAttachments, uploadFile } from "../../../api/content/uploads.ts";
import { alertWordsChanged } from "../../../api/events/alert-words.ts";
import { draftRemoved, draftsAdded, draftUpdated } from "../../../api/events/drafts.ts";
import { mutedUsersChanged } from "../../../api/events/muted-users.ts";
import { viewAdded, viewRemoved, viewUpdated } from "../../../api/events/navigation-views.ts";
import { onboardingStepsChanged } from "../../../api/events/onboarding-steps.ts";
import { reminderRemoved, remindersAdded } from "../../../api/events/reminders.ts";
import { snippetAdded, snippetRemoved, snippetUpdated } from "../../../api/events/saved-snippets.ts";
import {
  scheduledMessageRemoved,
  scheduledMessagesAdded,
  scheduledMessageUpdated,
} from "../../../api/events/scheduled-messages.ts";
import { attachmentAdded, attachmentRemoved, attachmentUpdated } from "../../../api/events/uploads.ts";
import { sendMessage } from "../../../api/messages/messages.ts";
import { createDrafts, deleteDraft, editDraft } from "../../../api/personal/drafts.ts";
import {
  addNavigationView,
  removeNavigationView,
  updateNavigationView,
} from "../../../api/personal/navigation-views.ts";
import { markOnboardingStepAsSeen } from "../../../api/personal/onboarding-steps.ts";
import { createReminder, deleteReminder } from "../../../api/personal/reminders.ts";
import {
  createSavedSnippet,
  deleteSavedSnippet,
  updateSavedSnippet,
} from "../../../api/personal/saved-snippets.ts";
import {
  deleteScheduledMessage,
  scheduleMessage,
  tomorrow,
  updateScheduledMessage,
} from "../../../api/personal/scheduled-messages.ts";
import { byEach, type Listener, type OwnScenario, type Scenario } from "../scenario.ts";

const soup = { type: "" as const, to: [], topic: "", content: "Soup" };

export const ownScenarios: readonly Scenario[] = [
  byEach(mutedUsersChanged, ({ self, pat }) => self.call(muteUser, { muted_user_id: pat.id })),
  byEach(scheduledMessagesAdded, schedule),
  byEach(scheduledMessageUpdated, async (scene) => {
    const { scheduled_message_id } = await schedule(scene);
    scene.begin();
    await scene.self.call(updateScheduledMessage, { scheduled_message_id, content: "Even later" });
  }),
  byEach(scheduledMessageRemoved, async (scene) => {
    const { scheduled_message_id } = await schedule(scene);
    scene.begin();
    await scene.self.call(deleteScheduledMessage, { scheduled_message_id });
  }),
  byEach(remindersAdded, remind),
  byEach(reminderRemoved, async (scene) => {
    const { reminder_id } = await remind(scene);
    scene.begin();
    await scene.self.call(deleteReminder, { reminder_id });
  }),
  byEach(alertWordsChanged, ({ self, freshName }) => self.call(addAlertWords, { alert_words: [freshName] })),
  byEach(snippetAdded, snippet),
  byEach(snippetUpdated, async (scene) => {
    const saved_snippet_id = await snippet(scene);
    scene.begin();
    await scene.self.call(updateSavedSnippet, { saved_snippet_id, title: "Hello" });
  }),
  byEach(snippetRemoved, async (scene) => {
    const saved_snippet_id = await snippet(scene);
    scene.begin();
    await scene.self.call(deleteSavedSnippet, { saved_snippet_id });
  }),
  byEach(attachmentAdded, ({ self }) => self.call(uploadFile, {})),
  byEach(attachmentUpdated, async ({ self, begin }) => {
    const { url } = await self.call(uploadFile, {});
    begin();
    await self.call(sendMessage, { type: "direct", to: [self.id], content: `[soup](${url})` });
  }),
  byEach(attachmentRemoved, async ({ self, begin }) => {
    await self.call(uploadFile, {});
    const { attachments } = await self.call(getAttachments, {});
    begin();
    await self.call(deleteAttachment, { attachment_id: attachments[0]?.id as number });
  }),
  byEach(draftsAdded, draft),
  byEach(draftUpdated, async (scene) => {
    const draft_id = await draft(scene);
    scene.begin();
    await scene.self.call(editDraft, { draft_id, draft: { ...soup, content: "Stew" } });
  }),
  byEach(draftRemoved, async (scene) => {
    const draft_id = await draft(scene);
    scene.begin();
    await scene.self.call(deleteDraft, { draft_id });
  }),
  byEach(onboardingStepsChanged, ({ self }) =>
    self.call(markOnboardingStepAsSeen, { onboarding_step: "intro_resolve_topic" }),
  ),
  byEach(viewAdded, view),
  byEach(viewUpdated, async (scene) => {
    const fragment = await view(scene);
    scene.begin();
    await scene.self.call(updateNavigationView, { fragment, is_pinned: false });
  }),
  byEach(viewRemoved, async (scene) => {
    const fragment = await view(scene);
    scene.begin();
    await scene.self.call(removeNavigationView, { fragment });
  }),
];

type OwnScene = Parameters<OwnScenario["cause"]>[0];

async function snippet({ self, freshName }: OwnScene): Promise<number> {
  return (await self.call(createSavedSnippet, { title: freshName, content: "Hello" })).saved_snippet_id;
}

async function draft({ self }: OwnScene): Promise<number> {
  const { ids } = await self.call(createDrafts, { drafts: [soup] });
  return ids[0] as number;
}

async function view({ self, freshName }: OwnScene): Promise<string> {
  const fragment = `narrow/search/${freshName}`;
  await self.call(addNavigationView, { fragment, is_pinned: true, name: freshName });
  return fragment;
}

/** A message of the listener to themselves. */
function schedule({ self }: { self: Listener }) {
  return self.call(scheduleMessage, {
    type: "direct",
    to: [self.id],
    content: "Later",
    scheduled_delivery_timestamp: tomorrow(),
  });
}

/** A reminder of a direct message of olga's. */
async function remind({ olga, self, begin }: OwnScene) {
  const { id } = await olga(sendMessage, { type: "direct", to: [self.id], content: "For you" });
  begin();
  return self.call(createReminder, { message_id: id, scheduled_delivery_timestamp: tomorrow() });
}
