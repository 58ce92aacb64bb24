import { createMemo, createSignal, For, Show } from "solid-js";
import { t } from "../i18n/t.ts";
import { type PictureInText, picturesIn, withoutPicture } from "../shared/uploads/pictures-in.ts";
import { shownPicture } from "../shared/uploads/shown-pictures.ts";
import { uploads } from "../shared/uploads/uploads.ts";
import { Icon } from "../ui/icon.tsx";

/** The pictures of the text as people will see them, each with how far it is and a button that removes it. */
export function Pictures(props: { text: string; onText(text: string): void }) {
  const underWay = () => uploads().filter(({ picture }) => picture !== undefined);
  const pictures = createMemo(() => picturesIn(props.text, underWay()));
  const marks = createMemo(() => pictures().map(({ mark }) => mark));
  const remove = (picture: PictureInText) => {
    underWay()
      .find(({ place }) => place === picture.mark)
      ?.cancel();
    props.onText(withoutPicture(props.text, picture));
  };
  return (
    <Show when={marks().length > 0}>
      <ul class="box-pictures" aria-label={t("upload.pictures")}>
        <For each={marks()}>
          {(mark) => (
            <Show when={pictures().find((one) => one.mark === mark)}>
              {(picture) => <Picture picture={picture()} onRemove={() => remove(picture())} />}
            </Show>
          )}
        </For>
      </ul>
    </Show>
  );
}

function Picture(props: { picture: PictureInText; onRemove(): void }) {
  const [isBroken, setBroken] = createSignal(false);
  const upload = () => uploads().find(({ place }) => place === props.picture.mark);
  const address = () => {
    const there = props.picture.address;
    return there === undefined ? upload()?.picture : (shownPicture(there) ?? there);
  };
  const { name } = props.picture;
  return (
    <li title={name}>
      <Show when={!isBroken()} fallback={<Icon name="picture" />}>
        <img src={address()} alt={name} onError={() => setBroken(true)} />
      </Show>
      <Show when={props.picture.address === undefined}>
        <progress aria-label={t("upload.progress", { name })} value={upload()?.sent ?? 0} />
      </Show>
      <button
        type="button"
        class="square"
        aria-label={t("upload.remove", { name })}
        title={t("upload.remove", { name })}
        onClick={() => props.onRemove()}
      >
        <Icon name="close" />
      </button>
    </li>
  );
}
