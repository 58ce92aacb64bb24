import type { ErrorDeclaration } from "./error-declaration.ts";

/** An example response with the error, with `<name>` for each part that depends on the request. */
export function errorExample(error: ErrorDeclaration): Record<string, unknown> {
  const data = placeholders();
  const msg = error.message(data);
  const fields = { ...error.fields?.(data) };
  return { result: "error", msg, ...(error.code === undefined ? {} : { code: error.code }), ...fields };
}

/**
 * Stands for an error's data: every property that is read exists from then on, so that spreading it copies
 * them.
 */
function placeholders(): never {
  const seen: Record<string, string> = {};
  const data = new Proxy(seen, {
    get(target, name) {
      if (typeof name === "string") target[name] ??= `<${name}>`;
      return Reflect.get(target, name);
    },
  });
  return data as never;
}
