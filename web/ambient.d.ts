declare module "*.css";

interface ImportMeta {
  /** The build replaces it by a loader for each file that matches. */
  glob<T>(patterns: readonly string[], options: { import: string }): Record<string, () => Promise<T>>;
}
