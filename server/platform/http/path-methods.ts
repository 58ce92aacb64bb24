/**
 * The paths of the API, with what serves each method of them. A route of the framework for each path would do
 * the same, but hundreds of routes take most of a start. Paths that the framework serves are here for the
 * response to a request with another method.
 *
 * Paths are matched as the router of the framework does it: a fixed part comes before a parameter, and that
 * before the rest of a path. A parameter may be empty.
 */

import { WILDCARD } from "./decode.ts";

/** Longer values of a parameter match no path. */
export const MAX_PATH_PARAMETER = 4096;

/** Paths of the same form, in the router's syntax. */
export interface PathForm<S = unknown> {
  url: string;
  methods: Set<string>;
  /** By method. If there are two, the first takes only a number as its last parameter. */
  served: Map<string, Served<S>[]>;
}

interface Served<S> {
  serve: S;
  /** The parameters by the places of their parts. */
  names: readonly { name: string; at: number }[];
  isForNumber: boolean;
}

/** What serves a request, with the parameters of its path. */
export interface Found<S> {
  serve: S;
  params: Record<string, string>;
}

/** Limits a last parameter. */
export const NUMBER = "(^\\d+$)";
const ONLY_DIGITS = /^\d+$/;

/** What begins with the same parts. */
interface Place<S> {
  fixed: Map<string, Place<S>>;
  parameter: Place<S> | undefined;
  /** `*` takes the rest of the path. */
  rest: PathForm<S> | undefined;
  form: PathForm<S> | undefined;
}

/** `S` serves requests. */
export class PathMethods<S = unknown> {
  readonly #root: Place<S> = newPlace();
  readonly #forms: PathForm<S>[] = [];

  /**
   * Two methods of one path may use different names for its parameters. Without `serve`, the framework serves
   * the path.
   */
  add(url: string, methods: Iterable<string>, serve?: S): void {
    const isForNumber = url.endsWith(NUMBER);
    const plain = isForNumber ? url.slice(0, -NUMBER.length) : url;
    const form = this.#formAt(plain);
    for (const method of methods) {
      form.methods.add(method);
      if (serve === undefined) continue;
      const served = form.served.get(method) ?? [];
      if (served.some((other) => other.isForNumber === isForNumber))
        throw new Error(`two routes have the address ${method} ${url}`);
      const added = { serve, names: namesIn(plain), isForNumber };
      form.served.set(method, isForNumber ? [added, ...served] : [...served, added]);
    }
  }

  /** What serves the request. undefined: nothing here does. */
  match(method: string, target: string): Found<S> | undefined {
    const parts = partsOf(target);
    if (!parts) return undefined;
    const form = this.#search(parts);
    if (typeof form !== "object") return undefined;
    for (const { serve, names, isForNumber } of form.served.get(method) ?? []) {
      const params: Record<string, string> = {};
      let last = "";
      for (const { name, at } of names) {
        last = name === WILDCARD ? decodeRest(parts, at) : decodeParameter(parts[at] as Part);
        params[name] = last;
      }
      if (!isForNumber || ONLY_DIGITS.test(last)) return { serve, params };
    }
    return undefined;
  }

  /** The form of a request's path. `too long`: it would have one if a parameter were shorter. */
  find(target: string): PathForm<S> | "too long" | undefined {
    const parts = partsOf(target);
    return parts && this.#search(parts);
  }

  #search(parts: readonly Part[]): PathForm<S> | "too long" | undefined {
    let isTooLong = false;
    const search = (place: Place<S>, depth: number): PathForm<S> | undefined => {
      const part = parts[depth];
      if (part === undefined) return place.form;
      const fixed = place.fixed.get(part.text);
      const found = fixed && search(fixed, depth + 1);
      if (found) return found;
      if (place.parameter && decodeParameter(part).length > MAX_PATH_PARAMETER) isTooLong = true;
      else if (place.parameter) {
        const other = search(place.parameter, depth + 1);
        if (other) return other;
      }
      return place.rest;
    };
    return search(this.#root, 0) ?? (isTooLong ? "too long" : undefined);
  }

