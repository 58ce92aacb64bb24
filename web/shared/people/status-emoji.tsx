import { Show } from "solid-js";
import { live } from "../../ui/live.ts";
import { state } from "../state/state.ts";
import { emojiText } from "../text/content.ts";

/** The emoji of somebody's status, beside the name. Its text is in the title, and is said too. */
export function StatusEmoji(props: { userId: number }) {
  const status = live(["userStatuses", "customEmoji", "users", "generation"], () => {
    const { emoji, text } = state.model.userStatuses.of(props.userId) ?? {};
    return emoji && { emoji, text: text ?? "" };
  });
  return (
    <Show when={status()}>
      {(one) => (
        <span class="status-emoji" title={one().text || `:${one().emoji.name}:`}>
          <EmojiSign code={one().emoji.code} type={one().emoji.type} />
          <Show when={one().text}>{(text) => <span class="sr"> ({text()})</span>}</Show>
        </span>
      )}
    </Show>
  );
}

/** An emoji of the system's font, or a picture of the organization's own. */
export function EmojiSign(props: { code: string; type: string }) {
  const picture = () =>
    props.type === "realm_emoji" ? state.model.customEmoji.byId.get(props.code)?.sourceUrl : undefined;
  return (
    <Show
      when={picture()}
      fallback={
        <Show when={props.type === "unicode_emoji"}>
          <span class="emoji" aria-hidden="true">
            {emojiText(props.code)}
          </span>
        </Show>
      }
    >
      {(url) => <img src={url()} alt="" width="16" height="16" />}
    </Show>
  );
}
