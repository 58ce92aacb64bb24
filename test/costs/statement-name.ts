/** Short names for SQL statements, which stay the same while their conditions and columns change. */

const CONTROL = /^(begin|commit|rollback)\b/;
const CHANGES = /(?<!for |no key |do )\b(insert into|update|delete from) (?!set\b)([a-z_.]+)/g;
/** Not `extract(epoch from l.sent_at)`, which has the short name of a table. */
const READS = /\b(?:from|join) (?!lateral\b|unnest\b|generate_series\b|[a-z]{1,2}\.)([a-z_.]+)/g;
const LOCKS = /\b(pg_[a-z_]*lock[a-z_]*)\(/;
const CALLS = /\b(?!unnest\b|coalesce\b)([a-z]+_[a-z_]+|nextval)\(/;
const CTES = /\b([a-z_]+)(?: \([a-z_, ]+\))? as (?:not )?(?:materialized )?\(/g;

/** Whether a statement begins or ends a transaction. PostgreSQL plans nothing for it. */
export function isControl(text: string): boolean {
  return CONTROL.test(text);
}

/** What it changes of which tables; if nothing, the first table that it reads; without one, what it calls. */
export function nameOfStatement(given: string): string {
  const text = given.replace(/\s+/g, " ").trim();
  const [control] = CONTROL.exec(text) ?? [];
  if (control !== undefined) return control;
  const changes = [...text.matchAll(CHANGES)].map(([, verb = "", table = ""]) => {
    return `${verb.split(" ")[0]} ${table}`;
  });
  if (changes.length > 0) return [...new Set(changes)].join(", ");
  const ctes = new Set([...text.matchAll(CTES)].map(([, name]) => name));
  const table = [...text.matchAll(READS)].map(([, name]) => name).find((name) => !ctes.has(name));
  if (table !== undefined) return `select ${table}`;
  const [, called = text.slice(0, 40)] = LOCKS.exec(text) ?? CALLS.exec(text) ?? [];
  return `select ${called}`;
}
