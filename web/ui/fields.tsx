/** Fields of forms: a label, the control, a hint below it, and what is wrong beside it. */
import { For, type JSX, Show } from "solid-js";

interface FieldProps {
  label: string;
  hint?: string | undefined;
  /** What went wrong with the last attempt to save it. */
  problem?: string | undefined;
  disabled?: boolean | undefined;
}

/** What screen readers say of a field beside its label. `id` is unique on the screen. */
export function described(id: string, props: FieldProps) {
  const ids = [props.hint && `${id}-hint`, props.problem && `${id}-problem`].filter(Boolean);
  return ids.length > 0 ? ids.join(" ") : undefined;
}

let made = 0;
const nextId = () => `field-${made++}`;

/** `class`: beside that of all fields. */
export function Around(props: FieldProps & { id: string; class?: string; children: JSX.Element }) {
  return (
    <div class={`field ${props.class ?? ""}`}>
      <label for={props.id}>{props.label}</label>
      {props.children}
      <Notes id={props.id} hint={props.hint} problem={props.problem} />
    </div>
  );
}

function Notes(props: { id: string; hint?: string | undefined; problem?: string | undefined }) {
  return (
    <>
      <Show when={props.hint}>
        <p class="hint" id={`${props.id}-hint`}>
          {props.hint}
        </p>
      </Show>
      <Show when={props.problem}>
        <p class="problem" id={`${props.id}-problem`} role="alert">
          {props.problem}
        </p>
      </Show>
    </>
  );
}

interface TextProps extends FieldProps {
  value: string;
  type?: "text" | "email" | "password" | "url" | "search" | "number" | "date" | "datetime-local";
  placeholder?: string;
  maxLength?: number;
  autocomplete?: string;
  required?: boolean;
  /** Whether a dialog that opens with it puts the focus here. */
  autofocus?: boolean;
  /** With each key. */
  onInput?(value: string): void;
  /** When the field is left, or on Enter. */
  onChange?(value: string): void;
}

export function TextField(props: TextProps) {
  const id = nextId();
  return (
    <Around {...props} id={id}>
      <input
        id={id}
        type={props.type ?? "text"}
        dir={props.type === undefined || props.type === "text" ? "auto" : undefined}
        value={props.value}
        placeholder={props.placeholder}
        data-max={props.maxLength}
        autocomplete={props.autocomplete ?? "off"}
        required={props.required}
        autofocus={props.autofocus}
        disabled={props.disabled}
        aria-invalid={props.problem !== undefined}
        aria-describedby={described(id, props)}
        onInput={(event) => props.onInput?.(event.currentTarget.value)}
        onChange={(event) => props.onChange?.(event.currentTarget.value)}
      />
    </Around>
  );
}

export function TextArea(props: TextProps & { rows?: number }) {
  const id = nextId();
  return (
    <Around {...props} id={id}>
      <textarea
        id={id}
        dir="auto"
        rows={props.rows ?? 3}
        value={props.value}
        placeholder={props.placeholder}
        data-max={props.maxLength}
        required={props.required}
        disabled={props.disabled}
        aria-invalid={props.problem !== undefined}
        aria-describedby={described(id, props)}
        onInput={(event) => props.onInput?.(event.currentTarget.value)}
        onChange={(event) => props.onChange?.(event.currentTarget.value)}
      />
    </Around>
  );
}

interface SelectProps<T extends string> extends FieldProps {
  value: T;
  options: readonly { value: T; label: string }[];
  onChange(value: T): void;
}

export function Select<T extends string>(props: SelectProps<T>) {
  const id = nextId();
  return (
    <Around {...props} id={id}>
      <select
        id={id}
        disabled={props.disabled}
        aria-invalid={props.problem !== undefined}
        aria-describedby={described(id, props)}
        onChange={(event) => props.onChange(event.currentTarget.value as T)}
      >
        <For each={props.options}>
          {(option) => (
            <option value={option.value} selected={option.value === props.value}>
              {option.label}
            </option>
          )}
        </For>
      </select>
    </Around>
  );
}

/** On or off, with effect at once. */
export function Toggle(props: FieldProps & { checked: boolean; onChange(checked: boolean): void }) {
  const id = nextId();
  return (
    <div class="field">
      <label class="toggle">
        <input
          type="checkbox"
          checked={props.checked}
          disabled={props.disabled}
          aria-describedby={described(id, props)}
          onChange={(event) => props.onChange(event.currentTarget.checked)}
        />
        <span>{props.label}</span>
      </label>
      <Notes id={id} hint={props.hint} problem={props.problem} />
    </div>
  );
}
