/**
 * Characters that mean nothing in a comparison of names. `fold_name` of the database has the same list: the
 * soft hyphen, marks of direction, spaces without width, invisible operators, annotations, marks of music and
 * of shorthand. The signs around Arabic numbers are visible, so they are not in it.
 */
export const FORMAT_CHARACTERS =
  "\u00AD\u061C\u180E\u200B-\u200F\u202A-\u202E\u2060-\u2064\u2066-\u206F\uFEFF\uFFF9-\uFFFB" +
  "\u{13430}-\u{1343F}\u{1BCA0}-\u{1BCA3}\u{1D173}-\u{1D17A}\u{E0001}";
