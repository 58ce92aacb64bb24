import type { PlaygroundRecord } from "../../../api/content/playgrounds.ts";
import type { PlaygroundRow } from "./store.ts";

export function presentPlayground({ id, name, language, urlTemplate }: PlaygroundRow): PlaygroundRecord {
  return { id, name, pygments_language: language, url_template: urlTemplate };
}
