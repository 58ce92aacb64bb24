import { createSignal, onMount, Show } from "solid-js";
import { conversationNarrow } from "../../client/narrow.ts";
import { t } from "../i18n/t.ts";
import { type BegunText, isOpenPlace } from "../shared/compose/begun-text.ts";
import { edited, editMessage } from "../shared/compose/editing.ts";
import { loadSaver, openText, texts, textsVersion } from "../shared/compose/texts.ts";
import { UnsentList } from "../shared/outbox/unsent-list.tsx";
import { linkTo, narrowOfMessage } from "../shared/routing/links.ts";
import { go } from "../shared/routing/route.ts";
import { state } from "../shared/state/state.ts";
import { placeName } from "../shared/text/names.ts";
import { nearTime } from "../shared/text/times.ts";
import { Icon } from "../ui/icon.tsx";
import { Keyed } from "../ui/keyed.tsx";
import { live } from "../ui/live.ts";

/** A row is one line. */
const MAX_SHOWN = 500;

/** What was begun and not sent. A row leads back to its place, where the text is in the field. */
export function Drafts() {
  const [isLoaded, setLoaded] = createSignal(false);
  onMount(async () => {
    await loadSaver();
    setLoaded(true);
  });
  const named = live(["channels", "users", "generation"], () => ({}));
  const drafts = () => {
    named();
    textsVersion();
    return texts().list();
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
        <Show when={drafts().length > 0} fallback={isLoaded() && <p class="note">{t("drafts.empty")}</p>}>
          <ul>
            <Keyed each={drafts()} by={({ id }) => id}>
              {(draft) => <DraftRow draft={draft()} />}
            </Keyed>
          </ul>
        </Show>
      </div>
    </>
  );
}

function DraftRow(props: { draft: BegunText }) {
  return (
    <li class="draft">
      <a class="inbox-row" href={linkOf(props.draft)} onClick={() => open(props.draft)}>
        <bdi class="draft-place">{nameOf(props.draft)}</bdi>
        <bdi class="draft-text">{props.draft.content.slice(0, MAX_SHOWN)}</bdi>
        <time>{props.draft.changedAt === 0 ? "" : nearTime(props.draft.changedAt)}</time>
      </a>
      <button
        type="button"
        class="square"
        aria-label={deletionOf(props.draft)}
        onClick={() => remove(props.draft)}
      >
        <Icon name="trash" />
      </button>
    </li>
  );
}

function open(draft: BegunText): void {
  openText(draft);
  if (draft.place.kind === "edit") editMessage(draft.place.messageId);
}

function remove({ id, place }: BegunText): void {
  texts().remove(id);
  if (place.kind === "edit" && edited() === place.messageId) editMessage(undefined);
}

/** A place that is not chosen yet is chosen in the box, which opens over this list. */
function linkOf({ place }: BegunText): string {
  if (place.kind === "scheduled") return "#scheduled";
  if (place.kind === "edit") {
    const message = state.model.messages.byId.get(place.messageId);
    const narrow = message ? narrowOfMessage(message.to) : conversationNarrow(place.to);
    return linkTo(narrow, place.messageId);
  }
  const isUnknown = isOpenPlace(place) && (place.kind === "direct" || place.channelId === 0);
  return isUnknown ? "#drafts" : linkTo(conversationNarrow(place));
}

function nameOf({ place, topic }: BegunText): string {
  if (place.kind === "scheduled") return t("drafts.scheduled");
  if (place.kind === "edit") return t("drafts.edit", { place: placeName(place.to) });
  const isTyped = place.kind === "channel" && place.topic === undefined && topic.trim() !== "";
  return placeName(isTyped ? { ...place, topic: topic.trim() } : place);
}

function deletionOf({ place }: BegunText): string {
  if (place.kind === "scheduled") return t("drafts.deleteScheduled");
  if (place.kind === "edit") return t("drafts.deleteEdit", { place: placeName(place.to) });
  return t("drafts.delete", { place: placeName(place) });
}
