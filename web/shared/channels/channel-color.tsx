import { createMemo, createSignal, For } from "solid-js";
import { CallError } from "../../../client/call-error.ts";
import { t } from "../../i18n/t.ts";
import type { TextKey } from "../../i18n/texts.ts";
import { channelHue } from "../../ui/channel-hue.ts";
import { Dialog } from "../../ui/dialog.tsx";
import { Icon } from "../../ui/icon.tsx";
import { live } from "../../ui/live.ts";
import { Problem } from "../../ui/problem.tsx";
import { createWanted } from "../../ui/wanted.ts";
import { state } from "../state/state.ts";
import { channelName } from "../text/names.ts";
import { changeSubscription } from "./change-subscription.ts";

/** The hue is all that is shown of a colour. Other clients show it as it is. */
const colors: readonly { name: TextKey; color: string }[] = [
  { name: "color.red", color: "#d64545" },
  { name: "color.orange", color: "#e07a1f" },
  { name: "color.amber", color: "#c79a14" },
  { name: "color.yellow", color: "#b3b31f" },
  { name: "color.lime", color: "#7fae2a" },
  { name: "color.green", color: "#2fa35a" },
  { name: "color.teal", color: "#1fa391" },
  { name: "color.cyan", color: "#2397c2" },
  { name: "color.blue", color: "#3a6fd8" },
  { name: "color.indigo", color: "#5a55d6" },
  { name: "color.violet", color: "#8f4fd1" },
  { name: "color.pink", color: "#c94b9b" },
];

/** The colour of a channel's sign, for the viewer alone. */
export function ChannelColor(props: { channelId: number; onClose(): void }) {
  const [problem, setProblem] = createSignal<string>();
  const current = live(["subscriptions", "generation"], () =>
    channelHue(state.model.subscriptions.byChannel.get(props.channelId)?.color),
  );
  const nearest = createMemo(() => {
    const distance = (hue: number) => Math.min(Math.abs(hue - current()), 360 - Math.abs(hue - current()));
    return colors.reduce((best, color) =>
      distance(channelHue(color.color)) < distance(channelHue(best.color)) ? color : best,
    ).color;
  });
  const chosen = createWanted(nearest);
  const save = async (color: string) => {
    setProblem(undefined);
    try {
      await changeSubscription(props.channelId, "color", color);
      return true;
    } catch (error) {
      if (!(error instanceof CallError)) throw error;
      setProblem(error.message);
      return false;
    }
  };
  const title = () => t("channel.colorTitle", { channel: channelName(props.channelId) });
  return (
    <Dialog label={title()} class="form-dialog" onClose={() => props.onClose()}>
      <h2>{title()}</h2>
      <fieldset class="colors">
        <legend class="sr">{title()}</legend>
        <For each={colors}>
          {({ name, color }) => (
            <label title={t(name)}>
              <input
                type="radio"
                name="color"
                aria-label={t(name)}
                checked={chosen.value() === color}
                onChange={() => void chosen.change(color, () => save(color))}
              />
              <span class="channel-sign" style={{ "--h": channelHue(color) }}>
                <Icon name="hash" />
              </span>
            </label>
          )}
        </For>
      </fieldset>
      <Problem text={problem()} />
    </Dialog>
  );
}
