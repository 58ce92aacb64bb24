import { createSignal, For } from "solid-js";
import { MAX_PROFILE_SHORT_TEXT_LENGTH } from "../../../api/limits.ts";
import { t } from "../../i18n/t.ts";
import { RowButton } from "../controls/rows.tsx";
import type { Option } from "./profile-field-data.ts";

interface Row extends Option {
  setText(text: string): void;
}

/** The options of a field, each with its text. Those that are left out lose the values of people. */
export function OptionsEditor(props: { options: readonly Option[]; onChange(options: Option[]): void }) {
  // Rows stay the same objects while somebody types, so their fields keep the focus.
  const make = (option: Option): Row => {
    const row: Row = {
      ...option,
      setText(text) {
        row.text = text;
        report(rows());
      },
    };
    return row;
  };
  const [rows, setRows] = createSignal((props.options.length > 0 ? props.options : [blank()]).map(make));
  const report = (all: readonly Row[]) => props.onChange(all.map(({ key, text }) => ({ key, text })));
  const replace = (all: Row[]) => {
    setRows(all);
    report(all);
  };
  const swap = (at: number, by: number) => {
    const all = [...rows()];
    const [row] = all.splice(at, 1);
    if (row) all.splice(at + by, 0, row);
    replace(all);
  };
  return (
    <fieldset class="field options-editor">
      <legend>{t("profileFields.options")}</legend>
      <ol>
        <For each={rows()}>
          {(row, index) => (
            <li>
              <input
                type="text"
                dir="auto"
                value={row.text}
                maxLength={MAX_PROFILE_SHORT_TEXT_LENGTH}
                aria-label={t("profileFields.option", { number: index() + 1 })}
                autocomplete="off"
                onInput={(event) => row.setText(event.currentTarget.value)}
              />
              <RowButton
                icon="up"
                label={t("profileFields.optionUp", { number: index() + 1 })}
                disabled={index() === 0}
                run={(button) => {
                  swap(index(), -1);
                  button.focus();
                }}
              />
              <RowButton
                icon="trash"
                label={t("profileFields.removeOption", { number: index() + 1 })}
                run={() => replace(rows().filter((other) => other !== row))}
              />
            </li>
          )}
        </For>
      </ol>
      <button type="button" class="button" onClick={() => setRows([...rows(), make(blank())])}>
        {t("profileFields.addOption")}
      </button>
      <p class="hint">{t("profileFields.optionsHint")}</p>
    </fieldset>
  );
}

function blank(): Option {
  return { key: undefined, text: "" };
}
