import { createMemo, createSignal, For, Show } from "solid-js";
import { MAX_VIEW_NAME_LENGTH } from "../../api/limits.ts";
import { CallError } from "../../client/call-error.ts";
import { t } from "../i18n/t.ts";
import { Dialog } from "../ui/dialog.tsx";
import { Icon } from "../ui/icon.tsx";
import { live } from "../ui/live.ts";
import { Problem } from "../ui/problem.tsx";
import { createWanted } from "../ui/wanted.ts";
import { addView, fragmentOf, moveView, removeView, setPinned } from "./change-views.ts";
import { type ListedView, listViews } from "./view-list.ts";

/** Which views are in the list, in which order, and views of one's own. */
export function ArrangeViews(props: { onClose(): void }) {
  const [problem, setProblem] = createSignal<string>();
  const stored = live(["navigationViews", "generation"], () => ({}));
  const all = createMemo(() => {
    stored();
    return listViews().filter(({ isAutomatic }) => !isAutomatic);
  });
  const fragments = createMemo(() => all().map(({ fragment }) => fragment));
  const viewOf = (fragment: string) => all().find((view) => view.fragment === fragment);
  const attempt = async (change: Promise<void>): Promise<boolean> => {
    setProblem(undefined);
    try {
      await change;
      return true;
    } catch (error) {
      if (!(error instanceof CallError)) throw error;
      setProblem(error.message);
      return false;
    }
  };
  return (
    <Dialog label={t("views.arrangeTitle")} class="form-dialog arrange" onClose={() => props.onClose()}>
      <h2>{t("views.arrangeTitle")}</h2>
      <ul>
        <For each={fragments()}>
          {(fragment) => (
            <Show when={viewOf(fragment)}>{(view) => <ArrangedView view={view()} attempt={attempt} />}</Show>
          )}
        </For>
      </ul>
      <AddView attempt={attempt} />
      <Problem text={problem()} />
    </Dialog>
  );
}

function ArrangedView(props: { view: ListedView; attempt(change: Promise<void>): Promise<boolean> }) {
  const stored = createMemo(() => props.view.isPinned);
  const pin = createWanted(stored);
  return (
    <li>
      <label class="choice">
        <input
          type="checkbox"
          checked={pin.value()}
          onChange={({ currentTarget: { checked } }) =>
            void pin.change(checked, () => props.attempt(setPinned(props.view, checked)))
          }
        />
        <Icon name={props.view.icon} />
        <bdi>{props.view.name}</bdi>
      </label>
      <Show when={!props.view.isBuiltIn}>
        <button
          type="button"
          class="square"
          aria-label={t("views.remove", { name: props.view.name })}
          onClick={() => void props.attempt(removeView(props.view))}
        >
          <Icon name="trash" />
        </button>
      </Show>
      <button
        type="button"
        class="square"
        aria-label={t("views.upOf", { name: props.view.name })}
        onClick={() => moveView(props.view, -1)}
      >
        <Icon name="up" />
      </button>
      <button
        type="button"
        class="square"
        aria-label={t("views.downOf", { name: props.view.name })}
        onClick={() => moveView(props.view, 1)}
      >
        <Icon name="down" />
      </button>
    </li>
  );
}

/** A view of one's own is any address of this client, under a name. */
function AddView(props: { attempt(change: Promise<void>): Promise<boolean> }) {
  const [name, setName] = createSignal("");
  const [link, setLink] = createSignal(location.hash.length > 1 ? location.href : "");
  const add = async (event: SubmitEvent) => {
    event.preventDefault();
    const fragment = fragmentOf(link());
    if (fragment === undefined) return;
    if (!(await props.attempt(addView(fragment, name().trim())))) return;
    setName("");
    setLink("");
  };
  return (
    <form onSubmit={(event) => void add(event)}>
      <h3>{t("views.add")}</h3>
      <label>
        {t("views.name")}
        <input
          required
          data-max={MAX_VIEW_NAME_LENGTH}
          value={name()}
          onInput={(event) => setName(event.currentTarget.value)}
        />
      </label>
      <label>
        {t("views.link")}
        <input required dir="ltr" value={link()} onInput={(event) => setLink(event.currentTarget.value)} />
      </label>
      <p class="buttons">
        <button type="submit" class="button primary">
          {t("views.addAction")}
        </button>
      </p>
    </form>
  );
}
