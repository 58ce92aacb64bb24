/**
 * Times as people write them: ISO 8601, seconds since 1970, or a date in words. A date may have a time of day
 * and a zone, in any order. A missing zone means UTC, a missing time of day midnight, and a missing date part
 * today's.
 */

const MONTHS = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];
const WEEKDAYS = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"];
const MONTH_WORD =
  /^(january|february|march|april|may|june|july|august|sept(ember)?|october|november|december)$/;
const WEEKDAY_WORD = /^((mon|tues|wednes|thurs|fri|satur|sun)day|tues|weds|thur|thurs)$/;
const FILLER = new Set(["at", "on", "and", "of", "st", "nd", "rd", "th", "t", ",", ";", "-", ".", "/"]);

/** Hours east of Greenwich. Where zones share a name, the zone that people in chats most often mean. */
const ZONES: Record<string, number> = {
  ut: 0,
  utc: 0,
  gmt: 0,
  z: 0,
  wet: 0,
  west: 1,
  bst: 1,
  cet: 1,
  cest: 2,
  eet: 2,
  eest: 3,
  msk: 3,
  sast: 2,
  eat: 3,
  wat: 1,
  cat: 2,
  ist: 5.5,
  pkt: 5,
  npt: 5.75,
  ict: 7,
  wib: 7,
  hkt: 8,
  sgt: 8,
  pht: 8,
  awst: 8,
  jst: 9,
  kst: 9,
  acst: 9.5,
  acdt: 10.5,
  aest: 10,
  aedt: 11,
  nzst: 12,
  nzdt: 13,
  brt: -3,
  art: -3,
  nst: -3.5,
  ndt: -2.5,
  ast: -4,
  adt: -3,
  est: -5,
  edt: -4,
  cst: -6,
  cdt: -5,
  mst: -7,
  mdt: -6,
  pst: -8,
  pdt: -7,
  akst: -9,
  akdt: -8,
  hst: -10,
};

interface Parts {
  year?: number;
  month?: number;
  day?: number;
  hour?: number;
  minute?: number;
  second?: number;
  micro?: number;
  offset?: number;
}

/**
 * The moment in UTC as ISO 8601 with a final `Z`, or null if the text is not a time. `now` fills in
 * missing date parts.
 */
export function parseTime(typed: string, now: () => Date = () => new Date()): string | null {
  const text = typed.trim().toLowerCase();
  if (text === "" || text.length > 100) return null;
  return readDate(text, now) ?? readUnixSeconds(text);
}

function readDate(text: string, now: () => Date): string | null {
  const parts = readIso(text) ?? readCompact(text) ?? readWords(text);
  if (parts === null) return null;
  const today = now();
  const { year = today.getUTCFullYear(), month = today.getUTCMonth() + 1 } = parts;
  const day = parts.day ?? (parts.month === undefined && parts.year === undefined ? today.getUTCDate() : 1);
  const { hour = 0, minute = 0, second = 0, micro = 0, offset = 0 } = parts;
  if (year < 1 || year > 9999 || month < 1 || month > 12 || hour > 23 || minute > 59 || second > 59)
    return null;
  if (day < 1 || day > new Date(Date.UTC(year, month, 0)).getUTCDate()) return null;
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day);
  date.setUTCHours(hour, minute, second, 0);
  return format(date.getTime() / 1000 - offset * 3600, micro);
}

function readUnixSeconds(text: string): string | null {
  if (!/^[+-]?(\d+\.?\d*|\.\d+)$/.test(text)) return null;
  const seconds = Math.floor(Number(text));
  return format(seconds, Math.round((Number(text) - seconds) * 1e6));
}

function format(seconds: number, micro: number): string | null {
  const date = new Date(seconds * 1000);
  if (Number.isNaN(date.getTime()) || date.getUTCFullYear() > 9999 || date.getUTCFullYear() < 1) return null;
  const fraction = micro > 0 ? `.${String(micro).padStart(6, "0")}` : "";
  return `${date.toISOString().slice(0, 19)}${fraction}Z`;
}

const ISO =
  /^(\d{4})-(\d{1,2})(?:-(\d{1,2})(?:[t ]\s*(\d{1,2})(?::?(\d{2})(?::?(\d{2})(?:[.,](\d{1,9}))?)?)?\s*(z|utc|gmt|[+-]\d{1,2}(?::?\d{2})?)?)?)?$/;

