/** The worker that keeps the program for times without a network. It never keeps what the API answers. */
import { whenIdle } from "./when-idle.ts";

const WORKER = "/service-worker.js";

export function installWorker(): void {
  if (!("serviceWorker" in navigator)) return;
  whenIdle(() => void navigator.serviceWorker.register(addressOfWorker()).catch(() => {}));
}

/** The page's policy allows workers only by a policy of this name, which knows one address. */
function addressOfWorker(): string {
  const rules = { createScriptURL: (_address: string) => WORKER };
  return (window.trustedTypes?.createPolicy("service-worker", rules) ?? rules).createScriptURL(WORKER);
}
