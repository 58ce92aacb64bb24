/**
 * An SQL statement from a tagged template. Its values are always bound, never inserted into the text. A
 * template without nested fragments keeps one text and one name for the life of the process, so PostgreSQL
 * prepares it once per connection.
 */
export class Sql {
  readonly text: string;
  readonly values: unknown[];
  readonly name: string | undefined;

  constructor(text: string, values: unknown[], name: string | undefined) {
    this.text = text;
    this.values = values;
    this.name = name;
  }
}

interface Statement {
  text: string;
  name: string;
}

const statements = new WeakMap<TemplateStringsArray, Statement>();
const preparedNames = new Map<string, string>();
let statementCount = 0;

/** Prepared statements take memory in every connection. Further texts are planned at each execution. */
const MAX_PREPARED_TEXTS = 500;

/** `sql\`select … where id = ${id}\``. A value that is itself an `Sql` is inlined as a fragment. */
export function sql(strings: TemplateStringsArray, ...values: unknown[]): Sql {
  if (values.some((value) => value instanceof Sql)) return compose(strings, values);
  let statement = statements.get(strings);
  if (!statement) {
    statement = {
      text: strings.reduce((text, part, index) => `${text}$${index}${part}`),
      name: `s${++statementCount}`,
    };
    statements.set(strings, statement);
  }
  return new Sql(statement.text, values, statement.name);
}

/**
 * Names a composed statement after its text, so that PostgreSQL prepares it once per connection. Only for
 * statements with few different texts, whose best plan does not depend on the values.
 */
export function prepare({ text, values, name }: Sql): Sql {
  return new Sql(text, values, name ?? nameOf(text));
}

/**
 * A statement of a hot path that is put together once, for all calls. Its values are functions of the input
 * that each call is given.
 */
export function compiled<Input>({ text, values }: Sql): (input: Input) => Sql {
  const name = `s${++statementCount}`;
  const functions = values as readonly ((input: Input) => unknown)[];
  return (input) =>
    new Sql(
      text,
      functions.map((each) => each(input)),
      name,
    );
}

/**
 * For tests that look at names. Many files share a process there, which may have prepared as many texts as
 * it may.
 */
export function forgetPreparedNames(): void {
  preparedNames.clear();
}

function nameOf(text: string): string | undefined {
  const known = preparedNames.get(text);
  if (known !== undefined || preparedNames.size >= MAX_PREPARED_TEXTS) return known;
  const name = `s${++statementCount}`;
  preparedNames.set(text, name);
  return name;
}

/** A constant that is part of the text. Never a value that a request brings. */
export function literal(constant: number): Sql {
  return new Sql(String(constant), [], undefined);
}

/** Joins fragments, for conditions and statements that are composed at run time. */
export function joinSql(fragments: readonly Sql[], separator: string): Sql {
  const values: unknown[] = [];
  const text = fragments.map((fragment) => renumber(fragment, values)).join(separator);
  return new Sql(text, values, undefined);
}

function compose(strings: TemplateStringsArray, parts: unknown[]): Sql {
  const values: unknown[] = [];
  let text = strings[0] ?? "";
  parts.forEach((part, index) => {
    text += part instanceof Sql ? renumber(part, values) : `$${values.push(part)}`;
    text += strings[index + 1] ?? "";
  });
  return new Sql(text, values, undefined);
}

function renumber(fragment: Sql, values: unknown[]): string {
  const offset = values.length;
  values.push(...fragment.values);
  return fragment.text.replace(/\$(\d+)/g, (_, number: string) => `$${Number(number) + offset}`);
}