function readIso(text: string): Parts | null {
  const match = ISO.exec(text);
  if (match === null) return null;
  const [, year, month, day, hour, minute, second, fraction, zone] = match;
  const parts: Parts = { year: Number(year), month: Number(month), day: Number(day ?? 1) };
  if (hour !== undefined) parts.hour = Number(hour);
  if (minute !== undefined) parts.minute = Number(minute);
  if (second !== undefined) parts.second = Number(second);
  if (fraction !== undefined) parts.micro = Number(fraction.padEnd(6, "0").slice(0, 6));
  if (zone !== undefined) parts.offset = readOffset(zone);
  return parts;
}

/** Digits run together: 20170605, 201706052230, 20170605T223000. */
function readCompact(text: string): Parts | null {
  const match = /^(\d{4})(\d{2})(\d{2})(?:t?(\d{2})(\d{2})(\d{2})?)?(z)?$/.exec(text);
  if (match === null) return null;
  const [year, month, day, hour, minute, second] = match.slice(1, 7).map((digits) => Number(digits ?? 0));
  return { year, month, day, hour, minute, second } as Parts;
}

/** NaN for an offset that no zone can have, such as one of more than a day. The text is no time then. */
function readOffset(zone: string): number {
  const match = /^([+-])(\d{1,2}):?(\d{2})?$/.exec(zone);
  if (match === null) return 0;
  const minutes = Number(match[3] ?? 0);
  if (Number(match[2]) > 23 || minutes > 59) return Number.NaN;
  const hours = Number(match[2]) + minutes / 60;
  return match[1] === "-" ? -hours : hours;
}

const TOKEN = /\s+|(\d{1,2}):(\d{2})(?::(\d{2})(?:\.(\d{1,6}))?)?|[+-]\d{2}:?\d{2}(?!\d)|\d+|[a-z]+|./gy;

function readWords(text: string): Parts | null {
  const parts: Parts = {};
  const numbers: number[] = [];
  let hasSense = false;
  for (const match of text.matchAll(TOKEN)) {
    const token = match[0];
    if (token.trim() === "") continue;
    if (match[1] !== undefined) {
      if (parts.hour !== undefined) return null;
      parts.hour = Number(match[1]);
      parts.minute = Number(match[2]);
      if (match[3] !== undefined) parts.second = Number(match[3]);
      if (match[4] !== undefined) parts.micro = Number(match[4].padEnd(6, "0"));
    } else if (/^[+-]\d/.test(token) && parts.hour !== undefined) {
      parts.offset = readOffset(token);
    } else if (/^\d+$/.test(token)) {
      if (token.length > 4) return null;
      if (token.length > 2) {
        if (parts.year !== undefined) return null;
        parts.year = Number(token);
      } else numbers.push(Number(token));
    } else if (!readWord(token, parts, numbers)) return null;
    hasSense ||= !FILLER.has(token) && !isWeekday(token);
  }
  return hasSense && placeNumbers(numbers, parts) ? parts : null;
}

function readWord(word: string, parts: Parts, numbers: number[]): boolean {
  const month = MONTHS.indexOf(word.slice(0, 3));
  if (month !== -1 && (word.length === 3 || MONTH_WORD.test(word))) {
    if (parts.month !== undefined) return false;
    parts.month = month + 1;
    return true;
  }
  if (isWeekday(word)) return true;
  if (word === "am" || word === "pm") {
    parts.hour ??= numbers.pop();
    if (parts.hour === undefined || parts.hour > 12) return false;
    parts.hour = (parts.hour % 12) + (word === "pm" ? 12 : 0);
    return true;
  }
  if (parts.hour !== undefined && parts.offset === undefined && Object.hasOwn(ZONES, word)) {
    parts.offset = ZONES[word];
    return true;
  }
  return FILLER.has(word);
}

function isWeekday(word: string): boolean {
  return WEEKDAYS.includes(word) || WEEKDAY_WORD.test(word);
}

/**
 * Short numbers fill, in order: month before day, as in 6/5/2017, unless the first cannot be a month; then a
 * year of two digits.
 */
function placeNumbers(numbers: number[], parts: Parts): boolean {
  const rest = [...numbers];
  if (parts.month === undefined && rest.length >= 2) {
    const dayFirst = rest[0]! > 12;
    const [first, second] = rest.splice(0, 2) as [number, number];
    parts.month = dayFirst ? second : first;
    parts.day = dayFirst ? first : second;
  } else if (rest.length > 0) parts.day = rest.shift();
  if (parts.year === undefined && rest.length > 0) {
    const short = rest.shift()!;
    parts.year = short + (short < 70 ? 2000 : 1900);
  }
  return rest.length === 0;
}
