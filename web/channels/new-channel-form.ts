import { createSignal, onCleanup } from "solid-js";
import { organizationSettings } from "../../api/administration/organization-settings.ts";
import type { TopicsPolicy } from "../../api/channels/channel-fields.ts";
import { createChannel } from "../../api/channels/new-channel.ts";
import { creatablePrivacies, type Privacy } from "../../client/channel-access.ts";
import { nobodyOf, writeValue } from "../../client/group-values.ts";
import type { GroupSetting } from "../../client/model/wire.ts";
import { channelNarrow } from "../../client/narrow.ts";
import type { Picked } from "../shared/groups/picked.ts";
import { linkTo } from "../shared/routing/links.ts";
import { go } from "../shared/routing/route.ts";
import { watchUnsaved } from "../shared/routing/unsaved.ts";
import { state } from "../shared/state/state.ts";
import { live } from "../ui/live.ts";
import { createSaving } from "../ui/saving.tsx";
import { peopleOf } from "./people-of.ts";
import { writePrivacy } from "./privacy-field.tsx";
import { writeDays } from "./retention.tsx";

/** What the form holds. `posters` and `administrators` are permissions. */
export interface NewChannelForm {
  name: string;
  description: string;
  privacy: Privacy;
  folderId: string;
  chosen: readonly Picked[];
  isAnnounced: boolean;
  isDefault: boolean;
  posters: GroupSetting;
  administrators: GroupSetting;
  retentionDays: number | null;
  topicsPolicy: TopicsPolicy;
}

export function createNewChannel() {
  const saving = createSaving();
  const allowed = live(["organization", "groups", "users", "generation"], () =>
    creatablePrivacies(state.model),
  );
  const [form, setForm] = createSignal(emptyForm(allowed()));
  const change = (fields: Partial<NewChannelForm>) => setForm({ ...form(), ...fields });
  let isGone = false;
  onCleanup(() => {
    isGone = true;
  });
  watchUnsaved(() => saving.state() === "idle" && (form().name + form().description).trim() !== "");
  async function create(): Promise<void> {
    if (saving.state() === "saving") return;
    let channelId = 0;
    const isCreated = await saving.run(() =>
      state.track(async () => {
        const subscribers = await peopleOf(form().chosen);
        const parameters = { ...writeForm(form()), subscribers };
        const answer = await state.connection.call(createChannel, parameters);
        channelId = (answer as { id: number }).id;
      }),
    );
    // A person who has gone elsewhere meanwhile stays there.
    if (isCreated && !isGone) go(linkTo(channelNarrow(channelId)));
  }
  return { form, change, allowed, saving, create };
}

function emptyForm(allowed: readonly Privacy[]): NewChannelForm {
  const { groups, viewer } = state.model;
  const everyone = [...groups.byId.values()].find(({ name }) => name === "role:everyone");
  return {
    ...{ name: "", description: "", folderId: "", isAnnounced: true, isDefault: false },
    ...{ retentionDays: null, topicsPolicy: "inherit" },
    privacy: allowed.includes("public") ? "public" : (allowed.at(-1) ?? "public"),
    chosen: [{ kind: "person", id: viewer.id }],
    posters: everyone?.id ?? nobodyOf(state.model),
    administrators: { directMembers: [viewer.id], directSubgroups: [] },
  };
}

/** Values that are the default are left out, since only few people may choose some of them. */
function writeForm(form: NewChannelForm) {
  const { isPrivate, ...privacy } = writePrivacy(form.privacy);
  const { retentionDays: days } = form;
  return {
    name: form.name.trim(),
    description: form.description.replace(/\s*\n\s*/g, " ").trim(),
    ...{ invite_only: isPrivate, ...privacy },
    announce: !isPrivate && form.isAnnounced && announcedIn() !== undefined,
    ...(form.isDefault && !isPrivate && { is_default_stream: true }),
    ...(form.folderId !== "" && { folder_id: Number(form.folderId) }),
    can_send_message_group: writeValue(form.posters),
    can_administer_channel_group: writeValue(form.administrators),
    ...(days !== null && { message_retention_days: writeDays(days) }),
    ...(form.topicsPolicy !== "inherit" && { topics_policy: form.topicsPolicy }),
  };
}

/** The channel in which new channels are announced. */
export function announcedIn(): number | undefined {
  const id = Number(state.model.organization.get(organizationSettings.newStreamAnnouncementsStreamId));
  return id > 0 && state.model.channels.get(id) ? id : undefined;
}
