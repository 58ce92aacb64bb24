/** Fields that save by themselves: switches and choices at once, texts by a button or by Enter. */
import { createEdit, EditEnd } from "./edit.tsx";
import { Select, TextArea, TextField, Toggle } from "./fields.tsx";

interface SavedProps<T> {
  label: string;
  hint?: string | undefined;
  disabled?: boolean | undefined;
  value: T;
  save(value: T): Promise<unknown>;
}

export function SavedToggle(props: SavedProps<boolean>) {
  const edit = createEdit({ read: () => props.value, save: (value) => props.save(value) });
  return (
    <div class="saved-field">
      <Toggle
        label={props.label}
        hint={props.hint}
        disabled={props.disabled}
        problem={edit.problem()}
        checked={edit.value()}
        onChange={(checked) => void edit.saveNow(checked)}
      />
      <EditEnd edit={edit} label={props.label} />
    </div>
  );
}

export function SavedSelect<T extends string>(
  props: SavedProps<T> & { options: readonly { value: T; label: string }[] },
) {
  const edit = createEdit({ read: () => props.value, save: (value) => props.save(value) });
  return (
    <div class="saved-field">
      <Select
        label={props.label}
        hint={props.hint}
        disabled={props.disabled}
        problem={edit.problem()}
        value={edit.value()}
        options={props.options}
        onChange={(value) => void edit.saveNow(value)}
      />
      <EditEnd edit={edit} label={props.label} />
    </div>
  );
}

export function SavedText(
  props: SavedProps<string> & { maxLength?: number; rows?: number; type?: "text" | "number" },
) {
  const edit = createEdit({ read: () => props.value, save: (value) => props.save(value) });
  return (
    <form
      class="saved-field"
      onSubmit={(event) => {
        event.preventDefault();
        if (edit.isChanged() && !edit.isBusy()) void edit.save();
      }}
    >
      {props.rows === undefined ? (
        <TextField {...props} value={edit.value()} problem={edit.problem()} onInput={edit.change} />
      ) : (
        <TextArea {...props} value={edit.value()} problem={edit.problem()} onInput={edit.change} />
      )}
      <EditEnd edit={edit} label={props.label} />
    </form>
  );
}
