/**
 * Settings of one's own account as fields. A change is shown and saved at once. If that fails, the field is
 * as before and says why.
 */
import { updateSettings } from "../../api/people/users.ts";
import type { Setting } from "../../client/model/subject.ts";
import { withProof } from "../shared/proof/proof.tsx";
import { state } from "../shared/state/state.ts";
import { Select, Toggle } from "../ui/fields.tsx";
import { live } from "../ui/live.ts";
import { Marked } from "../ui/saved-mark.tsx";
import { createSaving, type Saving } from "../ui/saving.tsx";
import { createWanted } from "../ui/wanted.ts";

export interface OwnSetting<V> {
  value(): V;
  change(value: V): Promise<void>;
  saving: Saving;
}

export function saveSettings(values: object): Promise<unknown> {
  return withProof((proof) => state.connection.call(updateSettings, { ...values, ...proof }));
}

/** `show`: what of the change is on the screen before the server has it. */
export function createOwnSetting<V>(setting: Setting<V>, show?: (value: V) => unknown): OwnSetting<V> {
  const saving = createSaving();
  const saved = live(["settings", "generation"], () => state.model.settings.get(setting));
  const wanted = createWanted(saved);
  async function change(value: V): Promise<void> {
    show?.(value);
    let isSaved = false;
    await wanted.change(value, async () => {
      isSaved = await saving.run(() => saveSettings({ [setting.name]: value }));
      return isSaved;
    });
    if (!isSaved) show?.(wanted.value());
  }
  return { value: wanted.value, change, saving };
}

interface FieldProps {
  label: string;
  hint?: string | undefined;
  disabled?: boolean | undefined;
}

export function OwnToggle(props: FieldProps & { setting: Setting<boolean> }) {
  const own = createOwnSetting(props.setting);
  return (
    <Marked saving={own.saving}>
      <Toggle
        label={props.label}
        hint={props.hint}
        disabled={props.disabled}
        problem={own.saving.problem()}
        checked={own.value()}
        onChange={(checked) => void own.change(checked)}
      />
    </Marked>
  );
}

interface ChoiceProps<V extends string | number> extends FieldProps {
  setting: Setting<V>;
  /** Values and their names. */
  choices: readonly (readonly [V, string])[];
  show?(value: V): unknown;
}

export function OwnChoice<V extends string | number>(props: ChoiceProps<V>) {
  const own = createOwnSetting(props.setting, props.show);
  /** A value that another client has chosen is among the choices too. */
  const options = () => {
    const isKnown = props.choices.some(([value]) => value === own.value());
    const all = isKnown ? props.choices : [[own.value(), String(own.value())] as const, ...props.choices];
    return all.map(([value, label]) => ({ value: String(value), label }));
  };
  const choose = (text: string) => {
    const chosen = props.choices.find(([value]) => String(value) === text);
    if (chosen) void own.change(chosen[0]);
  };
  return (
    <Marked saving={own.saving}>
      <Select
        label={props.label}
        hint={props.hint}
        disabled={props.disabled}
        problem={own.saving.problem()}
        value={String(own.value())}
        options={options()}
        onChange={choose}
      />
    </Marked>
  );
}
