import type { Completion } from "../../client/autocomplete/complete.ts";
import { t } from "../i18n/t.ts";
import { state } from "../shared/state/state.ts";
import { emojiText } from "../shared/text/content.ts";
import { Avatar } from "../ui/avatar.tsx";
import { Icon } from "../ui/icon.tsx";
import type { Listbox } from "../ui/listbox.ts";
import { Options } from "../ui/options.tsx";

/** Above the field, so that nothing moves. */
export function Completions(props: { list: Listbox<Completion> }) {
  return (
    <Options list={props.list} class="completions" label={t("complete.label")}>
      {(completion) => (
        <>
          <span class="completion-sign" aria-hidden="true">
            <Sign one={completion} />
          </span>
          <bdi>{completion.label}</bdi>
          <bdi class="completion-detail">{completion.detail}</bdi>
        </>
      )}
    </Options>
  );
}

function Sign(props: { one: Completion }) {
  const { kind, userId, emoji } = props.one;
  if (userId !== undefined) return <Avatar user={state.model.users.get(userId)} />;
  if (emoji?.picture) return <img src={emoji.picture} alt="" width="20" height="20" />;
  if (emoji) return emojiText(emoji.code);
  if (kind === "channel" || kind === "topic") return <Icon name="hash" />;
  return <Icon name={kind === "language" || kind === "command" ? "code" : "people"} />;
}
