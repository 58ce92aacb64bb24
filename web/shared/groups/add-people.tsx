import { createSignal, type JSX } from "solid-js";
import { t } from "../../i18n/t.ts";
import { createSaving, SavingNote } from "../../ui/saving.tsx";
import { PickField } from "./pick-field.tsx";
import { isSamePicked, type Picked } from "./picked.ts";

interface AddProps {
  label: string;
  hint: string;
  find(text: string): readonly Picked[];
  add(chosen: readonly Picked[]): Promise<unknown>;
  /** Between the field and the button. */
  children?: JSX.Element;
}

/** Adds what is picked to a channel or a group. Chips stay until they were added. */
export function AddPeople(props: AddProps) {
  const saving = createSaving();
  const [chosen, setChosen] = createSignal<readonly Picked[]>([]);
  async function add(): Promise<void> {
    const added = chosen();
    if (added.length === 0) return;
    if (!(await saving.runOnce(() => props.add(added)))) return;
    // More may have been picked meanwhile.
    setChosen(chosen().filter((picked) => !added.some((each) => isSamePicked(picked, each))));
  }
  return (
    <form
      class="add-people"
      onSubmit={(event) => {
        event.preventDefault();
        void add();
      }}
    >
      <PickField
        label={props.label}
        hint={props.hint}
        placeholder={t("people.add")}
        chosen={chosen()}
        find={(text) => props.find(text)}
        onChange={setChosen}
      />
      {props.children}
      <div class="form-end">
        <button type="submit" class="button primary" disabled={chosen().length === 0}>
          {t("subscribers.addShort")}
        </button>
        <SavingNote saving={saving} />
      </div>
    </form>
  );
}
