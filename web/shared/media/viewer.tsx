import { createEffect, createSignal, on, onCleanup, onMount, Show } from "solid-js";
import { t } from "../../i18n/t.ts";
import { aside } from "../../ui/aside.ts";
import { Icon, type IconName } from "../../ui/icon.tsx";
import { linkTo, narrowOfMessage } from "../routing/links.ts";
import { state } from "../state/state.ts";
import { nameOf } from "../text/names.ts";
import { shortTime } from "../text/times.ts";
import { uploadPath } from "./medium.ts";
import type { ShownMedium } from "./open-viewer.tsx";
import { Stage } from "./stage.tsx";

const ZOOM_STEP = 1.5;
const MAX_ZOOM = 8;

interface ViewerProps {
  media: readonly ShownMedium[];
  start: number;
  onClose(): void;
}

/** One picture or video on the whole screen. Arrows go through those of the view, Escape leads back. */
export function Viewer(props: ViewerProps) {
  let element: HTMLDialogElement | undefined;
  const [at, setAt] = createSignal(props.start);
  const [zoom, setZoom] = createSignal(1);
  const medium = () => props.media[at()] as ShownMedium;
  const step = (by: number) => setAt(Math.max(0, Math.min(props.media.length - 1, at() + by)));
  const zoomBy = (factor: number) => setZoom(Math.max(1, Math.min(MAX_ZOOM, zoom() * factor)));
  onMount(() => element?.showModal());
  onCleanup(() => element?.close());
  createEffect(on(at, () => setZoom(1), { defer: true }));

  function onKeyDown(event: KeyboardEvent): void {
    if (event.ctrlKey || event.metaKey || event.altKey || event.target instanceof HTMLVideoElement) return;
    const isLarge = zoom() > 1;
    const by = aside(event.key);
    if (by && !isLarge) step(by);
    else if (event.key === "+" || event.key === "=") zoomBy(ZOOM_STEP);
    else if (event.key === "-") zoomBy(1 / ZOOM_STEP);
    else if (event.key === "0") setZoom(1);
    else if (event.key === "v") props.onClose();
    else return;
    event.preventDefault();
  }

  return (
    <dialog
      ref={(one) => {
        element = one;
      }}
      class="viewer"
      aria-label={t("viewer.label")}
      onClose={() => props.onClose()}
      onKeyDown={onKeyDown}
      onClick={(event) => event.target === element && props.onClose()}
    >
      <header class="viewer-bar">
        <About medium={medium()} />
        <Tool
          icon="zoomOut"
          label={t("viewer.zoomOut")}
          isOff={zoom() <= 1}
          run={() => zoomBy(1 / ZOOM_STEP)}
        />
        <Tool
          icon="zoomIn"
          label={t("viewer.zoomIn")}
          isOff={zoom() >= MAX_ZOOM}
          run={() => zoomBy(ZOOM_STEP)}
        />
        <Links medium={medium()} />
        <Tool icon="close" label={t("help.close")} isOff={false} run={() => props.onClose()} />
      </header>
      <Stage medium={medium()} zoom={zoom()} onZoom={zoomBy} zoomStep={ZOOM_STEP} />
      <Show when={props.media.length > 1}>
        <footer class="viewer-bar viewer-steps">
          <Tool icon="back" label={t("viewer.previous")} isOff={at() === 0} run={() => step(-1)} />
          <span role="status">{t("viewer.position", { at: at() + 1, count: props.media.length })}</span>
          <Tool
            icon="next"
            label={t("viewer.next")}
            isOff={at() === props.media.length - 1}
            run={() => step(1)}
          />
        </footer>
      </Show>
    </dialog>
  );
}

/** Who sent it, and when. */
function About(props: { medium: ShownMedium }) {
  const message = () => state.model.messages.byId.get(props.medium.messageId ?? 0);
  return (
    <p class="viewer-about">
      <bdi class="viewer-title">{props.medium.title}</bdi>
      <Show when={message()}>
        {(one) => (
          <a href={linkTo(narrowOfMessage(one().to), one().id)}>
            <bdi>{nameOf(one().senderId)}</bdi>, {shortTime(one().sentAt * 1000)}
          </a>
        )}
      </Show>
    </p>
  );
}

function Links(props: { medium: ShownMedium }) {
  const path = () => uploadPath(props.medium.href);
  return (
    <>
      <Show when={path()}>
        {(one) => (
          <a
            class="square"
            href={`/user_uploads/download/${one()}`}
            download=""
            aria-label={t("viewer.download")}
            title={t("viewer.download")}
          >
            <Icon name="download" />
          </a>
        )}
      </Show>
      <a
        class="square"
        href={props.medium.href}
        target="_blank"
        rel="noopener noreferrer"
        aria-label={t("viewer.original")}
        title={t("viewer.original")}
      >
        <Icon name="external" />
      </a>
    </>
  );
}

/** A button at the end of its use keeps the focus, so it is not disabled but says so. */
function Tool(props: { icon: IconName; label: string; isOff: boolean; run(): void }) {
  return (
    <button
      type="button"
      class="square"
      aria-label={props.label}
      title={props.label}
      aria-disabled={props.isOff}
      onClick={() => !props.isOff && props.run()}
    >
      <Icon name={props.icon} />
    </button>
  );
}
