import { createSignal, onMount, Show } from "solid-js";
import { t } from "../i18n/t.ts";
import { loadRenderer, renderLocally } from "../shared/text/local-render.ts";
import { RenderedContent } from "../ui/rendered-content.tsx";

/** What the text will look like: the server's renderer, in the browser. */
export function Preview(props: { text: string }) {
  const [isLoaded, setLoaded] = createSignal(false);
  onMount(async () => {
    await loadRenderer();
    setLoaded(true);
  });
  return (
    <section class="preview" aria-label={t("compose.preview")}>
      <Show when={props.text.trim() !== ""} fallback={<p class="none">{t("compose.previewEmpty")}</p>}>
        <Show when={isLoaded()}>
          <RenderedContent html={renderLocally(props.text)} />
        </Show>
      </Show>
    </section>
  );
}
