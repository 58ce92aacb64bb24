import { createEffect, createSignal, on, onCleanup, onMount, Show } from "solid-js";
import { t } from "../../i18n/t.ts";
import type { ShownMedium } from "./open-viewer.tsx";

interface StageProps {
  medium: ShownMedium;
  /** 1: the whole picture is on the screen. */
  zoom: number;
  zoomStep: number;
  onZoom(factor: number): void;
}

interface Size {
  width: number;
  height: number;
}

/** The picture in the room that there is. A large one is moved by the pointer, by scrolling and by arrows. */
export function Stage(props: StageProps) {
  let element: HTMLElement | undefined;
  const fit = createFit(props);
  const [hasFailed, setFailed] = createSignal(false);
  onMount(() => element && fit.watch(element));
  createEffect(
    on(
      () => props.medium,
      () => setFailed(false),
    ),
  );
  /** What was in the middle stays there. */
  createEffect(
    on(
      () => props.zoom,
      (zoom, before = 1) => {
        if (!element) return;
        const { clientWidth, clientHeight, scrollLeft, scrollTop } = element;
        const middle = (start: number, length: number) => ((start + length / 2) * zoom) / before - length / 2;
        element.scrollTo(middle(scrollLeft, clientWidth), middle(scrollTop, clientHeight));
      },
      { defer: true },
    ),
  );

  function onPointerDown(event: PointerEvent & { currentTarget: HTMLElement }): void {
    if (event.pointerType !== "mouse" || event.button !== 0 || props.medium.kind === "video") return;
    event.preventDefault();
    event.currentTarget.focus({ preventScroll: true });
    event.currentTarget.setPointerCapture(event.pointerId);
  }

  function onPointerMove(event: PointerEvent & { currentTarget: HTMLElement }): void {
    if (event.currentTarget.hasPointerCapture(event.pointerId))
      event.currentTarget.scrollBy(-event.movementX, -event.movementY);
  }

  function onWheel(event: WheelEvent): void {
    if (!event.ctrlKey) return;
    event.preventDefault();
    props.onZoom(event.deltaY < 0 ? props.zoomStep : 1 / props.zoomStep);
  }

  return (
    <section
      class="viewer-stage"
      classList={{ large: props.zoom > 1 }}
      ref={(one) => {
        element = one;
      }}
      // A large picture is scrolled by keys.
      tabindex={0}
      aria-label={props.medium.title}
      autofocus
      onPointerDown={onPointerDown}
      onPointerMove={onPointerMove}
      onDblClick={() => props.onZoom(props.zoom > 1 ? 1 / props.zoom : props.zoomStep ** 2)}
      on:wheel={onWheel}
    >
      <Show when={!hasFailed()} fallback={<p role="alert">{t("content.noPicture")}</p>}>
        <Show
          when={props.medium.kind === "picture" && props.medium}
          keyed
          fallback={<Video medium={props.medium} />}
        >
          {(medium) => (
            <img
              src={medium.source}
              alt={medium.title}
              draggable={false}
              style={fit.shown()}
              onLoad={({ currentTarget: { naturalWidth, naturalHeight } }) =>
                fit.setLoaded({ width: naturalWidth, height: naturalHeight })
              }
              onError={() => setFailed(true)}
            />
          )}
        </Show>
      </Show>
    </section>
  );
}

/** How large the picture is on the screen: as large as it is, or as there is room for, times the zoom. */
function createFit(props: StageProps) {
  const [room, setRoom] = createSignal<Size>({ width: 0, height: 0 });
  const [loaded, setLoaded] = createSignal<Size>();
  createEffect(
    on(
      () => props.medium,
      () => setLoaded(undefined),
    ),
  );
  const size = () => {
    const { width, height } = props.medium;
    return width && height ? { width, height } : loaded();
  };
  return {
    setLoaded,
    shown() {
      const whole = size();
      if (!whole) return undefined;
      const fit = Math.min(1, room().width / whole.width, room().height / whole.height);
      const scale = fit * props.zoom;
      return { width: `${whole.width * scale}px`, height: `${whole.height * scale}px` };
    },
    /** Watches the size of the element that the picture is in. */
    watch(element: Element): void {
      const { clientWidth: width, clientHeight: height } = element;
      setRoom({ width, height });
      const observer = new ResizeObserver(([entry]) => entry && setRoom(entry.contentRect));
      observer.observe(element);
      onCleanup(() => observer.disconnect());
    },
  };
}

function Video(props: { medium: ShownMedium }) {
  // biome-ignore lint/a11y/useMediaCaption: its sender may have given none.
  return <video controls src={props.medium.source} aria-label={props.medium.title} />;
}
