/** Forms of the server's own pages: HTML without script, whose problems stand beside their fields. */
import { ApiError } from "../../../api/errors.ts";
import { problemText } from "./error-texts.ts";
import { lastText } from "./form.ts";
import { type Html, html, type PageText } from "./page.ts";

export interface FormField<Name extends string> {
  name: Name;
  label: string | PageText;
  type: "text" | "email" | "password";
  autocomplete: string;
  hint?: string | PageText;
  /** It is shown, and can't be changed. */
  isFixed?: boolean;
}

/** A filled-in form: the text of each field, and the problems by field. */
export interface FilledForm<Name extends string> {
  values: Record<Name, string>;
  problems: Partial<Record<Name, string | PageText>>;
}

/** A limit on what the page repeats to the browser. It exceeds the limits of all fields. */
const MAX_TEXT = 2000;

export function emptyForm<Name extends string>(names: readonly Name[]): FilledForm<Name> {
  return {
    values: Object.fromEntries(names.map((name) => [name, ""])) as Record<Name, string>,
    problems: {},
  };
}

/**
 * Reads the body of a request. Any body gives a form, with problems if fields are missing or wrong. A parser
 * throws an `ApiError` for a text that is wrong.
 */
export function readForm<Name extends string>(
  body: unknown,
  parsers: Readonly<Record<Name, (text: string) => string>>,
): FilledForm<Name> {
  const names = Object.keys(parsers) as Name[];
  const form = emptyForm(names);
  const fields = (body ?? {}) as Readonly<Record<string, string | string[] | undefined>>;
  for (const name of names) {
    const given = fields[name];
    const text =
      given === undefined || (typeof given === "object" && !Array.isArray(given)) ? "" : lastText(given);
    form.values[name] = text.slice(0, MAX_TEXT);
    const problem = problemWith(parsers[name], form.values[name]);
    if (problem !== undefined) form.problems[name] = problem;
  }
  return form;
}

export function isComplete({ problems }: FilledForm<string>): boolean {
  return Object.keys(problems).length === 0;
}

export function presentField<Name extends string>(
  { name, label, type, autocomplete, hint, isFixed = false }: FormField<Name>,
  { values, problems }: FilledForm<Name>,
): Html {
  const problem = problems[name];
  const noteId = `${name}-note`;
  const note = problem ?? hint;
  // A password is never sent back to the browser.
  const value = type === "password" ? "" : values[name];
  return html`<div class="field">
<label for="${name}">${label}</label>
<input id="${name}" name="${name}" type="${type}" value="${value}" autocomplete="${autocomplete}" ${isFixed ? "readonly" : "required"}${
    problem !== undefined && html` aria-invalid="true"`
  }${note !== undefined && html` aria-describedby="${noteId}"`}>
${note !== undefined && html`<p id="${noteId}" class="${problem === undefined ? "hint" : "problem"}">${note}</p>`}
</div>
`;
}

function problemWith(parse: (text: string) => string, text: string): string | PageText | undefined {
  try {
    parse(text);
    return undefined;
  } catch (error) {
    if (error instanceof ApiError) return problemText(error);
    throw error;
  }
}
