/** Several whole servers come and go in one test, on a machine on which others work too. */
export const LONG_MS = 600_000;
/** A server looks at its target ten seconds after its start, and then makes a backup. */
export const MADE_MS = 120_000;
