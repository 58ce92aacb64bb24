/** The subscribed channels in the order of the list on the screen. */
import { userSettings } from "../../../api/people/user-settings.ts";
import {
  type ChannelSection,
  channelSections,
  type SectionOptions,
} from "../../../client/channel-sections.ts";
import { compareTexts } from "../../i18n/intl.ts";
import { language } from "../../i18n/t.ts";
import { channelLink } from "../routing/links.ts";
import { state } from "../state/state.ts";

export function listSections(): ChannelSection[] {
  const { settings } = state.model;
  return channelSections(state.model, {
    compare: (one, other) => compareTexts(one, other, language()),
    hasFolders: settings.get(userSettings.webLeftSidebarShowChannelFolders),
    demotesInactive: settings.get(userSettings.demoteInactiveStreams) as SectionOptions["demotesInactive"],
  });
}

/** The address of the channel after or before the given one, round and round. */
export function channelBeside(channelId: number | undefined, step: 1 | -1): string | undefined {
  const all = listSections().flatMap(({ active, inactive, muted }) => [...active, ...inactive, ...muted]);
  const at = channelId === undefined ? -1 : all.indexOf(channelId);
  const next = at < 0 ? all.at(step === 1 ? 0 : -1) : all[(at + step + all.length) % all.length];
  return next === undefined ? undefined : channelLink(next);
}
