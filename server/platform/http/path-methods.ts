/**
 * The methods that each path supports, for the response to a request with another one. A route for each path
 * and each method that it does not support would say the same, but a thousand routes take most of a start.
 *
 * Paths are matched as the router of the framework does it: a fixed part comes before a parameter, and that
 * before the rest of a path. A parameter may be empty.
 */

/** Longer values of a parameter match no path. */
export const MAX_PATH_PARAMETER = 4096;

/** Paths of the same form, in the router's syntax. */
export interface PathForm {
  url: string;
  methods: Set<string>;
}

/** What begins with the same parts. */
interface Place {
  fixed: Map<string, Place>;
  parameter: Place | undefined;
  /** `*` takes the rest of the path. */
  rest: PathForm | undefined;
  form: PathForm | undefined;
}

export class PathMethods {
  readonly #root = newPlace();
  readonly #forms: PathForm[] = [];

  /** Two methods of one path may use different names for its parameters. */
  add(url: string, methods: Iterable<string>): void {
    const form = this.#formAt(url);
    for (const method of methods) form.methods.add(method);
  }

  /** The form of a request's path. `too long`: it would have one if a parameter were shorter. */
  find(target: string): PathForm | "too long" | undefined {
    let isTooLong = false;
    const parts = partsOf(target);
    const search = (place: Place, depth: number): PathForm | undefined => {
      const part = parts?.[depth];
      if (part === undefined) return place.form;
      const fixed = place.fixed.get(part.text);
      const found = fixed && search(fixed, depth + 1);
      if (found) return found;
      if (place.parameter && part.length > MAX_PATH_PARAMETER) isTooLong = true;
      else if (place.parameter) {
        const other = search(place.parameter, depth + 1);
        if (other) return other;
      }
      return place.rest;
    };
    return parts && (search(this.#root, 0) ?? (isTooLong ? "too long" : undefined));
  }

  /**
   * The methods that a form does not support, but another that has some of its paths does. The router would
   * take such a path for the other's: `GET /messages/flags` for a message.
   */
  hiddenMethods(): { form: PathForm; hidden: string[] }[] {
    const all = this.#forms.map((form) => {
      const others = overlapping(this.#root, partsOfForm(form.url)).flatMap(({ methods }) => [...methods]);
      return { form, hidden: [...new Set(others)].filter((method) => !form.methods.has(method)) };
    });
    return all.filter(({ hidden }) => hidden.length > 0);
  }

  #formAt(url: string): PathForm {
    const parts = partsOfForm(url);
    const isOpen = parts.at(-1) === "*";
    let place = this.#root;
    for (const part of isOpen ? parts.slice(0, -1) : parts) place = childOf(place, part);
    const known = isOpen ? place.rest : place.form;
    if (known) return known;
    const form = { url, methods: new Set<string>() };
    if (isOpen) place.rest = form;
    else place.form = form;
    this.#forms.push(form);
    return form;
  }
}

function newPlace(): Place {
  return { fixed: new Map(), parameter: undefined, rest: undefined, form: undefined };
}

function childOf(place: Place, part: string): Place {
  const child = part.startsWith(":") ? place.parameter : place.fixed.get(part);
  if (child) return child;
  const added = newPlace();
  if (part.startsWith(":")) place.parameter = added;
  else place.fixed.set(part, added);
  return added;
}

function partsOfForm(url: string): string[] {
  return url.slice(1).split("/");
}

/** The parts of a request's path. undefined: it cannot be decoded. */
function partsOf(target: string): { text: string; length: number }[] | undefined {
  const [path = ""] = target.split(/[?#]/, 1);
  try {
    // A fixed part has no character that only `decodeURIComponent` decodes, as a slash is one.
    return path
      .slice(1)
      .split("/")
      .map((part) => ({ text: decodeURI(part), length: decodeURIComponent(part).length }));
  } catch (error) {
    if (error instanceof URIError) return undefined;
    throw error;
  }
}

/** The forms that have a path in common with these parts, itself among them. */
function overlapping(place: Place, [part, ...others]: readonly string[]): PathForm[] {
  if (part === undefined) return place.form ? [place.form] : [];
  const isFixed = part !== "*" && !part.startsWith(":");
  const fixed = isFixed ? [place.fixed.get(part)] : [...place.fixed.values()];
  const children = [...fixed, place.parameter].filter((child) => child !== undefined);
  const deeper = children.flatMap((child) => (part === "*" ? allIn(child) : overlapping(child, others)));
  return place.rest ? [place.rest, ...deeper] : deeper;
}

function allIn({ fixed, parameter, rest, form }: Place): PathForm[] {
  const children = parameter ? [...fixed.values(), parameter] : [...fixed.values()];
  return [rest, form].filter((each) => each !== undefined).concat(children.flatMap(allIn));
}
