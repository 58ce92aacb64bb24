/** No other page has it. */
export const ownTab = crypto.getRandomValues(new Uint32Array(2)).join("");

/** The name of a lock that the tab holds while it lives. */
export const lockOf = (tab: string) => `parley.tab.${tab}`;
