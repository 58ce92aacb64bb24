/** Values of profile fields, as the API has them in texts. */

/** In their order. `fieldData`: JSON by key. */
export function optionsOf(fieldData: string): { value: string; label: string }[] {
  const options = JSON.parse(fieldData) as Record<string, { text: string; order: string }>;
  return Object.entries(options)
    .sort(([, a], [, b]) => Number(a.order) - Number(b.order))
    .map(([value, { text }]) => ({ value, label: text }));
}

/** The ids of the people that a value names. */
export function peopleOf(value: string): number[] {
  const ids: unknown = value === "" ? [] : JSON.parse(value);
  return Array.isArray(ids) ? ids.filter((id) => Number.isInteger(id)) : [];
}
