declare module "js-yaml" {
  /** Reads one document. */
  export function load(text: string): unknown;
  /** Reads several documents, and gives each. */
  export function loadAll(text: string, take: (document: unknown) => void): void;
}