  /**
   * The methods that a form of the framework's does not support, but another that has some of its paths does.
   * The framework would take such a path for the other's.
   */
  hiddenMethods(): { form: PathForm<S>; hidden: string[] }[] {
    const ofFramework = this.#forms.filter(({ served }) => served.size === 0);
    const all = ofFramework.map((form) => {
      const others = overlapping(this.#root, partsOfForm(form.url)).flatMap(({ methods }) => [...methods]);
      return { form, hidden: [...new Set(others)].filter((method) => !form.methods.has(method)) };
    });
    return all.filter(({ hidden }) => hidden.length > 0);
  }

  #formAt(url: string): PathForm<S> {
    const parts = partsOfForm(url);
    const isOpen = parts.at(-1) === WILDCARD;
    let place = this.#root;
    for (const part of isOpen ? parts.slice(0, -1) : parts) place = childOf(place, part);
    const known = isOpen ? place.rest : place.form;
    if (known) return known;
    const form: PathForm<S> = { url, methods: new Set(), served: new Map() };
    if (isOpen) place.rest = form;
    else place.form = form;
    this.#forms.push(form);
    return form;
  }
}

function newPlace<S>(): Place<S> {
  return { fixed: new Map(), parameter: undefined, rest: undefined, form: undefined };
}

function childOf<S>(place: Place<S>, part: string): Place<S> {
  const child = part.startsWith(":") ? place.parameter : place.fixed.get(part);
  if (child) return child;
  const added = newPlace<S>();
  if (part.startsWith(":")) place.parameter = added;
  else place.fixed.set(part, added);
  return added;
}

function partsOfForm(url: string): string[] {
  return url.slice(1).split("/");
}

function namesIn(url: string): { name: string; at: number }[] {
  return partsOfForm(url).flatMap((part, at) => {
    if (part === WILDCARD) return [{ name: WILDCARD, at }];
    return part.startsWith(":") ? [{ name: part.slice(1), at }] : [];
  });
}

/** A part of a request's path: as it came, and as a fixed part may have it. */
interface Part {
  raw: string;
  text: string;
}

/** undefined: the path cannot be decoded. */
function partsOf(target: string): Part[] | undefined {
  const end = target.search(/[?#]/);
  const path = end < 0 ? target : target.slice(0, end);
  const parts = path.slice(1).split("/");
  if (!path.includes("%")) return parts.map((raw) => ({ raw, text: raw }));
  try {
    // A fixed part has no character that only `decodeURIComponent` decodes, as a slash is one.
    return parts.map((raw) => ({ raw, text: decodeURI(raw) }));
  } catch (error) {
    if (error instanceof URIError) return undefined;
    throw error;
  }
}

function decodeParameter({ raw }: Part): string {
  return raw.includes("%") ? decodeURIComponent(raw) : raw;
}

function decodeRest(parts: readonly Part[], from: number): string {
  return parts.slice(from).map(decodeParameter).join("/");
}

/** The forms that have a path in common with these parts, itself among them. */
function overlapping<S>(place: Place<S>, [part, ...others]: readonly string[]): PathForm<S>[] {
  if (part === undefined) return place.form ? [place.form] : [];
  const isFixed = part !== "*" && !part.startsWith(":");
  const fixed = isFixed ? [place.fixed.get(part)] : [...place.fixed.values()];
  const children = [...fixed, place.parameter].filter((child) => child !== undefined);
  const deeper = children.flatMap((child) => (part === "*" ? allIn(child) : overlapping(child, others)));
  return place.rest ? [place.rest, ...deeper] : deeper;
}

function allIn<S>({ fixed, parameter, rest, form }: Place<S>): PathForm<S>[] {
  const children = parameter ? [...fixed.values(), parameter] : [...fixed.values()];
  return [rest, form].filter((each) => each !== undefined).concat(children.flatMap(allIn));
}
