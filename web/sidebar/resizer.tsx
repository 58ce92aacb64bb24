import { t } from "../i18n/t.ts";
import { bounded, type ListWidth, MAX_PX, MIN_PX, USUAL_PX } from "./list-width.ts";

const STEP_PX = 8;

/** The edge of the list. It is dragged, or moved by the arrows; a double click gives the usual width. */
export function Resizer(props: { width: ListWidth }) {
  const { width } = props;
  const isRightToLeft = () => document.documentElement.dir === "rtl";

  function onPointerDown(event: PointerEvent & { currentTarget: HTMLElement }): void {
    const edge = event.currentTarget;
    const { clientX } = event;
    const before = width.value();
    // The list is wider than chosen where texts are larger.
    const text = getComputedStyle(document.documentElement).getPropertyValue("--text");
    const scale = Math.max(1, Number(text) || 1);
    const onMove = (moved: PointerEvent) => {
      const by = ((moved.clientX - clientX) / scale) * (isRightToLeft() ? -1 : 1);
      width.keep(bounded(before + by));
    };
    edge.setPointerCapture(event.pointerId);
    edge.addEventListener("pointermove", onMove);
    const end = () => edge.removeEventListener("pointermove", onMove);
    edge.addEventListener("lostpointercapture", end, { once: true });
    event.preventDefault();
  }

  function onKeyDown(event: KeyboardEvent): void {
    const wider = isRightToLeft() ? "ArrowLeft" : "ArrowRight";
    const narrower = isRightToLeft() ? "ArrowRight" : "ArrowLeft";
    if (event.key === wider) width.keep(bounded(width.value() + STEP_PX));
    else if (event.key === narrower) width.keep(bounded(width.value() - STEP_PX));
    else if (event.key === "Home") width.keep(MIN_PX);
    else if (event.key === "End") width.keep(MAX_PX);
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  return (
    // biome-ignore lint/a11y/useSemanticElements: a rule can't be moved.
    <div
      class="resizer"
      role="separator"
      tabindex={0}
      aria-orientation="vertical"
      aria-label={t("sidebar.width")}
      aria-valuenow={width.value()}
      aria-valuemin={MIN_PX}
      aria-valuemax={MAX_PX}
      onPointerDown={onPointerDown}
      onDblClick={() => width.keep(USUAL_PX)}
      onKeyDown={onKeyDown}
    />
  );
}
