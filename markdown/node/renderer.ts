import { createRenderer, type Renderer } from "../render.ts";
import { highlight } from "./highlight.ts";
import { typeset } from "./typeset.ts";

/** The renderer of the server: with highlighted code and maths. */
export function createServerRenderer(): Renderer {
  return createRenderer({ highlight, math: typeset });
}
