import { createMemo, createSignal, For, type JSX, Show } from "solid-js";
import { fold } from "../../client/autocomplete/fold.ts";
import { t } from "../i18n/t.ts";
import type { TextKey } from "../i18n/texts.ts";
import { Icon, type IconName } from "./icon.tsx";

export interface Section {
  /** Its part of the address. */
  id: string;
  label: TextKey;
  icon: IconName;
  /** The heading above it. Sections of a group follow each other. */
  group?: TextKey;
  draw(): JSX.Element;
}

interface FrameProps {
  title: string;
  /** The address without the section, as `#settings`. */
  base: string;
  sections: readonly Section[];
  /** The section on the screen. Without one, a wide screen shows the first and a phone the list. */
  current: string | undefined;
  /** The address to which the button leads back from the list. */
  back?: string;
  /** What this is a part of: a link before the title, where there is room. */
  parent?: { title: string; link: string };
  /** What the settings of a section are called. With it, a field above the sections finds them. */
  settingsOf?(id: string): readonly string[];
  /** At the end of the title's line. */
  actions?: JSX.Element;
}

/** A list of sections, and the one on the screen. On a phone, each is a screen of its own. */
export function SettingsFrame(props: FrameProps) {
  const chosen = () => props.sections.find(({ id }) => id === props.current);
  const shown = () => chosen() ?? props.sections[0];
  const [wanted, setWanted] = createSignal("");
  const found = createMemo(() => findSettings(props, fold(wanted().trim())));
  return (
    <div class="settings" data-screen={chosen() ? "section" : "list"}>
      <header class="view-header">
        <a
          class="square back"
          href={chosen() ? props.base : (props.parent?.link ?? props.back ?? "#")}
          aria-label={t("header.back")}
        >
          <Icon name="back" />
        </a>
        <Show when={props.parent}>
          {(parent) => (
            <a class="parent" href={parent().link}>
              {parent().title}
            </a>
          )}
        </Show>
        <h1>
          <bdi>{props.title}</bdi>
        </h1>
        <Show when={props.actions}>
          <div class="view-actions">{props.actions}</div>
        </Show>
      </header>
      <nav aria-label={t("settings.sections")}>
        <Show when={props.settingsOf}>
          <input
            type="search"
            aria-label={t("settings.search")}
            placeholder={t("settings.search")}
            autocomplete="off"
            onInput={(event) => setWanted(event.currentTarget.value)}
          />
        </Show>
        <ul>
          <For each={found()} fallback={<li class="nothing">{t("list.none")}</li>}>
            {({ section, settings, heading }) => (
              <li>
                <Show when={heading}>{(group) => <p class="section-group">{t(group())}</p>}</Show>
                <a
                  href={`${props.base}/${section.id}`}
                  aria-current={shown()?.id === section.id ? "page" : undefined}
                >
                  <Icon name={section.icon} />
                  {t(section.label)}
                </a>
                <For each={settings}>
                  {(setting) => (
                    <a
                      class="found-setting"
                      href={`${props.base}/${section.id}`}
                      onClick={() => showSetting(setting)}
                    >
                      {setting}
                    </a>
                  )}
                </For>
              </li>
            )}
          </For>
        </ul>
      </nav>
      <Show when={shown()} keyed>
        {(section) => (
          // Keys scroll it, also where nothing in it takes the focus.
          <section class="settings-section" aria-labelledby="settings-section" tabindex={0}>
            <h2 id="settings-section">{t(section.label)}</h2>
            {section.draw()}
          </section>
        )}
      </Show>
    </div>
  );
}

interface Found {
  section: Section;
  settings: readonly string[];
  /** The section is the first of this group. */
  heading?: TextKey | undefined;
}

/** All sections while nothing is looked for; else those that have it in their name or in a setting's. */
function findSettings({ sections, settingsOf }: FrameProps, wanted: string): readonly Found[] {
  if (wanted === "")
    return sections.map((section, at) => {
      const isFirst = section.group !== sections[at - 1]?.group;
      return { section, settings: [], heading: isFirst ? section.group : undefined };
    });
  const fits = (text: string) => fold(text).includes(wanted);
  return sections
    .map((section) => ({ section, settings: (settingsOf?.(section.id) ?? []).filter(fits) }))
    .filter(({ section, settings }) => settings.length > 0 || fits(t(section.label)));
}

/** Takes the focus to a setting of the section that the same press opens. */
function showSetting(name: string): void {
  setTimeout(() => {
    const labels = [...document.querySelectorAll(".settings-section :is(label, legend, .label)")];
    const label = labels.find(({ textContent }) => textContent?.trim() === name);
    label?.scrollIntoView({ block: "center" });
    if (label instanceof HTMLLabelElement) label.control?.focus({ preventScroll: true });
  });
}
