import { For, Show } from "solid-js";
import { addReaction, removeReaction } from "../../api/reactions.ts";
import { CallError } from "../../client/call-error.ts";
import type { Reaction } from "../../client/model/messages.ts";
import { emojiText } from "../app/content.ts";
import { nameOf } from "../app/names.ts";
import { state } from "../app/state.ts";
import { language, t } from "../i18n/t.ts";

interface Chip {
  key: string;
  reaction: Reaction;
  userIds: number[];
}

/** Who reacted with what. A press adds the viewer's own reaction, or takes it back. */
export function Reactions(props: { messageId: number | undefined; reactions: readonly Reaction[] }) {
  const chips = () => chipsOf(props.reactions);
  return (
    <Show when={chips().length > 0}>
      <ul class="reactions" aria-label={t("reactions.label")}>
        <For each={chips()}>{(chip) => <ReactionChip chip={chip} messageId={props.messageId ?? 0} />}</For>
      </ul>
    </Show>
  );
}

function ReactionChip(props: { chip: Chip; messageId: number }) {
  const isOwn = () => props.chip.userIds.includes(state.model.viewer.id);
  const label = () => {
    const names = new Intl.ListFormat(language()).format(props.chip.userIds.map(nameOf));
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
        onClick={() => void toggle(props.messageId, props.chip.reaction, isOwn())}
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

/** The event of the change shows it. A refusal leaves the chip as it is. */
async function toggle(messageId: number, reaction: Reaction, isOwn: boolean): Promise<void> {
  const { emojiName, emojiCode, reactionType } = reaction;
  const parameters = {
    ...{ message_id: messageId, emoji_name: emojiName, emoji_code: emojiCode },
    reaction_type: reactionType as "unicode_emoji",
  };
  try {
    await state.track(() =>
      isOwn
        ? state.connection.call(removeReaction, parameters)
        : state.connection.call(addReaction, parameters as never),
    );
  } catch (error) {
    if (!(error instanceof CallError)) throw error;
  }
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
