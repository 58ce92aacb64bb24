import { createSignal, Show } from "solid-js";
import { conversationNarrow } from "../../client/narrow.ts";
import { type KeptDraft, keepDraft, listDrafts } from "../app/compose/drafts.ts";
import { UnsentList } from "../app/outbox/unsent-list.tsx";
import { linkTo } from "../app/routing/links.ts";
import { go } from "../app/routing/route.ts";
import { placeName } from "../app/text/names.ts";
import { shortTime } from "../app/text/times.ts";
import { t } from "../i18n/t.ts";
import { Icon } from "../ui/icon.tsx";
import { Keyed } from "../ui/keyed.tsx";
import { live } from "../ui/live.ts";

/** What was begun and not sent. A row leads back to its conversation, where the text is in the field. */
export function Drafts() {
  const [removed, setRemoved] = createSignal(0);
  const version = live(["drafts", "channels", "users", "generation"], () => ({}));
  const drafts = () => {
    version();
    removed();
    return listDrafts();
  };
  const remove = (draft: KeptDraft) => {
    keepDraft(draft.place, "");
    setRemoved((count) => count + 1);
  };
  return (
    <>
      <header class="view-header">
        <button type="button" class="square back" aria-label={t("header.back")} onClick={() => go("#")}>
          <Icon name="back" />
        </button>
        <h1>{t("view.drafts")}</h1>
      </header>
      <div class="inbox drafts">
        <UnsentList />
        <Show when={drafts().length > 0} fallback={<p class="note">{t("drafts.empty")}</p>}>
          <ul>
            <Keyed each={drafts()} by={linkOf}>
              {(draft) => <DraftRow draft={draft()} onRemove={() => remove(draft())} />}
            </Keyed>
          </ul>
        </Show>
      </div>
    </>
  );
}

function DraftRow(props: { draft: KeptDraft; onRemove(): void }) {
  return (
    <li class="draft">
      <a class="inbox-row" href={linkOf(props.draft)}>
        <bdi class="draft-place">{placeName(props.draft.place)}</bdi>
        <bdi class="draft-text">{props.draft.text}</bdi>
        <time>{props.draft.editedAt === undefined ? "" : shortTime(props.draft.editedAt * 1000)}</time>
      </a>
      <button
        type="button"
        class="square"
        aria-label={t("drafts.delete", { place: placeName(props.draft.place) })}
        onClick={() => props.onRemove()}
      >
        <Icon name="trash" />
      </button>
    </li>
  );
}

function linkOf({ place }: KeptDraft): string {
  return linkTo(conversationNarrow(place));
}
