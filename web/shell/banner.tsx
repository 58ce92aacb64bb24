import { drawnPart } from "../i18n/lazy-part.ts";
import { bannerLines } from "./late-parts.ts";

const Lines = drawnPart(bannerLines);

/** Says that the server can't be reached, above the conversation and without covering it. */
export function Banner() {
  return (
    <div class="banner-place" role="status">
      <Lines />
    </div>
  );
}
