import { createSignal, Show } from "solid-js";
import { MAX_WIDGET_TEXT_LENGTH } from "../../../api/limits.ts";
import { t } from "../../i18n/t.ts";
import { Icon } from "../../ui/icon.tsx";
import { isComposing } from "../../ui/is-composing.ts";

interface TitleProps {
  title: string;
  /** In the place of an empty title. */
  missing: string;
  label: string;
  canEdit: boolean;
  onSave(title: string): Promise<boolean>;
}

/** The question of a poll or the title of a list; its author may change it. */
export function WidgetTitle(props: TitleProps) {
  const [text, setText] = createSignal<string>();
  async function save(): Promise<void> {
    const title = text()?.trim() ?? "";
    if (title === "" || title === props.title || (await props.onSave(title))) setText(undefined);
  }
  return (
    <Show
      when={text() !== undefined}
      fallback={
        <p class="widget-title">
          <bdi>{props.title || props.missing}</bdi>
          <Show when={props.canEdit}>
            <button
              type="button"
              class="square"
              aria-label={t("widget.rename", { what: props.label })}
              onClick={() => setText(props.title)}
            >
              <Icon name="pencil" />
            </button>
          </Show>
        </p>
      }
    >
      <form
        class="entry"
        onSubmit={(event) => {
          event.preventDefault();
          void save();
        }}
      >
        <input
          ref={(element) => queueMicrotask(() => element.focus())}
          dir="auto"
          data-max={MAX_WIDGET_TEXT_LENGTH}
          aria-label={props.label}
          value={text()}
          onInput={(event) => setText(event.currentTarget.value)}
          onKeyDown={(event) => !isComposing(event) && event.key === "Escape" && setText(undefined)}
        />
        <button type="submit" class="square" aria-label={t("edit.save")} title={t("edit.save")}>
          <Icon name="check" />
        </button>
      </form>
    </Show>
  );
}
