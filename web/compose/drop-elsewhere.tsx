import { t } from "../i18n/t.ts";
import { Icon } from "../ui/icon.tsx";
import { mayDropFiles } from "./drop-files.ts";

/** Where files can go that are held over something that takes none. */
export function DropElsewhere() {
  return (
    <p class="drop-elsewhere" role="status">
      <Icon name="attach" /> {t(mayDropFiles() ? "compose.dropThere" : "compose.dropNowhere")}
    </p>
  );
}
