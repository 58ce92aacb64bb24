declare module "js-yaml" {
  /** Reads one document. */
  export function load(text: string): unknown;
}
