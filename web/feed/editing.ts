/** Which message is being edited in its row. */
import { createSignal } from "solid-js";

const [edited, setEdited] = createSignal<number | undefined>();

export { edited, setEdited as editMessage };
