import { createMemo, createSignal } from "solid-js";
import { best } from "../../../client/autocomplete/rank.ts";
import { t } from "../../i18n/t.ts";
import { isComposing } from "../../ui/is-composing.ts";
import { createListbox } from "../../ui/listbox.ts";
import { Options } from "../../ui/options.tsx";
import { channelName } from "../text/names.ts";
import { ChannelSign } from "./channel-sign.tsx";

const MAX_SHOWN = 8;

interface FieldProps {
  /** Those that can be chosen, in the order in which they stand while nothing is typed. */
  channels: readonly number[];
  /** 0: none is chosen yet. */
  channelId: number;
  onChoose(channelId: number): void;
  /** Escape. Without it, the key closes the list, and then goes on. */
  onEscape?(): void;
  /** Where a label is for it. It has its own otherwise. */
  id?: string;
  ref?(field: HTMLInputElement): void;
}

/** A channel by its name. What was typed and not chosen is gone when the field is left. */
export function ChannelField(props: FieldProps) {
  const [text, setText] = createSignal<string>();
  const [isOpen, setOpen] = createSignal(false);
  const found = createMemo(() => {
    const all = props.channels.map((id, order) => ({ item: id, name: channelName(id), order }));
    const wanted = (text() ?? "").trim().replace(/^#/, "");
    return wanted === "" ? all.slice(0, MAX_SHOWN).map(({ item }) => item) : best(all, wanted, MAX_SHOWN);
  });
  const close = () => {
    setText(undefined);
    setOpen(false);
  };
  const list = createListbox({
    items: found,
    isOpen,
    onChoose(channelId) {
      close();
      props.onChoose(channelId);
    },
  });

  function onKeyDown(event: KeyboardEvent): void {
    if (isComposing(event) || list.handleKey(event)) return;
    if (event.key === "ArrowDown") setOpen(true);
    else if (event.key === "Escape" && props.onEscape) props.onEscape();
    else if (event.key === "Escape" && isOpen()) {
      close();
      (event.target as HTMLInputElement).select();
    }
    // What fits no channel is not sent as one.
    else if (event.key !== "Enter" || !isOpen()) return;
    event.preventDefault();
  }

  return (
    <span class="channel-field">
      <ChannelSign channelId={props.channelId} />
      <input
        ref={(element) => {
          list.attach(element);
          props.ref?.(element);
        }}
        id={props.id}
        aria-label={props.id === undefined ? t("compose.channel") : undefined}
        placeholder={t("compose.chooseChannel")}
        autocomplete="off"
        dir="auto"
        value={text() ?? (props.channelId === 0 ? "" : channelName(props.channelId))}
        onFocus={(event) => {
          event.currentTarget.select();
          setOpen(true);
        }}
        onBlur={close}
        onInput={(event) => {
          setText(event.currentTarget.value);
          setOpen(true);
          list.setAt(0);
        }}
        onKeyDown={onKeyDown}
      />
      <Options list={list} class="completions" label={t("compose.channel")}>
        {(id) => (
          <>
            <span class="completion-sign" aria-hidden="true">
              <ChannelSign channelId={id} />
            </span>
            <bdi>{channelName(id)}</bdi>
          </>
        )}
      </Options>
    </span>
  );
}
