import { createMemo, Show } from "solid-js";
import type { Message, Reaction } from "../../../client/model/messages.ts";
import { joinTexts } from "../../i18n/intl.ts";
import { language, t } from "../../i18n/t.ts";
import { state } from "../../shared/state/state.ts";
import { emojiText } from "../../shared/text/content.ts";
import { nameInGroup } from "../../shared/text/names.ts";
import { Keyed } from "../../ui/keyed.tsx";
import { live } from "../../ui/live.ts";
import { toggleReaction } from "../actions/message-actions.ts";

interface Chip {
  key: string;
  reaction: Reaction;
  userIds: number[];
}

/** Who reacted with what. A press adds the viewer's own reaction, or takes it back. */
export function Reactions(props: { message: Message | undefined; reactions: readonly Reaction[] }) {
  const chips = createMemo(() => chipsOf(props.reactions));
  return (
    <Show when={chips().length > 0}>
      <ul class="reactions" aria-label={t("reactions.label")}>
        <Keyed each={chips()} by={({ key }) => key}>
          {(chip) => <ReactionChip chip={chip()} message={props.message} />}
        </Keyed>
      </ul>
    </Show>
  );
}

function ReactionChip(props: { chip: Chip; message: Message | undefined }) {
  const isOwn = () => props.chip.userIds.includes(state.model.viewer.id);
  const named = live(["users", "mutedUsers", "generation"], () => ({}));
  const label = () => {
    named();
    const names = joinTexts(props.chip.userIds.map(nameInGroup), language(), "wide");
    return t("reactions.one", { emoji: props.chip.reaction.emojiName.replace(/_/g, " "), names });
  };
  return (
    <li>
      <button
        type="button"
        class="chip"
        aria-pressed={isOwn()}
        aria-label={label()}
        title={label()}
        onClick={() => props.message && toggleReaction(props.message, props.chip.reaction)}
      >
        <Show
          when={pictureOf(props.chip.reaction)}
          fallback={<span>{emojiText(props.chip.reaction.emojiCode)}</span>}
        >
          {(url) => <img src={url()} alt="" width="16" height="16" />}
        </Show>
        <span>{props.chip.userIds.length}</span>
      </button>
    </li>
  );
}

function pictureOf({ reactionType, emojiCode }: Reaction): string | undefined {
  if (reactionType === "unicode_emoji") return undefined;
  return state.model.customEmoji.byId.get(emojiCode)?.sourceUrl ?? "/logo.svg";
}

function chipsOf(reactions: readonly Reaction[]): Chip[] {
  const chips = new Map<string, Chip>();
  for (const reaction of reactions) {
    const key = `${reaction.reactionType} ${reaction.emojiCode}`;
    const chip = chips.get(key) ?? { key, reaction, userIds: [] };
    chip.userIds.push(reaction.userId);
    chips.set(key, chip);
  }
  return [...chips.values()];
}
