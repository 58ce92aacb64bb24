import { createSignal, onCleanup, Show } from "solid-js";
import { renderMessage } from "../../../api/messages/messages.ts";
import { t } from "../../i18n/t.ts";
import { TextField } from "../../ui/fields.tsx";
import { RenderedContent } from "../../ui/rendered-content.tsx";
import { call } from "../calls.ts";
import { createFetched, WhenFetched } from "../controls/fetched.tsx";

const PAUSE_MS = 250;

/** A text as the server makes it with all linkifiers. `version` changes with them. */
export function Trial(props: { version(): unknown }) {
  const [typed, setTyped] = createSignal("");
  const [text, setText] = createSignal("");
  let timer: ReturnType<typeof setTimeout> | undefined;
  onCleanup(() => clearTimeout(timer));
  const fetched = createFetched(
    async () => {
      const content = text().trim();
      return content === "" ? "" : (await call(renderMessage, { content })).rendered;
    },
    () => [text(), props.version()],
  );
  const type = (value: string) => {
    setTyped(value);
    clearTimeout(timer);
    timer = setTimeout(() => setText(value), PAUSE_MS);
  };
  return (
    <div class="trial">
      <TextField
        label={t("linkifiers.try")}
        placeholder={t("linkifiers.tryPlaceholder")}
        value={typed()}
        onInput={type}
      />
      <section class="trial-result" aria-label={t("linkifiers.result")} aria-live="polite">
        <WhenFetched fetched={fetched}>
          {(html) => (
            <Show when={html() !== ""} fallback={<p class="hint">{t("linkifiers.tryHint")}</p>}>
              <RenderedContent html={html()} />
            </Show>
          )}
        </WhenFetched>
      </section>
    </div>
  );
}
