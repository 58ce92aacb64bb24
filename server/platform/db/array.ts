/**
 * Arrays in PostgreSQL's binary format, for statements on a hot path. An array in text format costs quoting
 * each element here, and parsing each in the database. The statement must cast to the array's type:
 * `${int8Array(ids)}::bigint[]`.
 */
const OID = { int4: 23, int8: 20, text: 25 } as const;
const HEADER = 20;
const EMPTY = 12;
const TWO_TO_32 = 2 ** 32;

/** A `bigint[]` of whole numbers that a double holds exactly. */
export function int8Array(values: readonly (number | null)[]): Buffer {
  if (values.length === 0) return empty(OID.int8);
  const array = begin(OID.int8, values, 12 * values.length);
  let at = HEADER;
  for (const value of values) {
    if (value === null) {
      at = array.writeInt32BE(-1, at);
      continue;
    }
    const high = Math.floor(value / TWO_TO_32);
    at = array.writeInt32BE(8, at);
    at = array.writeInt32BE(high, at);
    at = array.writeUInt32BE(value - high * TWO_TO_32, at);
  }
  return array.subarray(0, at);
}

/** An `int[]`. */
export function int4Array(values: readonly number[]): Buffer {
  if (values.length === 0) return empty(OID.int4);
  const array = begin(OID.int4, values, 8 * values.length);
  let at = HEADER;
  for (const value of values) {
    at = array.writeInt32BE(4, at);
    at = array.writeInt32BE(value, at);
  }
  return array;
}

/** A `text[]`. */
export function textArray(values: readonly (string | null)[]): Buffer {
  if (values.length === 0) return empty(OID.text);
  let size = 0;
  // A UTF-16 unit takes at most three bytes. The unused rest of the buffer is not sent.
  for (const value of values) size += 4 + (value === null ? 0 : 3 * value.length);
  const array = begin(OID.text, values, size);
  let at = HEADER;
  for (const value of values) {
    if (value === null) {
      at = array.writeInt32BE(-1, at);
      continue;
    }
    const length = array.write(value, at + 4);
    array.writeInt32BE(length, at);
    at += 4 + length;
  }
  return array.subarray(0, at);
}

/** An array with no dimensions. */
function empty(oid: number): Buffer {
  const array = Buffer.alloc(EMPTY);
  array.writeInt32BE(oid, 8);
  return array;
}

/** The header of an array with one dimension whose index begins at 1. */
function begin(oid: number, values: readonly unknown[], size: number): Buffer {
  const array = Buffer.allocUnsafe(HEADER + size);
  array.writeInt32BE(1, 0);
  array.writeInt32BE(values.includes(null) ? 1 : 0, 4);
  array.writeInt32BE(oid, 8);
  array.writeInt32BE(values.length, 12);
  array.writeInt32BE(1, 16);
  return array;
}
