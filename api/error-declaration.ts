export interface ErrorDeclaration<D = never> {
  name: string;
  code: string | undefined;
  status: number;
  /** Called with the data given to `ApiError`. */
  message: (data: D) => string;
  /** The extra fields on the wire, made from the data. */
  fields: ((data: D) => Record<string, unknown>) | undefined;
}

type Text<D> = string | ((data: D) => string);

/** The name is given by `named`. */
export function declare<D>(
  code: string | undefined,
  status: number,
  message: Text<D>,
  fields?: (data: D) => Record<string, unknown>,
): ErrorDeclaration<D> {
  return { name: "", code, status, message: typeof message === "string" ? () => message : message, fields };
}

/** A generic invalid request: 400 BAD_REQUEST (spec Errors). */
export function bad<D = never>(message: Text<D>): ErrorDeclaration<D> {
  return declare<D>("BAD_REQUEST", 400, message);
}

/** Credentials that are missing or wrong: 401 UNAUTHORIZED (spec Errors). */
export function unauthorized(message: string): ErrorDeclaration {
  return declare<never>("UNAUTHORIZED", 401, message);
}

/** For errors whose data has the names of the wire. */
export const allFields = <D extends Record<string, unknown>>(data: D) => data;

/** Gives each declaration the name that it is listed under. */
export function named<T extends Record<string, ErrorDeclaration<never>>>(all: T): T {
  for (const [name, declaration] of Object.entries(all)) declaration.name = name;
  return all;
}
