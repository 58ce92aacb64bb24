import { createSignal } from "solid-js";

const narrow = matchMedia("(max-width: 759px)");
const [isPhone, setPhone] = createSignal(narrow.matches);
narrow.addEventListener("change", () => setPhone(narrow.matches));

/** Whether there is room for one column only: the list, or a conversation. */
export { isPhone };
