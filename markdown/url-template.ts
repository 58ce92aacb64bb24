/** URL templates as RFC 6570 defines them, all four levels, for text variables. */

interface Operator {
  first: string;
  separator: string;
  isNamed: boolean;
  ifEmpty: string;
  keepsReserved: boolean;
}

const PLAIN: Operator = { first: "", separator: ",", isNamed: false, ifEmpty: "", keepsReserved: false };
const OPERATORS: Record<string, Operator> = {
  "+": { ...PLAIN, keepsReserved: true },
  "#": { ...PLAIN, first: "#", keepsReserved: true },
  ".": { ...PLAIN, first: ".", separator: "." },
  "/": { ...PLAIN, first: "/", separator: "/" },
  ";": { ...PLAIN, first: ";", separator: ";", isNamed: true },
  "?": { ...PLAIN, first: "?", separator: "&", isNamed: true, ifEmpty: "=" },
  "&": { ...PLAIN, first: "&", separator: "&", isNamed: true, ifEmpty: "=" },
};

interface Variable {
  name: string;
  length: number | undefined;
}

type Part = string | { operator: Operator; variables: Variable[] };

const EXPRESSION = /^([+#./;?&]?)((?:[\w.]+(?::[1-9]\d{0,3}|\*)?)(?:,[\w.]+(?::[1-9]\d{0,3}|\*)?)*)$/;

export interface UrlTemplate {
  /** Names of the variables, each once. */
  readonly variables: readonly string[];
  /** The URL with the variables' values, percent-encoded as their expressions ask; undefined ones vanish. */
  expand(values: Readonly<Record<string, string | null | undefined>>): string;
}

/** Reads a template; null when it is malformed. */
export function parseUrlTemplate(template: string): UrlTemplate | null {
  const parts: Part[] = [];
  const names = new Set<string>();
  for (const piece of template.split(/(\{[^{}]*\})/)) {
    if (!piece.startsWith("{")) {
      if (/[{}]/.test(piece)) return null;
      if (piece !== "") parts.push(encode(piece, true));
      continue;
    }
    const match = EXPRESSION.exec(piece.slice(1, -1));
    if (match === null) return null;
    const variables = match[2]!.split(",").map(readVariable);
    for (const { name } of variables) names.add(name);
    parts.push({ operator: OPERATORS[match[1]!] ?? PLAIN, variables });
  }
  return {
    variables: [...names],
    expand: (values) =>
      parts.map((part) => (typeof part === "string" ? part : expandPart(part, values))).join(""),
  };
}

function readVariable(text: string): Variable {
  const [name = "", length] = text.replace("*", "").split(":");
  return { name, length: length === undefined ? undefined : Number(length) };
}

function expandPart(
  part: Exclude<Part, string>,
  values: Readonly<Record<string, string | null | undefined>>,
): string {
  const { operator } = part;
  const pieces: string[] = [];
  for (const { name, length } of part.variables) {
    const value = values[name];
    if (value === undefined || value === null) continue;
    const text = encode(
      length === undefined ? value : [...value].slice(0, length).join(""),
      operator.keepsReserved,
    );
    pieces.push(operator.isNamed ? `${name}${text === "" ? operator.ifEmpty : `=${text}`}` : text);
  }
  return pieces.length === 0 ? "" : operator.first + pieces.join(operator.separator);
}

/** Percent-encodes; with `keepsReserved`, what has a meaning in URLs and what is encoded already stay. */
function encode(text: string, keepsReserved: boolean): string {
  const strict = (part: string): string =>
    encodeURIComponent(part).replace(/[!'()*]/g, (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`);
  if (!keepsReserved) return strict(text);
  return text.replace(/%[0-9a-f]{2}|[:/?#[\]@!$&'()*+,;=]|[^:/?#[\]@!$&'()*+,;=]/giu, (c) =>
    /^(%..|[:/?#[\]@!$&'()*+,;=])$/.test(c) ? c : strict(c),
  );
}
