import { type JSX, Show } from "solid-js";
import { t } from "../i18n/t.ts";
import { keptChoice, readTexts } from "../shared/state/kept.ts";
import { shortCount } from "../shared/text/short-count.ts";
import { Icon } from "../ui/icon.tsx";
import { isFiltering } from "./filter.tsx";

let kept: ReturnType<typeof keptChoice<readonly string[]>> | undefined;
/** Made when the first section is on the screen, since the account is known then. */
const collapsed = () => {
  kept ??= keptChoice("collapsed", readTexts);
  return kept;
};

interface SectionProps {
  /** The same from visit to visit. */
  id: string;
  title: string;
  /** Unread messages in all of it, shown while it is collapsed. */
  count: number;
  isUrgent: boolean;
  action?: JSX.Element;
  /** What stays when the section is collapsed: the place on the screen. */
  collapsedTo: JSX.Element;
  children: JSX.Element;
}

/** A part of the list under a heading that collapses it. While the list is filtered, all parts are open. */
export function Section(props: SectionProps) {
  const isCollapsed = () => collapsed().value().includes(props.id) && !isFiltering();
  const toggle = () => {
    const others = collapsed()
      .value()
      .filter((id) => id !== props.id);
    collapsed().keep(isCollapsed() ? others : [...others, props.id]);
  };
  return (
    <section>
      <div class="section-head">
        <h2>
          <button type="button" class="section-toggle" aria-expanded={!isCollapsed()} onClick={toggle}>
            <Icon name="expand" />
            <bdi>{props.title}</bdi>
            <Show when={isCollapsed() && props.count > 0}>
              <span class="count" classList={{ urgent: props.isUrgent }} aria-hidden="true">
                {shortCount(props.count)}
              </span>
              <span class="sr">, {t("sidebar.unread", { count: props.count })}</span>
            </Show>
          </button>
        </h2>
        {props.action}
      </div>
      <Show when={!isCollapsed()} fallback={props.collapsedTo}>
        {props.children}
      </Show>
    </section>
  );
}
