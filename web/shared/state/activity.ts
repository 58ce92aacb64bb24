import { live } from "../../ui/live.ts";
import { state } from "./state.ts";

/** Whether nothing that the person asked for is on its way. The page says so by `aria-busy`. */
export const isIdleSignal = () => live(["activity", "outbox", "connection"], () => state.isIdle);
